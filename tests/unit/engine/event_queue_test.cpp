#include "orrery/engine/event_queue.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace orrery {
namespace {

using namespace std::chrono_literals;

constexpr EventKind kCompletion = EventKind::of(Rank::completion, 0);
constexpr EventKind kTimer = EventKind::of(Rank::timer, 1);

auto order_of(const Event& event) {
  return std::tuple{event.time, event.kind.code, event.subject, event.stamp};
}

TEST(EventKind, RanksComeInTheOrderOfAnInstant) {
  const std::vector<Rank> ranks{Rank::completion, Rank::repair, Rank::capacity, Rank::failure,
                                Rank::arrival,    Rank::timer,  Rank::quantum,  Rank::round};
  for (std::size_t i = 0; i + 1 < ranks.size(); ++i) {
    EXPECT_LT(EventKind::of(ranks[i], 15), EventKind::of(ranks[i + 1], 0));
    EXPECT_EQ(EventKind::of(ranks[i], 15).rank(), ranks[i]);
  }
}

TEST(EventQueue, IsInTheOrderOfTimeKindSubjectAndStamp) {
  EventQueue queue;
  queue.push({.time = at(2s), .kind = kCompletion, .subject = 0, .stamp = 0});
  queue.push({.time = at(1s), .kind = kTimer, .subject = 0, .stamp = 0});
  queue.push({.time = at(1s), .kind = kCompletion, .subject = 7, .stamp = 2});
  queue.push({.time = at(1s), .kind = kCompletion, .subject = 7, .stamp = 1});
  queue.push({.time = at(1s), .kind = kCompletion, .subject = 3, .stamp = 9});
  EXPECT_EQ(queue.size(), 5U);
  EXPECT_EQ(queue.next_time(), at(1s));
  EXPECT_EQ(queue.next_kind(), kCompletion);
  EXPECT_EQ(queue.pop().subject, 3U);
  EXPECT_EQ(queue.pop().stamp, 1U);
  EXPECT_EQ(queue.pop().stamp, 2U);
  EXPECT_EQ(queue.next_kind(), kTimer);
  EXPECT_EQ(queue.pop().kind, kTimer);
  EXPECT_EQ(queue.pop().time, at(2s));
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.next_time(), kNever);
}

// Sixteen bytes hold every time, 8 bits of kind, 32 of subject and 24 of stamp; a stamp wraps.
TEST(EventQueue, KeepsEveryBit) {
  EventQueue queue;
  queue.push({.time = at(kLongestTime + kLongestTime),
              .kind = EventKind::of(Rank::round, 15),
              .subject = ~std::uint32_t{0},
              .stamp = Event::kStampMask + 6});
  const Event event = queue.pop();
  EXPECT_EQ(event.time, at(kLongestTime + kLongestTime));
  EXPECT_EQ(event.kind, EventKind::of(Rank::round, 15));
  EXPECT_EQ(event.subject, ~std::uint32_t{0});
  EXPECT_EQ(event.stamp, 5U);
}

// Pushes and pops in any mixture, against a sorted list.
TEST(EventQueue, AgreesWithASortedList) {
  EXPECT_TRUE(rc::check("sorted", [](const std::vector<std::uint32_t>& moves) {
    EventQueue queue;
    std::vector<Event> model;
    for (const std::uint32_t move : moves) {
      if (move % 3 == 0 && !model.empty()) {
        const auto least = std::ranges::min_element(model, {}, order_of);
        RC_ASSERT(queue.next_time() == least->time);
        RC_ASSERT(queue.next_kind() == least->kind);
        RC_ASSERT(order_of(queue.pop()) == order_of(*least));
        model.erase(least);
      } else {  // few times, kinds and subjects: many ties
        model.push_back({.time = at(Duration{move % 5}),
                         .kind = EventKind::of(Rank::timer, move / 5 % 3),
                         .subject = move / 15 % 4,
                         .stamp = move / 60 % 2});
        queue.push(model.back());
      }
      RC_ASSERT(queue.size() == model.size());
    }
    std::ranges::sort(model, {}, order_of);
    for (const Event& event : model) RC_ASSERT(order_of(queue.pop()) == order_of(event));
  }));
}

}  // namespace
}  // namespace orrery
