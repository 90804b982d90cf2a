// The factories of this folder, one a name of the registry.
#pragma once

#include "orrery/policy/estimates.hpp"
#include "orrery/policy/line.hpp"
#include "orrery/policy/spec.hpp"

#include <memory>

namespace orrery {

std::unique_ptr<LinePolicy> make_easy(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_fifo(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_fifo_skip(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_las(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_las2d(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_mlfq(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_mlfq2d(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_replay(const Options& options, const Estimates* recorded);
std::unique_ptr<LinePolicy> make_sjf(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_sjf_skip(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_srsf(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_srtf(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_svsf(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_svsf_skip(const Options& options, const Estimates* estimates);
std::unique_ptr<LinePolicy> make_tiresias(const Options& options, const Estimates* estimates);

}  // namespace orrery
