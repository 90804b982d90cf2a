#include "benchmarks/floor.hpp"

#include "orrery/base/hash.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace orrery::bench {
namespace {

using Time = std::int64_t;  // microseconds
using Job = std::uint32_t;
using Node = std::uint32_t;
using Order = unsigned __int128;  // (time, job): one comparison

constexpr unsigned kGpus = kGpusPerNode;
constexpr Time kNone = std::numeric_limits<Time>::max();

constexpr Order order(Time time, Job job) {
  return static_cast<Order>(time) << 32 | job;
}
constexpr Time time_of(Order o) {
  return static_cast<Time>(o >> 32);
}
constexpr Job job_of(Order o) {
  return static_cast<Job>(o);
}

/// A 4-ary heap, least first.
class Heap {
 public:
  bool empty() const { return heap_.empty(); }
  Order top() const { return heap_.front(); }
  void push(Order o) {
    heap_.push_back(o);
    rise(heap_.size() - 1, o);
  }
  Order pop() {
    const Order first = heap_.front(), last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return first;
    Order* const heap = heap_.data();
    std::size_t hole = 0, child = 1;
    for (; child + 4 <= size; child = 4 * hole + 1) {
      const std::size_t a = child + (heap[child + 1] < heap[child] ? 1 : 0);
      const std::size_t b = child + 2 + (heap[child + 3] < heap[child + 2] ? 1 : 0);
      const std::size_t least = heap[b] < heap[a] ? b : a;
      heap[hole] = heap[least];
      hole = least;
    }
    if (child < size) {
      std::size_t least = child;
      while (++child < size) least = heap[child] < heap[least] ? child : least;
      heap[hole] = heap[least];
      hole = least;
    }
    rise(hole, last);
    return first;
  }

 private:
  void rise(std::size_t i, Order o) {
    while (i > 0 && o < heap_[(i - 1) / 4]) {
      heap_[i] = heap_[(i - 1) / 4];
      i = (i - 1) / 4;
    }
    heap_[i] = o;
  }
  std::vector<Order> heap_;
};

/// Nodes by their free GPUs: a bitmap a count, with one bit for each word that is not empty.
class FreeGpus {
 public:
  explicit FreeGpus(std::size_t nodes) : free_(nodes, kGpus) {
    for (std::size_t f = 0; f <= kGpus; ++f) {
      words_[f].resize((nodes + 63) / 64);
      used_[f].resize((words_[f].size() + 63) / 64);
    }
    for (Node node = 0; node < nodes; ++node) insert(kGpus, node);
  }
  unsigned free(Node node) const { return free_[node]; }
  /// Whole nodes for a gang of more than one node.
  bool fits(unsigned gpus) const {
    return gpus <= kGpus ? (some_ >> gpus) != 0 : count_[kGpus] >= gpus / kGpus;
  }
  /// The lowest of the fullest nodes that fit `gpus`, at most 8 and known to fit.
  Node best(unsigned gpus) const {
    const auto f = gpus + static_cast<unsigned>(std::countr_zero(some_ >> gpus));
    std::size_t s = 0;
    while (used_[f][s] == 0) ++s;
    const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(used_[f][s]));
    return static_cast<Node>(w * 64 + static_cast<std::size_t>(std::countr_zero(words_[f][w])));
  }
  void set(Node node, unsigned now) {
    const unsigned before = free_[node];
    if (--count_[before] == 0) some_ &= ~(1U << before);
    std::uint64_t& word = words_[before][node / 64];
    word &= ~(std::uint64_t{1} << (node % 64));
    if (word == 0) used_[before][node / 4096] &= ~(std::uint64_t{1} << (node / 64 % 64));
    insert(now, node);
  }

 private:
  void insert(unsigned f, Node node) {
    words_[f][node / 64] |= std::uint64_t{1} << (node % 64);
    used_[f][node / 4096] |= std::uint64_t{1} << (node / 64 % 64);
    if (count_[f]++ == 0) some_ |= 1U << f;
    free_[node] = static_cast<std::uint8_t>(f);
  }
  std::vector<std::uint8_t> free_;
  std::array<std::vector<std::uint64_t>, kGpus + 1> words_, used_;
  std::array<std::uint32_t, kGpus + 1> count_{};
  unsigned some_ = 0;  // bit f: some node has exactly f free
};

