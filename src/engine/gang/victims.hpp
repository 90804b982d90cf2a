// Who has to give up GPUs so that an earlier job fits: rules 3 and 4 of semantics.md, "A pass of a
// line policy".
#pragma once

#include "engine/gang/active_job.hpp"

#include "orrery/cluster/free_nodes.hpp"
#include "orrery/policy/parts.hpp"

#include <boost/container/small_vector.hpp>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace orrery::gang {

/// What a search found: the holders that must go and the GPUs that the job then takes.
struct Room {
  boost::container::small_vector<Slot, 8> evicted;  ///< latest in the order first
  Picks picks;                                      ///< empty under count
};

/// The jobs of a pool that hold GPUs and may lose them, kept so that the latest in the order are
/// found without looking at all. A job started or placed again in the pass under way is not among
/// them: whoever walks later is later than it.
class VictimSearch {
 public:
  virtual ~VictimSearch() = default;
  /// The job holds GPUs from now on. Its slope stays as it is until remove().
  void add(const JobSlots& jobs, Slot slot, SimTime now);
  /// Before the job's key, rate or slices change, or when it gives its GPUs back.
  void remove(const JobSlots& jobs, Slot slot);
  /// GPUs of a node were taken or given back.
  virtual void touch(NodeId) {}
  /// Room for `wanted`, which does not fit on free GPUs, at the cost of holders later than `place`;
  /// false: all of them do not suffice. `free` is left as it was.
  virtual bool find(const JobSlots& jobs, FreeNodes& free, const Demand& wanted, const Place& place,
                    SimTime now, Room& room) = 0;
  virtual std::unique_ptr<VictimSearch> clone() const = 0;

 protected:
  /// A member's line: its value at `now` is value + slope * now.
  struct Line {
    Place intercept;
    std::int64_t slope = 0;
    std::size_t member = 0;  ///< position in members_
    bool linear = true;
  };
  virtual void added(const JobSlots&, Slot) {}
  virtual void removed(const JobSlots&, Slot) {}
  const Line& line(Slot slot) const { return lines_[slot]; }
  const std::vector<Slot>& members() const { return members_; }
  bool all_linear() const { return bent_ == 0; }
  /// Members later than `place`, the latest first: O(members log members).
  std::vector<std::pair<Place, Slot>> later_than(const JobSlots& jobs, const Place& place,
                                                 SimTime now) const;

 private:
  std::vector<Slot> members_;
  std::vector<Line> lines_;  // by slot
  std::size_t bent_ = 0;     // members whose value does not move along a line
};

/// Under count: members in one ordered set a slope; O(GPUs wanted * log members) a search.
class CountVictims final : public VictimSearch {
 public:
  bool find(const JobSlots&, FreeNodes&, const Demand&, const Place&, SimTime, Room&) override;
  std::unique_ptr<VictimSearch> clone() const override {
    return std::make_unique<CountVictims>(*this);
  }

 private:
  void added(const JobSlots& jobs, Slot slot) override;
  void removed(const JobSlots& jobs, Slot slot) override;
  struct Item {
    Place intercept;
    Slot slot;
    bool operator<(const Item& other) const { return intercept < other.intercept; }
  };
  std::map<std::int64_t, std::set<Item>> by_slope_;
};

/// The literal rule for any placement: holders later in the order are added to the free GPUs, the
/// latest first, until the placement succeeds. O(members log members) a search.
class LiteralVictims final : public VictimSearch {
 public:
  explicit LiteralVictims(std::shared_ptr<const Placement> placement)
      : placement_{std::move(placement)} {}
  bool find(const JobSlots&, FreeNodes&, const Demand&, const Place&, SimTime, Room&) override;
  std::unique_ptr<VictimSearch> clone() const override {
    return std::make_unique<LiteralVictims>(*this);
  }

 private:
  std::shared_ptr<const Placement> placement_;
};

/// Keeps of `room.evicted` (latest first) only those without which the picks would lack GPUs,
/// looked at from the earliest to the latest.
void spare_needless(const JobSlots& jobs, const FreeNodes& free, Room& room);

}  // namespace orrery::gang
