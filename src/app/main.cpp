// From arguments to an exit code. The subcommands stand in files of their names.
#include "app/command_line.hpp"
#include "app/commands.hpp"

#include "orrery/base/error.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

int main(int argc, char** argv) {
  using namespace orrery;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of writing, told as such
  int code = app::kFault;
  const char* prefix = "";
  std::string message;
  try {
    return app::run_command_line({argv, argv + argc});
  } catch (const UsageError& error) {
    code = app::kUsage;
    message = error.what();
  } catch (const InputError& error) {
    code = app::kInput;
    message = error.what();
  } catch (const EnvironmentError& error) {
    code = app::kEnvironment;
    message = error.what();
  } catch (const std::bad_alloc&) {
    code = app::kEnvironment;
    message = "out of memory";
  } catch (const Fault& error) {
    message = error.what();
  } catch (const std::exception& error) {
    prefix = "fault in Orrery: ";
    message = error.what();
  }
  std::fprintf(stderr, "%s%s\n", prefix, message.c_str());
  return code;
}