/// Where jobs run: their one node, or a list of whole nodes.
class Places {
 public:
  explicit Places(std::size_t jobs) : first_(jobs) {}
  void set(Job job, Node node) { first_[job] = node; }
  Node node(Job job) const { return first_[job]; }
  void clear(Job job) { first_[job] = kEnd; }
  void add(Job job, Node node) {
    if (spare_ == kEnd) {
      spare_ = static_cast<std::uint32_t>(links_.size());
      links_.push_back({0, kEnd});
    }
    const std::uint32_t link = spare_;
    spare_ = links_[link].next;
    links_[link] = {node, first_[job]};
    first_[job] = link;
  }
  template <class Each>
  void each(Job job, Each&& visit) const {
    for (std::uint32_t link = first_[job]; link != kEnd; link = links_[link].next)
      visit(links_[link].node);
  }
  template <class Each>
  void take_all(Job job, Each&& visit) {
    for (std::uint32_t link = first_[job]; link != kEnd;) {
      visit(links_[link].node);
      link = std::exchange(links_[link].next, std::exchange(spare_, link));
    }
  }

 private:
  static constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  struct Link {
    Node node;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> first_;
  std::vector<Link> links_;
  std::uint32_t spare_ = kEnd;
};

/// A cluster whose jobs keep their GPUs once they have them.
class Cluster {
 public:
  explicit Cluster(const Synthetic& jobs) : jobs_{jobs}, free_{jobs.nodes}, places_{jobs.size()} {}
  bool fits(Job job) const { return free_.fits(jobs_.gpus[job]); }
  void place(Job job) {
    const unsigned gpus = jobs_.gpus[job];
    if (gpus <= kGpus) {
      const Node node = free_.best(gpus);
      free_.set(node, free_.free(node) - gpus);
      places_.set(job, node);
      return;
    }
    places_.clear(job);
    for (unsigned left = gpus; left > 0; left -= kGpus) {
      const Node node = free_.best(kGpus);
      free_.set(node, 0);
      places_.add(job, node);
    }
  }
  void release(Job job) {
    const unsigned gpus = jobs_.gpus[job];
    if (gpus <= kGpus) {
      const Node node = places_.node(job);
      free_.set(node, free_.free(node) + gpus);
    } else {
      places_.take_all(job, [&](Node node) { free_.set(node, kGpus); });
    }
  }

 private:
  const Synthetic& jobs_;
  FreeGpus free_;
  Places places_;
};

double mean_jct_s(const Synthetic& jobs, const FloorRun& run) {
  double sum = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    sum += static_cast<double>(run.end[i] - jobs.arrival[i]);
  return sum / (1e6 * static_cast<double>(jobs.size()));
}

FloorRun empty_run(std::size_t jobs) {
  return {.start = std::vector<Time>(jobs, kNone), .end = std::vector<Time>(jobs, kNone)};
}

/// The first in the order start while they fit; by_run_time: shortest job first, else by arrival.
template <bool by_run_time>
FloorRun run_in_order(const Synthetic& jobs) {
  const auto size = static_cast<Job>(jobs.size());
  FloorRun run = empty_run(size);
  Cluster cluster{jobs};
  Heap ends, line;
  Job next = 0, head = 0;
  std::int64_t waiting = 0;
  while (next < size || !ends.empty()) {
    Time now = ends.empty() ? kNone : time_of(ends.top());
    if (next < size) now = std::min(now, jobs.arrival[next]);
    while (!ends.empty() && time_of(ends.top()) == now) {
      const Job job = job_of(ends.pop());
      cluster.release(job);
      run.end[job] = now;
    }
    for (; next < size && jobs.arrival[next] == now; ++next, ++waiting)
      if constexpr (by_run_time) line.push(order(jobs.run_time[next], next));
    while (waiting > 0) {
      const Job job = by_run_time ? job_of(line.top()) : head;
      if (!cluster.fits(job)) break;
      if constexpr (by_run_time) {
        line.pop();
      } else {
        ++head;
      }
      --waiting;
      cluster.place(job);
      run.start[job] = now;
      ends.push(order(now + jobs.run_time[job], job));
    }
    run.most_waiting = std::max(run.most_waiting, waiting);
  }
  run.mean_jct_s = mean_jct_s(jobs, run);
  return run;
}

/// Shortest remaining time first. Holders go by their ends, which is by their remaining times.
class Srtf {
 public:
  explicit Srtf(const Synthetic& jobs)
      : jobs_{jobs},
        run_{empty_run(jobs.size())},
        left_{jobs.run_time},
        planned_(jobs.size(), kNone),
        free_{jobs.nodes},
        places_{jobs.size()},
        nodes_(jobs.nodes) {
    for (Tree& tree : trees_) tree.resize(jobs.nodes);
  }

