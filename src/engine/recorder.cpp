#include "orrery/engine/recorder.hpp"

namespace orrery {

std::string_view name(Verb verb) {
  switch (verb) {
    case Verb::submit:
      return "submit";
    case Verb::start:
      return "start";
    case Verb::migrate:
      return "migrate";
    case Verb::preempt:
      return "preempt";
    case Verb::finish:
      return "finish";
    case Verb::timeout:
      return "timeout";
    case Verb::horizon:
      return "horizon";
    case Verb::reject:
      return "reject";
  }
  return "unknown";
}

std::string_view name(WaitCause cause) {
  switch (cause) {
    case WaitCause::hold:
      return "hold";
    case WaitCause::preempted:
      return "preempted";
    case WaitCause::quota:
      return "quota";
    case WaitCause::type:
      return "type";
    case WaitCause::capacity:
      return "capacity";
    case WaitCause::host:
      return "host";
    case WaitCause::fragmented:
      return "fragmented";
    case WaitCause::order:
      return "order";
  }
  return "unknown";
}

std::string_view name(JobStatus status) {
  switch (status) {
    case JobStatus::finished:
      return "finished";
    case JobStatus::timeout:
      return "timeout";
    case JobStatus::rejected:
      return "rejected";
    case JobStatus::unfinished:
      return "unfinished";
  }
  return "unknown";
}

GpuTime& GpuTime::operator+=(const GpuTime& other) {
  capacity += other.capacity;
  busy += other.busy;
  overhead += other.overhead;
  idle += other.idle;
  down += other.down;
  fragmented += other.fragmented;
  return *this;
}

GpuTime& GpuTime::operator-=(const GpuTime& other) {
  capacity -= other.capacity;
  busy -= other.busy;
  overhead -= other.overhead;
  idle -= other.idle;
  down -= other.down;
  fragmented -= other.fragmented;
  return *this;
}

void Recorder::add(Sink& sink, unsigned wants) {
  if ((wants & kHistory) != 0) history_.push_back(&sink);
  if ((wants & kOutcomes) != 0) outcomes_.push_back(&sink);
  if ((wants & kStates) != 0) states_.push_back(&sink);
  if ((wants & kSubmits) != 0) submits_.push_back(&sink);
}

void Fingerprint::history(const HistoryEntry& entry) {
  std::uint64_t hash = mix(hash_, entry.id_hash);
  hash = mix(hash, static_cast<std::uint64_t>(micros(entry.time)));
  hash = mix(hash, (static_cast<std::uint64_t>(entry.verb) << 32) | entry.gpus);
  for (const Slice& slice : entry.slices)
    hash = mix(mix(hash, (static_cast<std::uint64_t>(slice.node.value()) << 16) | slice.share),
               slice.gpus);
  hash_ = hash;
}

}  // namespace orrery
