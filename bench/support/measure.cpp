// SPDX-License-Identifier: Apache-2.0
#include "support/measure.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace measure {
namespace {

using json = nlohmann::ordered_json;

double seconds_of(const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) / 1e6; }

template <class F>
numbers of_each(const costs& rounds, F value) {
  numbers all;
  all.reserve(rounds.size());
  for (const cost& one : rounds) all.push_back(value(one));
  return all;
}

json as_json(const numbers& rounds) {
  return {{"median", median(rounds)},
          {"low", quantile(rounds, 0)},
          {"high", quantile(rounds, 1)},
          {"rounds", rounds.size()}};
}

std::string as_text(const numbers& rounds, const char* unit) {
  char text[128];
  if (rounds.size() == 1) {
    std::snprintf(text, sizeof text, "%10.4g %s", rounds[0], unit);
  } else {
    std::snprintf(text, sizeof text, "%10.4g %s (%.4g to %.4g)", median(rounds), unit, quantile(rounds, 0),
                  quantile(rounds, 1));
  }
  return text;
}

}  // namespace

double seconds_since(clock::time_point begin) { return std::chrono::duration<double>(clock::now() - begin).count(); }

double quantile(numbers of, double share) {
  if (of.empty()) throw failure("a figure without a value");
  const auto at = static_cast<std::size_t>(share * static_cast<double>(of.size() - 1) + 0.5);
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(at), of.end());
  return of[at];
}

double median(numbers of) { return quantile(std::move(of), 0.5); }

cost timed(const std::function<void()>& what) {
  rusage before, after;
  ::getrusage(RUSAGE_SELF, &before);
  const auto begin = clock::now();
  what();
  const double seconds = seconds_since(begin);
  ::getrusage(RUSAGE_SELF, &after);
  return {seconds, seconds_of(after.ru_utime) - seconds_of(before.ru_utime),
          seconds_of(after.ru_stime) - seconds_of(before.ru_stime)};
}

numbers each_us(const costs& rounds, double count) {
  return of_each(rounds, [&](const cost& one) { return one.seconds / count * 1e6; });
}
numbers millions_per_second(const costs& rounds, double count) {
  return of_each(rounds, [&](const cost& one) { return count / one.seconds / 1e6; });
}
numbers gigabytes_per_second(const costs& rounds, double bytes) {
  return of_each(rounds, [&](const cost& one) { return bytes / one.seconds / 1e9; });
}
numbers user_cores(const costs& rounds) {
  return of_each(rounds, [](const cost& one) { return one.user_s / one.seconds; });
}
numbers system_cores(const costs& rounds) {
  return of_each(rounds, [](const cost& one) { return one.system_s / one.seconds; });
}

numbers scaled(numbers of, double by) {
  for (double& one : of) one *= by;
  return of;
}

numbers ratios(const numbers& of, const numbers& to) {
  numbers all;
  for (std::size_t i = 0; i < std::min(of.size(), to.size()); ++i) all.push_back(of[i] / to[i]);
  return all;
}

struct bench::parts {
  struct one_part {
    std::string name, what;
    std::function<void(bench&)> run;
  };
  std::string name;
  CLI::App app;
  bool quick = false;
  std::string json_file, device;
  std::vector<std::string> only;
  unsigned workers = 0, queues = 0;
  std::vector<one_part> each;
  std::optional<genesys::runtime> runtime;
  json kept;
};

bench::bench(std::string name, std::string about) : in_(std::make_unique<parts>()) {
  parts& p = *in_;
  p.name = name;
  p.app.name(name);
  p.app.description(about);
  p.app.add_flag("--quick", p.quick, "less of each: seconds, not minutes");
  p.app.add_option("--json", p.json_file, "write the figures to this file, too");
  p.app.add_option("--device", p.device, "cuda or cpu; without it, as in GENESYS_DEVICE")
      ->check(CLI::IsMember({"cuda", "cpu"}));
  p.app.add_option("--workers", p.workers, "threads that make calls");
  p.app.add_option("--queues", p.queues, "submission queues");
  p.kept = {{"bench", name},
            {"about", about},
            {"figures", json::object()},
            {"plots", json::object()},
            {"distributions", json::object()}};
}
bench::~bench() = default;

