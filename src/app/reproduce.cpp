// orrery reproduce: a recorded run again, from its manifest; identical, or the first difference.
#include "app/carry_out.hpp"
#include "app/commands.hpp"
#include "app/manifest.hpp"
#include "app/result_difference.hpp"

#include "orrery/api/version.hpp"
#include "orrery/base/error.hpp"
#include "orrery/report/result_folder.hpp"
#include "orrery/report/summary_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace orrery::app {
namespace {

namespace fs = std::filesystem;

/// A folder for what nobody asked to keep.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "orrery-reproduce-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw EnvironmentError(
          fmt::format("{} cannot be made: {}", quote(name, 200), std::strerror(errno)));
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Verdict {
  std::vector<std::string> files;  ///< compared
  std::optional<FileDifference> difference;
};

/// Every file that the new run has written against the recorded one. A manifest that stands alone
/// is compared alone.
Verdict compare_folders(const Manifest& manifest, const fs::path& now) {
  const std::vector<std::string> written = result_files(now);
  const bool alone = std::ranges::none_of(written, [&](const std::string& name) {
    return name != "manifest.json" && fs::exists(manifest.folder() / name);
  });
  Verdict verdict;
  for (const std::string& name : written) {
    if (alone && name != "manifest.json") continue;
    verdict.files.push_back(name);
    const fs::path recorded = name == "manifest.json" ? manifest.file : manifest.folder() / name;
    if (fs::exists(recorded)) {
      verdict.difference = first_difference(name, recorded, now / name);
    } else {
      verdict.difference = FileDifference{.file = name,
                                          .job = {},
                                          .line = 0,
                                          .field = "the file",
                                          .first = "nothing",
                                          .second = "written"};
    }
    if (verdict.difference) break;
  }
  return verdict;
}

std::string text_of(const Manifest& manifest, const std::string& fingerprint,
                    const Verdict& verdict) {
  if (!verdict.difference)
    return fmt::format("identical: fingerprint {}; {}\n", fingerprint,
                       fmt::join(verdict.files, ", "));
  const FileDifference& difference = *verdict.difference;
  std::string text = fmt::format("not identical: {}: recorded {}, now {}\n", difference.place(),
                                 quote(difference.first), quote(difference.second));
  text += fmt::format("fingerprint   recorded {}, now {}\n", printable(manifest.fingerprint),
                      fingerprint);
  return text +
         fmt::format("version       recorded {}, now {}\n", printable(manifest.version), version());
}

Json json_of(const Manifest& manifest, const std::string& fingerprint, const Verdict& verdict) {
  return {{"identical", !verdict.difference},
          {"files", verdict.files},
          {"difference",
           verdict.difference ? verdict.difference->json("recorded", "now") : Json(nullptr)},
          {"fingerprint", {{"recorded", manifest.fingerprint}, {"now", fingerprint}}},
          {"version", {{"recorded", manifest.version}, {"now", version()}}}};
}

}  // namespace

int reproduce(const ReproduceOptions& options, const Arguments& argv, const Console& console) {
  Manifest manifest = read_manifest(options.manifest);
  use_trace(manifest, options.trace);
  check_inputs(manifest);
  std::optional<TemporaryFolder> unkept;
  if (options.out.empty()) unkept.emplace();
  Settings settings = manifest.settings;
  settings.out = unkept ? unkept->path().string() : options.out;
  settings.force = settings.json = false;
  const auto [prepared, result] = carry_out(settings, argv, console);
  if (result.stopped) return kSignal + StopSignals::received();
  const Verdict verdict = compare_folders(manifest, settings.out);
  const std::string fingerprint = fingerprint_text(result.summary.fingerprint);
  write_text("-", options.json ? json_text(json_of(manifest, fingerprint, verdict))
                               : text_of(manifest, fingerprint, verdict));
  return verdict.difference ? kSaysNo : kDone;
}

}  // namespace orrery::app
