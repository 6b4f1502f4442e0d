// Principal components of a picture: each of its rows is a point, and a few singular vectors say
// nearly all of them. 29_principal_components [FILE.pgm]
#include <algorithm>
#include <fstream>
#include <gpuarr_elementwise.hpp>
#include <gpuarr_linalg.hpp>

#include "example.hpp"

using gpuarr::Array;

namespace {

constexpr int height = 80, width = 120, kept = 12;
using Pixels = std::vector<float>;

// An 8-bit PGM file: https://netpbm.sourceforge.net/doc/pgm.html
Pixels read_picture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string kind;
  int columns = 0, rows = 0, most = 0;
  file >> kind >> columns >> rows >> most;
  Pixels pixels;
  for (int k = file.get(); (k = file.get()) >= 0;) pixels.push_back(static_cast<float>(k));
  if (kind == "P5" && columns == width && rows == height && pixels.size() == height * width)
    return pixels;
  throw std::runtime_error(path + " is no picture of the size that is wanted");
}

// Half of the numbers or fewer, as a picture again.
void write_picture(const std::string& path, const Pixels& pixels) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << width << ' ' << height << "\n255\n";
  for (float pixel : pixels)
    file.put(static_cast<char>(static_cast<int>(std::clamp(pixel + 0.5f, 0.f, 255.f))));
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

}  // namespace

int main(int argc, char** argv) try {
  const Pixels pixels = read_picture(EXAMPLE_FOLDER "/mandelbrot.pgm");
  const Array picture = Array::from(pixels, {height, width});

  // The mean row is taken away; what is left is u diag(s) vh, with the greatest values first.
  const Array mean = gpuarr::mean(picture, {0});
  const auto [u, s, vh] = gpuarr::svd(picture - mean);

  // The first components alone: columns of u, each times its value, by rows of vh.
  const Array scaled = u.slice(1, 0, kept) * s.slice(0, 0, kept);
  const Array back = gpuarr::matmul(scaled, vh.slice(0, 0, kept)) + mean;

  // The squares of the values that were left out are the squares of all errors.
  const Pixels values = s.to_vector<float>(), restored = back.to_vector<float>();
  double all = 0, left_out = 0, errors = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double square = std::pow(static_cast<double>(values[k]), 2);
    all += square;
    left_out += k < kept ? 0 : square;
  }
  for (std::size_t k = 0; k < pixels.size(); ++k)
    errors += std::pow(static_cast<double>(restored[k] - pixels[k]), 2);
  expect(errors, left_out, 1e-4 * left_out, "the squared error", kept);
  expect(left_out / all, 0, 0.05, "the part that is left out", kept);

  if (argc > 1) write_picture(argv[1], restored);
  std::printf(
      "%d of %d components: %.2f %% of the variance, %.1f grey levels off, %d of %d numbers\n",
      kept, height, 100 * (1 - left_out / all), std::sqrt(errors / (height * width)),
      kept * (height + width + 1) + width, height * width);
  std::printf("ok: principal components of a picture, on %s\n", picture.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
