#include "app/command_line.hpp"

#include "app/command_docs.hpp"
#include "app/manifest.hpp"
#include "app/plugins.hpp"
#include "app/snapshot.hpp"
#include "report/json_parts.hpp"

#include "orrery/api/version.hpp"
#include "orrery/base/error.hpp"
#include "orrery/report/result_folder.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace orrery::app {
namespace {

/// The settings of one command as CLI11 gathers them: texts, which the table makes sense of.
class SettingsOptions {
 public:
  SettingsOptions(CLI::App& command, std::string_view name, bool traces_only = false)
      : name_{name} {
    for (const SettingEntry& entry : setting_table()) {
      if (!entry.is_of(name)) continue;
      if (traces_only && !about_traces(entry)) continue;
      add(command, entry);
    }
    if (traces_only) return;
    command.add_option("--config", config_, "settings from a JSON file; the command line wins")
        ->option_text("FILE")
        ->group("Settings");
    command.add_option("--write-config", write_config_, "write these settings to a file and stop")
        ->option_text("FILE")
        ->group("Settings");
  }

  /// Those of a run that goes on from a snapshot.
  Settings resumed(const std::string& snapshot) const {
    if (!config_.empty())
      throw UsageError("--config does not go with --resume: a snapshot has its own settings");
    return resumed_settings(snapshot, texts_);
  }
  Settings settings(Settings settings = {}) const {
    if (!config_.empty()) apply_file(config_, settings);
    apply(texts_, settings);
    return settings;
  }
  /// True when the settings were written and nothing else is asked for.
  bool wrote_config(const Settings& settings) const {
    if (write_config_.empty()) return false;
    write_text(write_config_, json_text(settings_json(settings, name_)));
    return true;
  }

 private:
  static bool about_traces(const SettingEntry& entry) {
    return (entry.group == "Input" && entry.name != "cluster" && entry.name != "policy") ||
           entry.name == "json";
  }

  void add(CLI::App& command, const SettingEntry& entry) {
    const std::string flag = fmt::format("--{}", entry.name);
    const std::string help{entry.help};
    CLI::Option* option = nullptr;
    if (entry.value.empty()) {
      option = command.add_flag_callback(
          flag, [this, &entry] { texts_[entry.name] = {"true"}; }, help);
    } else {
      option = command
                   .add_option_function<Arguments>(
                       flag, [this, &entry](const Arguments& given) { texts_[entry.name] = given; },
                       help)
                   ->option_text(std::string{entry.value})
                   ->expected(1)
                   ->allow_extra_args(false);
      option->multi_option_policy(entry.many ? CLI::MultiOptionPolicy::TakeAll
                                             : CLI::MultiOptionPolicy::Throw);
    }
    option->group(std::string{entry.group});
  }

  std::string_view name_;
  SettingTexts texts_;
  std::string config_, write_config_;
};

/// The command that the words so far have led to, and how many words that took.
std::pair<const CLI::App*, std::size_t> deepest(const CLI::App& root) {
  const CLI::App* command = &root;
  std::size_t depth = 0;
  for (; !command->get_subcommands().empty(); ++depth) command = command->get_subcommands().front();
  return {command, depth};
}

/// "unknown option '--polcy' (did you mean '--policy'?)" for what was left over on a command line.
[[noreturn]] void refuse(const CLI::App& root, const std::string& word) {
  const CLI::App* command = deepest(root).first;
  std::vector<std::string> known;
  const bool option = word.starts_with('-');
  if (option) {
    for (const CLI::Option* one : command->get_options())
      for (const std::string& name : one->get_lnames()) known.push_back("--" + name);
  } else {
    for (const CLI::App* one : command->get_subcommands(nullptr)) known.push_back(one->get_name());
  }
  const std::string spelled = word.substr(0, word.find('='));
  throw UsageError(fmt::format("unknown {} {}{}",
                               option          ? "option"
                               : known.empty() ? "argument"
                                               : "command",
                               quote(spelled), did_you_mean(spelled, known)));
}

struct Talk {
  bool quiet = false;
  std::string progress = "auto";