void bench::option(const char* flag, unsigned& into, const char* what) {
  in_->app.add_option(flag, into, what)->capture_default_str();
}
void bench::option(const char* flag, std::string& into, const char* what) {
  in_->app.add_option(flag, into, what)->capture_default_str();
}

void bench::part(const char* name, const char* what, std::function<void(bench&)> run) {
  in_->each.push_back({name, what, std::move(run)});
}

int bench::main(int argc, char** argv) {
  parts& p = *in_;
  std::vector<std::string> names;
  std::string list = "Parts:";
  for (const auto& one : p.each) {
    names.push_back(one.name);
    list += "\n  " + one.name + std::string(one.name.size() < 12 ? 14 - one.name.size() : 2, ' ') + one.what;
  }
  p.app.footer(list);
  p.app.add_option("--only", p.only, "run only these parts")->check(CLI::IsMember(names))->delimiter(',');
  try {
    p.app.parse(argc, argv);
  } catch (const CLI::ParseError& returned) {
    return p.app.exit(returned) == 0 ? 0 : 2;
  }
  try {
    p.kept["device"] = runtime().describe();
    p.kept["quick"] = p.quick;
    std::printf("%s\n", runtime().describe().c_str());
    for (const auto& one : p.each) {
      if (!p.only.empty() && std::find(p.only.begin(), p.only.end(), one.name) == p.only.end()) continue;
      std::printf("-- %s: %s\n", one.name.c_str(), one.what.c_str());
      std::fflush(stdout);
      one.run(*this);
    }
    p.runtime.reset();
    if (!p.json_file.empty()) {
      std::ofstream out(p.json_file);
      out << p.kept.dump(1) << '\n';
      if (!out.flush()) throw failure(p.json_file + " cannot be written");
    }
    return 0;
  } catch (const std::exception& caught) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", p.name.c_str(), caught.what());
    return 1;
  }
}

bool bench::quick() const { return in_->quick; }
bool bench::on_gpu() { return runtime().kind() == genesys::device_kind::cuda; }

genesys::options bench::runtime_options() const {
  genesys::options chosen;
  if (in_->device == "cuda") chosen.device = genesys::device_kind::cuda;
  if (in_->device == "cpu") chosen.device = genesys::device_kind::cpu;
  chosen.workers = in_->workers;
  chosen.queues = in_->queues;
  return chosen;
}

genesys::runtime& bench::runtime() {
  if (!in_->runtime) in_->runtime.emplace(runtime_options());
  return *in_->runtime;
}

void bench::keep(const std::string& name, const char* unit, const numbers& rounds) {
  std::printf("%-40s %s\n", name.c_str(), as_text(rounds, unit).c_str());
  std::fflush(stdout);
  json figure = as_json(rounds);
  figure["unit"] = unit;
  in_->kept["figures"][name] = std::move(figure);
}

void bench::keep_at(const std::string& plot, const std::string& line, const char* x_unit, double x, const char* unit,
                    const numbers& rounds) {
  std::printf("%-24s %-20s %8.6g %-8s %s\n", plot.c_str(), line.c_str(), x, x_unit, as_text(rounds, unit).c_str());
  std::fflush(stdout);
  json& all = in_->kept["plots"][plot];
  all["x_unit"] = x_unit;
  all["unit"] = unit;
  json point = as_json(rounds);
  point["x"] = x;
  all["lines"][line].push_back(std::move(point));
}

void bench::keep_each(const std::string& name, const char* unit, numbers values) {
  std::sort(values.begin(), values.end());
  json one{{"unit", unit}, {"count", values.size()}};
  std::printf("%-40s", name.c_str());
  for (const auto& [label, share] :
       {std::pair{"median", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1.0}}) {
    const double value = quantile(values, share);
    one[label] = value;
    std::printf(" %s %.4g", label, value);
  }
  std::printf(" %s\n", unit);
  std::map<int, std::size_t> bins;  // powers of 1.02
  for (const double value : values) {
    ++bins[static_cast<int>(std::ceil(std::log(std::max(value, 1e-9)) / std::log(1.02)))];
  }
  for (const auto& [power, count] : bins) one["bins"].push_back({std::pow(1.02, power), count});
  in_->kept["distributions"][name] = std::move(one);
}

}  // namespace measure
