// "name:key=value,key=value": how a user names a policy or a placement with its options.
#pragma once

#include "orrery/base/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// The options of one SPEC. Getters throw UsageError for a value of the wrong kind;
/// check_all_used() for a key nobody asked for.
class Options {
 public:
  Options() = default;
  Options(std::string owner, std::map<std::string, std::string> values)
      : owner_{std::move(owner)}, values_{std::move(values)} {}
  Duration duration(const std::string& key, Duration fallback) const;
  std::vector<Duration> durations(const std::string& key,
                                  std::vector<Duration> fallback) const;  ///< "3250s/7200s"
  std::int64_t integer(const std::string& key, std::int64_t fallback) const;
  double number(const std::string& key, double fallback) const;
  std::string word(const std::string& key, const std::vector<std::string>& allowed,
                   const std::string& fallback) const;
  bool has(const std::string& key) const { return values_.contains(key); }
  /// Throws UsageError naming the first unknown key and the nearest known one.
  void check_all_used() const;
  const std::string& owner() const { return owner_; }

 private:
  const std::string* find(const std::string& key) const;
  std::string owner_;
  std::map<std::string, std::string> values_;
  mutable std::set<std::string> asked_;
};

struct Spec {
  std::string text;  ///< as typed
  std::string name;
  std::map<std::string, std::string> values;
  Options options() const { return {name, values}; }
};

/// Throws UsageError for a SPEC without a name, a key without a value, or a key given twice.
/// A bare first word after the colon ("random:7", "noisy:0.5") is the value of `positional`, when
/// one is given.
Spec parse_spec(std::string_view text, std::string_view positional = {});

}  // namespace orrery
