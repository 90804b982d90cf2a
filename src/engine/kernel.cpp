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

void Kernel::step() {
  const SimTime next = next_time();
  ORRERY_CHECK(next >= now_ && next != kNever,
               "no instant after " + seconds_text(now_.time_since_epoch()) + " s");  // I1
  for (Module* module : modules_) module->advance(next);
  now_ = next;
  std::uint64_t rounds = 0;
  std::size_t ended_before = 0;
  do {  // again for zero-length work, which ends in the instant it starts
    apply_all();
    for (Module* module : modules_) module->decide(now_);
    if (++rounds % kMostIdleRounds != 0) continue;
    const std::size_t ended_now = ended();
    if (rounds > kMostIdleRounds && ended_now == ended_before) livelock();
    ended_before = ended_now;
  } while (next_time() == now_);
  for (Module* module : modules_) module->settled(now_);
}

inline void Kernel::apply_until(EventKind end) {
  while (queue_.next_time() == now_ && queue_.next_kind() < end) {
    const Event event = queue_.pop();
    modules_[owner_[event.kind.code]]->handle(event);
  }
}

void Kernel::apply_all() {
  apply_until(EventKind::of(Rank::arrival, 0));
  if (next_arrival_ == now_) {
    next_arrival_ = kNever;
    for (Module* module : modules_) {
      module->arrive(now_);
      next_arrival_ = std::min(next_arrival_, module->next_arrival());
    }
  }
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