  void add_to(CLI::App& command) {
    command.add_flag("--quiet", quiet, "no notices, no progress")->group("Talk");
    command.add_option("--progress", progress, "auto (a bar on a terminal), plain or none")
        ->option_text("MODE")
        ->group("Talk");
  }
  Console console() const {
    const Arguments known{"auto", "plain", "none"};
    if (std::find(known.begin(), known.end(), progress) == known.end())
      throw UsageError(fmt::format("--progress: {} is none of auto, plain, none{}", quote(progress),
                                   did_you_mean(progress, known)));
    return {quiet, progress == "auto"    ? ProgressMode::automatic
                   : progress == "plain" ? ProgressMode::plain
                                         : ProgressMode::none};
  }
};

/// The whole tree. Each leaf leaves what it does in `action_`.
class CommandTree {
 public:
  explicit CommandTree(const Arguments& argv) : argv_{argv} {
    root_.require_subcommand(1);
    root_.set_version_flag("--version", fmt::format("Orrery {} ({})", version(), build_text()));
    root_.set_help_all_flag("--help-all", "the help of every command");
    root_.footer(
        "Exit codes: 0 done; 1 the result says no; 2 usage; 3 input data; 4 environment; 5 a "
        "fault; "
        "130, 143 interrupted.");
    add_run();
    add_compare();
    add_check();
    add_investigations();
    add_report();
    add_trace();
    add_policy();
    add_cluster();
    add_docs();
  }

  int run() {
    std::vector<std::string> words{argv_.rbegin(), argv_.rend() - 1};  // CLI11 wants them reversed
    try {
      root_.parse(words);
    } catch (const CLI::CallForHelp& help) {
      return root_.exit(help);
    } catch (const CLI::CallForAllHelp& help) {
      return root_.exit(help);
    } catch (const CLI::CallForVersion& told) {
      return root_.exit(told);
    } catch (const CLI::ExtrasError&) {
      refuse(root_, root_.remaining(true).front());
    } catch (const CLI::RequiredError& error) {
      refuse_command();
      throw UsageError(std::string{error.what()} + "; --help tells more");
    } catch (const CLI::ArgumentMismatch& error) {
      const std::string why = error.what(), option = why.substr(0, why.find(':'));
      if (why.find("missing") != std::string::npos) throw UsageError(option + " needs a value");
      if (why.find("At Most") != std::string::npos)
        throw UsageError(option + " is given more than once");
      throw UsageError(option + " takes no value");
    } catch (const CLI::ParseError& error) {
      throw UsageError(error.what());
    }
    const auto watchdog = load_plugins(plugins_);
    return action_();
  }

 private:
  void add_plugins(CLI::App& command) {
    command
        .add_option("--plugin", plugins_.paths,
                    "policies from a shared library; it runs with your rights")
        ->option_text("FILE.so")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->group("Plugins");
    command
        .add_option("--plugin-patience", plugins_.patience,
                    "how long one call into a plugin may take (default 10s)")
        ->option_text("D")
        ->group("Plugins");
  }

  /// CLI11 asks for a command where it does not know the one that was given.
  void refuse_command() const {
    const auto [command, depth] = deepest(root_);
    if (!command->get_subcommands(nullptr).empty() && argv_.size() > depth + 1)
      refuse(root_, argv_[depth + 1]);
  }

  CLI::App& leaf(CLI::App& parent, const std::string& name, const std::string& help,
                 std::function<int()> action) {
    CLI::App* command = parent.add_subcommand(name, help);
    command->callback([this, action = std::move(action)] { action_ = action; });
    return *command;
  }

  void add_run() {
    CLI::App& command = leaf(root_, "run", "one trace, one cluster, one policy", [this] {
      const Settings settings =
          resume_.empty() ? run_settings_->settings() : run_settings_->resumed(resume_);
      return run_settings_->wrote_config(settings) ? kDone
                                                   : app::run(settings, argv_, talk_.console());
    });
    run_settings_ = std::make_unique<SettingsOptions>(command, "run");
    add_plugins(command);
    command
        .add_option(
            "--resume", resume_,
            "goes on from a snapshot, with its settings; --policy names another policy from "
            "there on")
        ->option_text("SNAPSHOT")
        ->group("Input");
    talk_.add_to(command);
  }

  void add_compare() {
    CLI::App& command =
        leaf(root_, "compare", "several policies on one trace, side by side", [this] {
          const Settings settings = compare_settings_->settings();
          return compare_settings_->wrote_config(settings)
                     ? kDone
                     : app::compare(settings, argv_, talk_.console());
        });
    compare_settings_ = std::make_unique<SettingsOptions>(command, "compare");
    add_plugins(command);
    talk_.add_to(command);
  }

