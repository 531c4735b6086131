// SPDX-License-Identifier: Apache-2.0
// Values that servers of memcached's protocols give, by versions, and Debian's memcached.
#include <unistd.h>

#include <cstdio>

#include "applications/programs.h"
#include "support/child_program.h"

namespace applications {
namespace {

// What memcached-load says of a server: requests a second, and the median latency in microseconds.
std::pair<double, double> load(const std::string& port, const std::vector<std::string>& more) {
  std::vector<std::string> words{own("memcached-load"), port, "--bytes", "1024"};
  words.insert(words.end(), more.begin(), more.end());
  const std::string output = run(words).output;
  double rate = 0, latency = 0;
  if (std::sscanf(output.c_str(), "%lf requests/s, latency %lf us", &rate, &latency) != 2)
    throw failure("memcached-load says: " + output);
  return {rate, latency};
}

// The same with many requests under way, after all values were stored.
std::pair<double, double> load_with_many(const std::string& port, const std::string& keys) {
  load(port, {"--keys", keys, "--clients", "6", "--window", "32", "--seconds", "0.1"});
  return load(port, {"--keys", keys, "--keep", "--clients", "6", "--window", "32", "--seconds", "0.5"});
}

// GETs of 1 KiB from buckets of 1,024 items, by how a server searches them: the rate with many requests under way, and
// the latency of few. One server runs at a time, as for echo. `mebibytes`: of the items.
void memcached_by(bench& all, const std::string& search, const std::string& mebibytes) {
  struct kind {
    std::string name;
    std::vector<std::string> words;
    numbers rates, busy, latencies;
  };
  const auto by = [&](const char* how) {
    std::vector<std::string> words{own("memcached"), "-U", "0", "-I", "1072", "--depth", "1024", "--sockets", "4"};
    words.insert(words.end(), {"-m", mebibytes, "--search", search, "--by", how});
    return words;
  };
  std::vector<kind> kinds{
      {"kernel", by("kernel"), {}, {}, {}}, {"openmp", by("cpu"), {}, {}, {}}, {"vectors", by("vectors"), {}, {}, {}}};
#if defined(__CUDACC__)
  kinds.push_back({"without_calls", by("launches"), {}, {}, {}});
#endif
  const std::string port = "21217", keys = std::to_string(std::stoul(mebibytes) * 800);
  if (files::exists(chosen.memcached)) {
    kinds.push_back({"debian", {chosen.memcached, "-l", "127.0.0.1", "-p", "0", "-U", port, "-t", "16"}, {}, {}, {}});
    std::vector<std::string>& words = kinds.back().words;
    words.insert(words.end(), {"-m", std::to_string(2 * std::stoul(mebibytes))});
    if (::geteuid() == 0) words.insert(words.end(), {"-u", "nobody"});
  }
  for (unsigned i = 0; i < (all.quick() ? 1 : chosen.rounds); ++i) {
    for (kind& each : kinds) {
      measure::child_program one(each.words);
      const bool is_debians = each.name == "debian";
      if (is_debians) ::usleep(300'000);  // it says nothing when it is ready
      const std::string at = is_debians ? port : port_of(one.line().value_or(""));
      const auto many = load_with_many(at, keys);
      each.rates.push_back(many.first);
      each.busy.push_back(many.second);
      each.latencies.push_back(
          load(at, {"--keys", keys, "--keep", "--clients", "2", "--window", "4", "--seconds", "0.3"}).second);
    }
  }
  const std::string here = "memcached_" + search + "_" + mebibytes + "M";
  const numbers &rates = kinds[0].rates, &busy = kinds[0].busy, &latencies = kinds[0].latencies;
  for (const kind& each : kinds) {
    all.keep(here + ", " + each.name, "1/s", each.rates);
    all.keep(here + ", " + each.name + ", latency at that rate", "us", each.busy);
    all.keep(here + ", " + each.name + ", latency of 8 requests", "us", each.latencies);
    if (&each == &kinds[0]) continue;
    all.keep(here + "_to_" + each.name, "ratio", measure::ratios(rates, each.rates));
    all.keep(here + "_busy_latency_to_" + each.name, "ratio", measure::ratios(each.busy, busy));
    all.keep(here + "_latency_to_" + each.name, "ratio", measure::ratios(each.latencies, latencies));
  }
}

}  // namespace

double memcached_rate(const std::string& port, const std::string& keys) { return load_with_many(port, keys).first; }

void memcached(bench& all) {
  for (const char* search : {"items", "tags"})
    for (const char* mebibytes : {"64", "1024"}) memcached_by(all, search, mebibytes);
}

}  // namespace applications
