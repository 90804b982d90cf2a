// Two result folders, file by file: the first value that differs.
#pragma once

#include "report/json_parts.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::app {

/// Where two results part. Texts come from data.
struct FileDifference {
  std::string file;           ///< "jobs.csv"
  std::string job;            ///< id of the job whose row or event it is; empty: none
  std::size_t line;           ///< from 1; 0: the file has no lines that mean anything
  std::string field;          ///< column, key path, or "row" where one file has ended
  std::string first, second;  ///< the values; "nothing" for what is absent

  /// "jobs.csv, line 4, job 'j12', start_s".
  std::string place() const;
  Json json(const char* first_name, const char* second_name) const;
};

/// The names of the files of a folder that are part of a result, in the order in which they are
/// looked at: those that name a job first, manifest.json last.
std::vector<std::string> result_files(const std::filesystem::path& folder);

/// The first difference between two files of this name: rows and columns of a CSV file, lines and
/// keys of a (compressed) file of JSON lines, keys of a JSON file without what a run measures of
/// itself, bytes of anything else. Throws InputError for a file that cannot be understood.
std::optional<FileDifference> first_difference(const std::string& name,
                                               const std::filesystem::path& first,
                                               const std::filesystem::path& second);

}  // namespace orrery::app
