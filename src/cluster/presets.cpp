// The built-in clusters. Sizes are facts of public traces and papers; what is guessed stands in
// `assumption`.
#include "orrery/cluster/topology.hpp"

#include <algorithm>

namespace orrery {
namespace {

struct Preset {
  std::string_view name;
  std::vector<NodeGroup> groups;
  std::vector<VcShare> vcs;
  std::string_view assumption;
};

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table{
      {"philly",
       {{321, 2, "12GB", 0}, {231, 8, "24GB", 1}},
       {},
       "the published machine list: 321 servers of 2 GPUs and 231 of 8, 2,490 GPUs; two recounts "
       "from the utilisation files "
       "find 3,205 and 3,918"},
      {"philly-352x8",
       {{352, 8, "", 0}},
       // In nodes of 8, as the authors of Helios replay Philly (HeliosArtifact, QSSF service).
       {{"6214e9", 512},
        {"7f04ca", 256},
        {"11cb48", 128},
        {"b436b2", 512},
        {"ee9e8c", 512},
        {"e13805", 128},
        {"6c71a0", 256},
        {"2869ce", 128},
        {"ed69ec", 64},
        {"103959", 64},
        {"0e4a51", 256}},
       "352 nodes of 8 in 11 VCs, as the authors of Helios replay Philly; an estimate, not a list "
       "by Microsoft"},
      {"helios-venus",
       {{133, 8, "V100-SXM2-32GB", 0}},
       // GPUs of each VC on 2020-09-01 (HeliosData, cluster_gpu_number.csv).
       {{"vcEwI", 72},
        {"vcWoR", 64},
        {"vcHvQ", 64},
        {"vcvGl", 160},
        {"vc8Gr", 48},
        {"vcKeu", 96},
        {"vcKrE", 32},
        {"vcYVn", 88},
        {"vchbv", 32},
        {"vcLTP", 64},
        {"vcJLV", 16},
        {"vchA3", 24},
        {"vcJsw", 200},
        {"vcefl", 80},
        {"vcvlY", 16},
        {"vcgkz", 8}},
       "1,064 GPUs and their VCs on 2020-09-01; 968 to 1,264 over the trace. That all nodes are "
       "V100 is from memory"},
      {"helios-earth",
       {{143, 8, "V100-SXM2-32GB", 0}},
       {},
       "1,144 GPUs on 2020-09-01; 784 to 1,232 over the trace. That all nodes are V100 is from "
       "memory"},
      {"helios-saturn",
       {{262, 8, "Pascal or Volta", 0}},
       {},
       "2,096 GPUs, from memory of the paper's table 1; the split of the two GPU generations is "
       "not published"},
      {"helios-uranus",
       {{264, 8, "Pascal", 0}},
       {},
       "2,112 GPUs, from memory of the paper's table 1"},
      {"acme-seren",
       {{286, 8, "A100-SXM4-80GB", 0}},
       {},
       "2,288 GPUs; the split of Acme's 4,704 GPUs over its two clusters is from memory and adds "
       "up"},
      {"acme-kalos",
       {{302, 8, "A100-SXM4-80GB", 0}},
       {},
       "2,416 GPUs; the split of Acme's 4,704 GPUs over its two clusters is from memory and adds "
       "up"},
      {"openb",
       {{2, 1, "A10", 0},
        {549, 8, "G2", 0},
        {39, 8, "G3", 0},
        {131, 2, "P100", 0},
        {3, 1, "P100", 0},
        {387, 2, "T4", 0},
        {17, 4, "T4", 0},
        {28, 4, "V100M16", 0},
        {19, 1, "V100M16", 0},
        {8, 8, "V100M16", 0},
        {21, 8, "V100M32", 0},
        {9, 4, "V100M32", 0}},
       {},
       "the 1,213 nodes with GPUs of Alibaba's 2023 trace, 6,212 GPUs (310 CPU nodes left out); G2 "
       "and G3 are hidden names"},
      {"pai",
       {{798, 2, "P100", 0},
        {497, 2, "T4", 0},
        {280, 8, "MISC", 0},
        {135, 8, "V100M32", 0},
        {104, 8, "V100", 0}},
       {},
       "the 1,814 machines with GPUs of Alibaba's 2020 machine table, 6,742 GPUs (83 CPU machines "
       "left out); MISC hides several types"}};
  return table;
}

}  // namespace

std::vector<std::string> cluster_preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

std::optional<Topology> cluster_preset(std::string_view name) {
  const auto found = std::ranges::find(presets(), name, &Preset::name);
  if (found == presets().end()) return std::nullopt;
  return Topology{std::string{name}, found->groups, found->vcs, std::string{found->assumption}};
}

}  // namespace orrery
