// Runs the orrery program as its users do.
#pragma once

#include "support/scratch.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace orrery::test {

struct Said {
  int code = -1;  ///< the exit code; 128 + n when signal n ended it
  std::string out, err;
};

/// Starts the program in `folder` with its output in files there; the caller waits for it.
inline pid_t start_orrery(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder.c_str()) != 0 || std::freopen("/dev/null", "r", stdin) == nullptr ||
      std::freopen(".stdout", "w", stdout) == nullptr ||
      std::freopen(".stderr", "w", stderr) == nullptr)
    _exit(126);
  std::vector<char*> words{const_cast<char*>(ORRERY_PROGRAM)};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  execv(ORRERY_PROGRAM, words.data());
  _exit(127);
}

/// Runs it to its end. Paths in `arguments` may be relative to `scratch`.
inline Said orrery(const std::vector<std::string>& arguments, const Scratch& scratch) {
  int status = 0;
  waitpid(start_orrery(arguments, scratch.path()), &status, 0);
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          .out = read_whole(scratch.path() / ".stdout"),
          .err = read_whole(scratch.path() / ".stderr")};
}

/// "run --trace x.csv" as words.
inline std::vector<std::string> words(const std::string& line) {
  std::istringstream in{line};
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

}  // namespace orrery::test