  FloorRun run() && {
    const auto size = static_cast<Job>(jobs_.size());
    Job next = 0;
    std::size_t ended = 0;
    while (ended < size) {
      now_ = ends_.empty() ? kNone : time_of(ends_.top());
      if (next < size) now_ = std::min(now_, jobs_.arrival[next]);
      bool changed = false;
      while (!ends_.empty() && time_of(ends_.top()) == now_) {
        const Job job = job_of(ends_.pop());
        if (planned_[job] != now_) continue;  // it was preempted meanwhile
        release(job);
        run_.end[job] = now_;
        ++ended;
        for (Class& one : classes_) one.open = true;
        changed = true;
      }
      for (; next < size && jobs_.arrival[next] == now_; ++next) {
        push(next);
        changed = true;
      }
      if (changed && waiting_ > 0) pass();
      run_.most_waiting = std::max(run_.most_waiting, waiting_);
    }
    run_.mean_jct_s = mean_jct_s(jobs_, run_);
    return std::move(run_);
  }

 private:
  struct Holder {
    Order key;  // (end, job)
    std::uint8_t gpus;
  };
  /// The holders of one node, the latest in the order first.
  struct Held {
    std::array<Holder, kGpus> holders;
    std::uint8_t count = 0;
    std::uint8_t stale = 0;  // bit of each tree that has not seen the last change
  };
  static constexpr Order kNobody = ~Order{0};  // free as it is: later than any holder
  /// A tournament over nodes: the latest holder that must be the earliest to go, for so many GPUs.
  struct Tree {
    void resize(std::size_t nodes) {
      width = std::bit_ceil(std::max<std::size_t>(2, nodes));
      keys.assign(width, 0);
      winners.resize(width);
      for (std::size_t i = width - 1; i > 0; --i)  // all equal: the leftmost of each subtree
        winners[i] = i >= width / 2 ? static_cast<Node>(2 * i - width) : winners[2 * i];
      for (Node node = 0; node < nodes; ++node) set(node, kNobody);
    }
    void set(Node node, Order key) {
      keys[node] = key;
      std::size_t i = (width + node) / 2;
      Node left = node & ~Node{1}, right = node | 1;
      for (;;) {
        const Node winner = keys[right] > keys[left] ? right : left;
        if (winner != node && winners[i] == winner) return;
        winners[i] = winner;
        if (i == 1) return;
        left = winners[i & ~std::size_t{1}];
        right = winners[i | 1];
        i /= 2;
      }
    }
    std::size_t width = 0;
    std::vector<Order> keys;
    std::vector<Node> winners;
    std::vector<Node> stale;
  };
  struct Class {
    Heap line;  // (remaining time, job)
    bool open = false;
  };
  static constexpr std::size_t kClasses = 7;  // 1, 2, 4, ... 64 GPUs

  std::size_t class_of(Job job) const {
    return static_cast<std::size_t>(std::countr_zero(jobs_.gpus[job]));
  }

