#include "app/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace orrery::app {

void in_parallel(std::size_t pieces, unsigned threads,
                 const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> failures(pieces);
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < pieces; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t most = std::min<std::size_t>(threads > 0 ? threads : cores, pieces);
  std::vector<std::thread> workers;
  for (std::size_t i = 1; i < most; ++i) workers.emplace_back(take);
  take();
  for (std::thread& worker : workers) worker.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace orrery::app
