// SPDX-License-Identifier: MIT
// Independent parts of a computation on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace lookback::tools {

/// run(0) to run(count - 1) on at most `threads` threads, this one included; throws what the first failing part threw.
inline void in_parallel(std::int64_t threads, std::int64_t count, const std::function<void(std::int64_t)>& run) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error;
  std::mutex mutex;
  const auto work = [&] {
    for (std::int64_t part = next++; part < count; part = next++) {
      try {
        run(part);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> others;
  for (std::int64_t i = 1; i < std::min(threads, count); ++i) others.emplace_back(work);
  work();
  others.clear();
  if (error) std::rethrow_exception(error);
}

}  // namespace lookback::tools
