#!/usr/bin/env bash
# Makes all that is generated: the elementwise functions out of their catalogue, then what is made
# of the headers. Tests check that nothing is out of date.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python3 "$here/functions.py"
python3 "$here/generate.py"
python3 "$here/fortran_specifics.py"
python3 "$here/../../tests/abi/symbols.py" "$here/../.." --write
