// The opaque type of random number generators.
#pragma once

#include "c/handles.hpp"
#include "ops/random/generator.hpp"

struct gpuarr_generator : gpuarr::Handle<gpuarr_generator, std::shared_ptr<gpuarr::Generator>> {};
