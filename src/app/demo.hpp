// orrery run --demo: a cluster and a dozen jobs small enough to follow by eye.
#pragma once

#include "app/console.hpp"
#include "app/settings.hpp"

namespace orrery::app {

/// Replays the built-in example under the policy of the settings, or under fifo and then srtf, and
/// draws who held which GPU.
int demo(const Settings& settings, const Console& console);

}  // namespace orrery::app
