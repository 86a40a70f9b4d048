// SPDX-License-Identifier: MIT
// Ours against Eigen, natively, in turns; prints both medians in GFLOP/s as JSON.
#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "lookback/kernels/matmul.hpp"

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kExtent = 512;
constexpr int kRounds = 31;

template <class Function>
double seconds(const Function& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + kRounds / 2, x.end());
  return x[kRounds / 2];
}

}  // namespace

int main() {
  using namespace lookback::kernels;
  const Matrix a = Matrix::Random(kExtent, kExtent);
  const Matrix b = Matrix::Random(kExtent, kExtent);
  Matrix ours(kExtent, kExtent);
  Matrix eigens(kExtent, kExtent);
  const MatmulSizes sizes{.rows = kExtent, .cols = kExtent, .inner = kExtent};
  std::vector<float> scratch(static_cast<std::size_t>(matmul_scratch(sizes)));
  std::vector<double> our_times, eigen_times;
  for (int round = 0; round < kRounds; ++round) {
    our_times.push_back(seconds([&] { matmul(a.data(), b.data(), ours.data(), sizes, scratch.data()); }));
    eigen_times.push_back(seconds([&] { eigens.noalias() = a * b; }));
  }
  if (!ours.isApprox(eigens, 1e-4f)) {
    std::fputs("the two products differ\n", stderr);
    return 1;
  }
  constexpr double kGigaFlop = 2e-9 * kExtent * kExtent * kExtent;
  std::printf("{\"ours\": %.2f, \"eigen\": %.2f}\n", kGigaFlop / median(our_times), kGigaFlop / median(eigen_times));
}