  void push(Job job) {
    Class& mine = classes_[class_of(job)];
    const Order key = order(left_[job], job);
    if (!mine.open && (mine.line.empty() || key < mine.line.top())) mine.open = true;
    mine.line.push(key);
    ++waiting_;
  }

  void pass() {
    evicted_.clear();
    std::size_t below = kClasses;
    for (;;) {
      std::size_t first = kClasses;
      for (std::size_t c = 0; c < below; ++c)
        if (classes_[c].open && !classes_[c].line.empty() &&
            (first == kClasses || classes_[c].line.top() < classes_[first].line.top()))
          first = c;
      if (first == kClasses) break;
      const Order key = classes_[first].line.top();
      const Job job = job_of(key);
      const unsigned gpus = jobs_.gpus[job];
      const bool free = free_.fits(gpus);
      if (free || find(gpus, order(now_ + left_[job], job))) {
        classes_[first].line.pop();
        --waiting_;
        if (!free)
          for (const Job victim : victims_) evict(victim);
        start(job, free);
        continue;
      }
      below = first;
      for (std::size_t c = first; c < kClasses; ++c) classes_[c].open = false;
    }
    for (const auto& [job, end] : evicted_) {
      if (planned_[job] == kNone) {
        ++run_.preemptions;
      } else {
        ++run_.migrations;
      }
    }
  }

  void evict(Job job) {
    evicted_.emplace_back(job, planned_[job]);
    left_[job] = planned_[job] - now_;
    release(job);
    push(job);
    const Order key = order(left_[job], job);
    for (Class& one : classes_)
      if (!one.open && !one.line.empty() && !(one.line.top() < key)) one.open = true;
  }

  /// On free GPUs by best fit, or on what find() chose.
  void start(Job job, bool free) {
    const unsigned gpus = jobs_.gpus[job];
    planned_[job] = now_ + left_[job];
    if (run_.start[job] == kNone) run_.start[job] = now_;
    if (gpus <= kGpus) {
      const Node node = free ? free_.best(gpus) : chosen_.front();
      places_.set(job, node);
      hold(job, node, gpus);
    } else {
      places_.clear(job);
      for (unsigned i = 0; i < gpus / kGpus; ++i) {
        const Node node = free ? free_.best(kGpus) : chosen_[i];
        places_.add(job, node);
        hold(job, node, kGpus);
      }
    }
    // Evicted and placed again in one pass: it has moved, and its event stands.
    for (const auto& [evicted, end] : evicted_)
      if (evicted == job) return;
    ends_.push(order(planned_[job], job));
  }

  void release(Job job) {
    const unsigned gpus = jobs_.gpus[job];
    if (gpus <= kGpus) {
      drop(job, places_.node(job), gpus);
    } else {
      places_.take_all(job, [&](Node node) { drop(job, node, kGpus); });
    }
    planned_[job] = kNone;
  }

  void hold(Job job, Node node, unsigned gpus) {
    free_.set(node, free_.free(node) - gpus);
    Held& held = nodes_[node];
    const Order key = order(planned_[job], job);
    std::size_t i = held.count++;
    for (; i > 0 && held.holders[i - 1].key < key; --i) held.holders[i] = held.holders[i - 1];
    held.holders[i] = {key, static_cast<std::uint8_t>(gpus)};
    touch(node);
  }

  void drop(Job job, Node node, unsigned gpus) {
    free_.set(node, free_.free(node) + gpus);
    Held& held = nodes_[node];
    std::size_t i = 0;
    while (job_of(held.holders[i].key) != job) ++i;
    for (--held.count; i < held.count; ++i) held.holders[i] = held.holders[i + 1];
    touch(node);
  }

  void touch(Node node) {
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      if ((nodes_[node].stale >> t & 1U) != 0) continue;
      nodes_[node].stale |= static_cast<std::uint8_t>(1U << t);
      trees_[t].stale.push_back(node);
    }
  }

