#include "app/isolated.hpp"

#include "app/console.hpp"

#include "orrery/base/error.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

namespace orrery::app {
namespace {

constexpr char kBeat = '.', kResult = '\n';

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// The child's side: beats, then the result behind a line break. Never returns.
[[noreturn]] void carry_out(const std::function<std::string(const std::function<void()>&)>& work,
                            int pipe) {
  int code = 0;
  try {
    const std::string result = work([pipe] { write_all(pipe, {&kBeat, 1}); });
    write_all(pipe, std::string{kResult} + result);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  _exit(code);  // what the parent has buffered is not written twice
}

/// Reads up to the end of the pipe; false when nothing came for too long or a signal did.
bool read_all(int pipe, std::chrono::milliseconds patience, std::string& text) {
  std::array<char, 4096> buffer{};
  pollfd waiting{.fd = pipe, .events = POLLIN, .revents = 0};
  for (;;) {
    const int ready = poll(&waiting, 1, static_cast<int>(patience.count()));
    if (ready < 0 && errno == EINTR && StopSignals::received() == 0) continue;
    if (ready <= 0) return false;
    const ssize_t got = read(pipe, buffer.data(), buffer.size());
    if (got <= 0) return true;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("it crashed: signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return fmt::format("it ended the program with code {}", WEXITSTATUS(status));
  return {};
}

}  // namespace

Isolated isolated(const std::function<std::string(const std::function<void()>& beat)>& work,
                  std::chrono::milliseconds patience) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    throw EnvironmentError(fmt::format("there can be no pipe: {}", std::strerror(errno)));
  const pid_t child = fork();
  if (child < 0)
    throw EnvironmentError(fmt::format("there can be no child process: {}", std::strerror(errno)));
  if (child == 0) {
    close(ends[0]);
    carry_out(work, ends[1]);
  }
  close(ends[1]);
  std::string text;
  const bool whole = read_all(ends[0], patience, text);
  close(ends[0]);
  if (!whole) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Isolated result;
  const std::size_t end = std::min(text.find(kResult), text.size());
  result.beats = end;
  if (!whole) {
    result.broke = fmt::format("it did not come back within {} s",
                               static_cast<double>(patience.count()) / 1000);
  } else {
    result.broke = ending(status);
    if (result.broke.empty() && end == text.size()) result.broke = "it ended the program";
  }
  if (result.broke.empty()) result.told = text.substr(end + 1);
  return result;
}

}  // namespace orrery::app