  void add_check() {
    CLI::App& command = leaf(root_, "check", "scenario files with expectations", [this] {
      return check_.minimize ? app::minimize(check_, talk_.console())
                             : app::check(check_, talk_.console());
    });
    command.add_option("PATH", check_.paths, "scenario files, or folders of them")->required();
    command.add_flag("--json", check_.json, "print JSON in place of text");
    add_plugins(command);
    command.add_flag("--update", check_.update,
                     "writes what was got into the files, and tells what moved");
    CLI::Option* minimize = command.add_flag(
        "--minimize", check_.minimize,
        "a scenario in which the same goes wrong, with as few jobs and GPUs as can be");
    command.add_option("-o,--out", check_.out, "where it goes; - is standard output (default)")
        ->option_text("FILE")
        ->needs(minimize);
    command.add_option("--junit", check_.junit, "the outcome as JUnit XML")->option_text("FILE");
    talk_.add_to(command);
  }

  void add_investigations() {
    CLI::App& again = leaf(root_, "reproduce", "a recorded run again: identical or not",
                           [this] { return app::reproduce(reproduce_, argv_, talk_.console()); });
    again.add_option("MANIFEST", reproduce_.manifest, "a result folder, or its manifest.json")
        ->required();
    again.add_option("--trace", reproduce_.trace, "where the trace lies now")->option_text("FILE");
    again.add_option("--out", reproduce_.out, "keeps the new result")->option_text("DIR");
    again.add_flag("--json", reproduce_.json, "print JSON in place of text");
    add_plugins(again);
    talk_.add_to(again);
    CLI::App& two = leaf(root_, "diff", "where two runs part: entry, job and field",
                         [this] { return app::diff(diff_, talk_.console()); });
    two.add_option("A", diff_.first, "a result folder, or its manifest.json")->required();
    two.add_option("B", diff_.second, "another")->required();
    two.add_flag("--files", diff_.files, "compare the files of both folders, and run nothing");
    two.add_flag("--json", diff_.json, "print JSON in place of text");
    add_plugins(two);
    talk_.add_to(two);
    add_explain();
  }

  /// The settings of a recorded run, with what the command line says in place of theirs; without a
  /// recorded run those of the command line.
  static Settings recorded(const std::string& result, const SettingsOptions& given) {
    if (result.empty()) return given.settings();
    Manifest manifest = read_manifest(result);
    use_trace(manifest, given.settings().trace);
    check_inputs(manifest);
    manifest.settings.json = false;
    return given.settings(manifest.settings);
  }

  void add_explain() {
    CLI::App& why = leaf(root_, "explain", "why a job waited, and for whom", [this] {
      return app::explain(recorded(result_, *explain_settings_), explain_, talk_.console());
    });
    why.add_option("JOB", explain_.job, "the job's id in the trace")->required();
    why.add_option("--result", result_, "a result folder, or its manifest.json: the run to explain")
        ->option_text("DIR");
    why.add_option("--row", explain_.row, "row of jobs.csv, where several jobs have the id")
        ->option_text("N");
    why.add_option("--ahead", explain_.ahead, "other jobs shown at once (default 5)")
        ->option_text("N");
    why.add_option("--stretches", explain_.stretches, "stretches of time shown (default 20)")
        ->option_text("N");
    explain_settings_ = std::make_unique<SettingsOptions>(why, "explain");
    add_plugins(why);
    talk_.add_to(why);
  }

  void add_report() {
    CLI::App& report =
        leaf(root_, "report", "a result as one HTML page", [this] { return app::report(report_); });
    report.add_option("DIR", report_.folder, "the folder of a run or a comparison")->required();
    report
        .add_option("-o,--out", report_.out, "the page (default report.html); - is standard output")
        ->option_text("FILE");
  }