  /// The earliest holder that must go when they go from the latest on, until `gpus` are free.
  Order critical(Node node, unsigned gpus) const {
    const Held& held = nodes_[node];
    unsigned free = free_.free(node);
    if (free >= gpus) return kNobody;
    for (std::size_t i = 0;; ++i) {
      free += held.holders[i].gpus;
      if (free >= gpus) return held.holders[i].key;
    }
  }

  Tree& tree(unsigned gpus) {
    const auto t = static_cast<std::size_t>(std::countr_zero(gpus));
    Tree& mine = trees_[t];
    for (const Node node : mine.stale) {
      nodes_[node].stale &= static_cast<std::uint8_t>(~(1U << t));
      mine.set(node, critical(node, gpus));
    }
    mine.stale.clear();
    return mine;
  }

  /// Fills chosen_ and victims_, if holders later than `me` suffice.
  bool find(unsigned gpus, Order me) {
    chosen_.clear();
    victims_.clear();
    return gpus <= kGpus ? find_on_one(gpus, me) : find_on_many(gpus / kGpus, me);
  }

  bool find_on_one(unsigned gpus, Order me) {
    const Tree& nodes = tree(gpus);
    const Node node = nodes.winners[1];
    if (!(nodes.keys[node] > me)) return false;
    chosen_.push_back(node);
    const Held& held = nodes_[node];
    std::size_t last = 0;  // one past the holders that may go
    unsigned over = free_.free(node);
    while (over < gpus) over += held.holders[last++].gpus;
    over -= gpus;
    while (last-- > 0) {  // from the earliest on: spared if the job fits without it
      if (over >= held.holders[last].gpus) {
        over -= held.holders[last].gpus;
      } else {
        victims_.push_back(job_of(held.holders[last].key));
      }
    }
    std::ranges::reverse(victims_);
    return true;
  }

  bool find_on_many(unsigned count, Order me) {
    Tree& nodes = tree(kGpus);
    hidden_.clear();
    bool found = true;
    while (chosen_.size() < count) {
      const Node node = nodes.winners[1];
      const Order key = nodes.keys[node];
      found = key > me;
      if (!found) break;
      chosen_.push_back(node);
      hidden_.push_back(key);
      nodes.set(node, 0);
    }
    for (std::size_t i = chosen_.size(); i-- > 0;) nodes.set(chosen_[i], hidden_[i]);
    if (!found) return false;
    keys_.clear();
    for (const Node node : chosen_)  // whole nodes: nobody there can be spared
      for (std::size_t i = 0; i < nodes_[node].count; ++i)
        keys_.push_back(nodes_[node].holders[i].key);
    std::ranges::sort(keys_, std::greater{});
    keys_.erase(std::ranges::unique(keys_).begin(), keys_.end());
    for (const Order key : keys_) victims_.push_back(job_of(key));
    return true;
  }

  const Synthetic& jobs_;
  FloorRun run_;
  Time now_ = 0;
  std::vector<Time> left_;     // at the last start or eviction
  std::vector<Time> planned_;  // end while it holds GPUs
  FreeGpus free_;
  Places places_;
  Heap ends_;
  std::vector<Held> nodes_;
  std::array<Tree, 4> trees_;  // for 1, 2, 4 and 8 GPUs
  std::array<Class, kClasses> classes_;
  std::int64_t waiting_ = 0;
  std::vector<std::pair<Job, Time>> evicted_;  // in this pass
  std::vector<Node> chosen_;
  std::vector<Job> victims_;
  std::vector<Order> hidden_, keys_;
};

}  // namespace

FloorRun run_floor(FloorPolicy policy, const Synthetic& jobs) {
  switch (policy) {
    case FloorPolicy::fifo:
      return run_in_order<false>(jobs);
    case FloorPolicy::sjf:
      return run_in_order<true>(jobs);
    case FloorPolicy::srtf:
      break;
  }
  return Srtf{jobs}.run();
}

std::uint64_t schedule_checksum(const FloorRun& run) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < run.start.size(); ++i)
    sum = mix(mix(sum, static_cast<std::uint64_t>(run.start[i])),
              static_cast<std::uint64_t>(run.end[i]));
  return sum;
}

}  // namespace orrery::bench
