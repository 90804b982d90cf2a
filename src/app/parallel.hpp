// Pieces of work side by side.
#pragma once

#include <cstddef>
#include <functional>

namespace orrery::app {

/// Calls work(0) to work(pieces - 1), begun in this order, `threads` at a time (0: one a core). The
/// first failure in the order of the pieces is thrown when all are done.
void in_parallel(std::size_t pieces, unsigned threads,
                 const std::function<void(std::size_t)>& work);

}  // namespace orrery::app
