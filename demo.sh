#!/usr/bin/env bash
# Builds the library and runs kernels on whatever device is there. Writes below build/demo only.
set -euo pipefail
# shellcheck source=tests/support/debian.sh
. "$(dirname "$0")/tests/support/debian.sh"
install_packages "${build_packages[@]}" libopenblas0

step "building"
configure -S . -B build/demo -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
  -DGPUARR_BUILD_TESTS=OFF -DGPUARR_BUILD_BINDINGS=OFF
cmake --build build/demo

export GPUARR_CACHE_DIR=$PWD/build/demo/cache PATH=$PWD/build/demo:$PATH
mkdir -p build/demo/out
cd build/demo/out

step "this machine"
gpuarr info

for example in ../examples/[0-9]*; do
  if [ ! -x "$example" ] || [ -d "$example" ]; then continue; fi
  step "example $(basename "$example")"
  case $example in
    *_mandelbrot) "$example" mandelbrot.png ;;
    *_heat) "$example" heat.png ;;
    *) "$example" ;;
  esac
done

step "kernels from the shell: a million sines, cosines, sin*sin + cos*cos, a root mean square"
set -x
gpuarr elementwise '' 'float64 x' 'x = i * 1e-6' --size 1000000 -o x.npy
gpuarr elementwise 'T x' 'T s, T c' 's = sin(x); c = cos(x)' x.npy -o s.npy c.npy
gpuarr elementwise 'T s, T c' 'T one' 'one = s * s + c * c' s.npy c.npy -o one.npy --time
gpuarr reduce 'T x' 'T rms' 'x * x' 'a + b' 'rms = sqrt(a / n)' s.npy -o rms.npy --time
gpuarr op random_normal 0 1 --shape 500,500 --seed 7 -o noise.npy
gpuarr op matmul noise.npy noise.npy -o product.npy
gpuarr op sort product.npy --axis 0 -o sorted.npy
{ set +x; } 2>/dev/null

step "a kernel of one's own in CUDA C++, right, and then with a fault that a check finds on the CPU"
cat >saxpy.cu <<'END'
__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
END
sed 's/i < n/i <= n/' saxpy.cu >fault.cu
set -x
gpuarr elementwise '' 'float32 x' 'x = i' --size 1000 -o f.npy
gpuarr raw saxpy.cu saxpy --elements 1000 f32:2 f.npy inout:f.npy:y.npy i32:1000
gpuarr raw fault.cu saxpy --grid 4 --block 256 --check memory --device host f32:2 f.npy \
  inout:f.npy:z.npy i32:1000 || true
{ set +x; } 2>/dev/null

step "done: build/demo/out has"
ls -l