  void add_trace() {
    CLI::App& trace = *root_.add_subcommand("trace", "look at traces and make them");
    trace.require_subcommand(1);
    CLI::App& info = leaf(trace, "info", "what a trace holds", [this] {
      Settings settings = info_settings_->settings();
      settings.trace = info_trace_;
      return app::trace_info(settings, info_gpus_, talk_.console());
    });
    info.add_option("FILE", info_trace_, "the trace; - is standard input")->required();
    info_settings_ = std::make_unique<SettingsOptions>(info, "run", true);
    info.add_option("--gpus", info_gpus_, "tells the load on a cluster of so many GPUs")
        ->option_text("N")
        ->check(CLI::Range(1, 64'000'000));
    talk_.add_to(info);

    CLI::App& make = leaf(trace, "generate", "a seeded trace in an original format",
                          [this] { return app::trace_generate(generate_); });
    make.add_option("--like", generate_.like, "philly or helios")->option_text("FORMAT");
    make.add_option("--jobs", generate_.jobs, "jobs that can be replayed")->option_text("N");
    make.add_option("--seed", generate_.seed, "of everything random")->option_text("N");
    make.add_option("--gpus", generate_.gpus, "the cluster that the load is stated for")
        ->option_text("N");
    make.add_option("--load", generate_.load, "GPU time asked for over GPU time there")
        ->option_text("X");
    make.add_option("-o,--out", generate_.out, "a file (.gz is compressed); - is standard output")
        ->option_text("FILE");
  }

  void add_policy() {
    CLI::App& policy = *root_.add_subcommand("policy", "what policies and placements there are");
    policy.require_subcommand(1);
    CLI::App& list = leaf(policy, "list", "all of them", [this] { return policy_list(json_); });
    list.add_flag("--json", json_, "print JSON in place of the table");
    add_plugins(list);
    CLI::App& show = leaf(policy, "show", "one policy: options, paper, fidelity",
                          [this] { return policy_show(name_, json_); });
    show.add_option("NAME", name_, "a policy")->required();
    show.add_flag("--json", json_, "print JSON in place of text");
    add_plugins(show);
    CLI::App& conform = leaf(policy, "conform", "whether a policy keeps its contract",
                             [this] { return app::conform(conform_); });
    conform.preparse_callback([this](std::size_t) { plugins_.watched = false; });
    add_plugins(conform);
    conform.add_option("SPEC", conform_.policy, "a policy with its options")->required();
    conform.add_option("--workloads", conform_.workloads, "random workloads (default 1000)")
        ->option_text("N");
    conform.add_option("--seed", conform_.seed, "of the workloads")->option_text("N");
    conform.add_flag("--json", conform_.json, "print JSON in place of text");
  }

  void add_cluster() {
    CLI::App& cluster = *root_.add_subcommand("cluster", "what clusters there are");
    cluster.require_subcommand(1);
    CLI::App& list = leaf(cluster, "list", "the presets", [this] { return cluster_list(json_); });
    list.add_flag("--json", json_, "print JSON in place of the table");
    CLI::App& show = leaf(cluster, "show", "one cluster: nodes, VCs, what is assumed",
                          [this] { return cluster_show(name_, json_); });
    show.add_option("CLUSTER", name_, "a preset, a shorthand such as 64x8, or a file")->required();
    show.add_flag("--json", json_, "print a cluster file");
  }

  void add_docs() {
    CLI::App& completion = leaf(root_, "completion", "a completion script for a shell", [this] {
      write_text("-", completion_script(docs_of(root_), name_));
      return kDone;
    });
    completion.add_option("SHELL", name_, "bash, zsh or fish")->required();
    leaf(root_, "man", "the manual page: orrery man | man -l -", [this] {
      write_text("-", manual_page(docs_of(root_)));
      return kDone;
    });
  }

  Arguments argv_;
  CLI::App root_{"Orrery: a discrete-event simulator of GPU-cluster scheduling", "orrery"};
  std::function<int()> action_;
  Talk talk_;
  std::unique_ptr<SettingsOptions> run_settings_, compare_settings_, info_settings_,
      explain_settings_;
  PluginOptions plugins_;
  CheckOptions check_;
  ConformOptions conform_;
  ReportOptions report_;
  ReproduceOptions reproduce_;
  DiffOptions diff_;
  ExplainOptions explain_;
  GenerateOptions generate_;
  std::string info_trace_, name_, result_, resume_;
  int info_gpus_ = 0;
  bool json_ = false;
};

}  // namespace

int run_command_line(const Arguments& argv) {
  return CommandTree{argv}.run();
}

}  // namespace orrery::app
