#include "orrery/engine/kernel.hpp"

#include "orrery/base/check.hpp"

#include <algorithm>

namespace orrery {

EventKind Kernel::register_kind(Rank rank, std::size_t module) {
  std::uint8_t& count = kinds_of_rank_[static_cast<std::size_t>(rank)];
  ORRERY_CHECK(count < 16, "too many kinds of one rank");
  const EventKind kind = EventKind::of(rank, count++);
  owner_[kind.code] = module;
  return kind;
}

SimTime Kernel::next_time() const {
  SimTime next = queue_.next_time();
  for (const Module* module : modules_) next = std::min(next, module->next_arrival());
  return next;
}

void Kernel::step() {
  const SimTime next = next_time();
  ORRERY_CHECK(next >= now_ && next != kNever,
               "no instant after " + seconds_text(now_.time_since_epoch()) + " s");  // I1
  for (Module* module : modules_) module->advance(next);
  now_ = next;
  std::size_t before = ended();
  for (int idle_rounds = 0;
       next_time() == now_;) {  // again for zero-length work, which ends in the instant it starts
    apply_all();
    for (Module* module : modules_) module->decide(now_);
    const std::size_t after = ended();
    idle_rounds = after == before ? idle_rounds + 1 : 0;
    before = after;
    if (idle_rounds > kMostIdleRounds) livelock();
  }
  for (Module* module : modules_) module->settled(now_);
}

void Kernel::apply_all() {
  constexpr EventKind kArrivals = EventKind::of(Rank::arrival, 0);
  const auto apply_until = [&](EventKind end) {
    while (queue_.next_time() == now_ && queue_.next_kind() < end) {
      const Event event = queue_.pop();
      modules_[owner_[event.kind.code]]->handle(event);
    }
  };
  apply_until(kArrivals);
  for (Module* module : modules_)
    if (module->next_arrival() == now_) module->arrive(now_);
  apply_until({0xff});
}

std::size_t Kernel::ended() const {
  std::size_t sum = 0;
  for (const Module* module : modules_) sum += module->ended();
  return sum;
}

void Kernel::livelock() const {
  std::string last;
  for (const Module* module : modules_) last += module->last_decisions();
  throw Fault("fault in the policy: no end of decisions at " +
              seconds_text(now_.time_since_epoch()) + " s" +
              (last.empty() ? "" : "; the last ones: " + last));
}

}  // namespace orrery
