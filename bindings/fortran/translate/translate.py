#!/usr/bin/env python3
"""Runs the translator of Fortran, whose package is beside this file."""
from gpuarr_fortran.__main__ import main

main()
