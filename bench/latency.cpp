// SPDX-License-Identifier: Apache-2.0
// How long one call takes. Blocking getppid from one thread is compared with the floor: a ping-pong through pinned
// memory, and the time that Linux itself takes. Then every call by the GPU's own clock; and then by scope, order and
// wait (GENESYS, ISCA 2018, section V and Figure 8).
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "genesys/genesys.h"
#include "latency/kernels.h"
#include "support/cached_file.h"
#include "support/measure.h"
#include "support/native_threads.h"
#include "support/ping_pong.h"
#include "support/run.h"
#include "support/times.h"
#include "support/wait_modes.h"
#include "support/wrongs.h"

namespace latency {
namespace {

using measure::bench;
using measure::numbers;

// The floor of a call, round by round: a ping-pong, and the native call.
numbers least_of(const numbers& trip_us, const numbers& native_us) {
  numbers sum;
  for (std::size_t i = 0; i < trip_us.size(); ++i) sum.push_back(trip_us[i] + native_us[i]);
  return sum;
}

void call(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.on_gpu() ? (all.quick() ? 5000 : 20000) : (all.quick() ? 2000 : 20000);
  const baseline::wrongs wrong(rt);
  const long parent = ::getppid();
  baseline::ping_pong floor(rt);
  const unsigned delay = floor.best_delay(calls / 10);
  const auto rounds = bench::by_turns(
      7, [&] { floor(calls); }, [&] { (void)baseline::ask_natively(calls); },
      [&] { genesys::launch(rt, {}, ask_parent{}, calls, parent, wrong.on_device()).drain(); },
      [&] { genesys::launch(rt, {}, ask_parent_plain{}, calls, parent, wrong.on_device()).drain(); },
      [&] { floor.least(calls, delay); });
  wrong.none();
  numbers us[5];
  for (int i = 0; i < 5; ++i) us[i] = measure::each_us(rounds[i], calls);
  const numbers least = least_of(us[0], us[1]);
  all.keep("ping_pong", "us", us[0]);
  all.keep("getppid_native", "us", us[1]);
  all.keep("getppid", "us", us[2]);
  all.keep("getppid_to_ping_pong", "ratio", measure::ratios(us[2], us[0]));
  all.keep("getppid_to_floor", "ratio", measure::ratios(us[2], least));
  all.keep("syscall_getppid", "us", us[3]);
  all.keep("syscall_getppid_to_floor", "ratio", measure::ratios(us[3], least));
  all.keep("least_ping_pong", "us", us[4]);
  all.keep("getppid_to_least_floor", "ratio", measure::ratios(us[2], least_of(us[4], us[1])));
  all.keep("syscall_getppid_to_least_floor", "ratio", measure::ratios(us[3], least_of(us[4], us[1])));
  all.keep("getppid_user_cores", "cores", measure::user_cores(rounds[2]));
  all.keep("getppid_system_cores", "cores", measure::system_cores(rounds[2]));
}

bool read_natively(int fd, unsigned bytes, unsigned calls) {
  baseline::word got[8] = {};
  for (unsigned i = 0, at = 0; i < calls; ++i) {
    if (::pread(fd, got, bytes, static_cast<off_t>(8ul * at)) != static_cast<ssize_t>(bytes)) return false;
    at = static_cast<unsigned>(got[0] % read_in_chain::words_in_chain);
  }
  return true;
}

// A read waits for the one before, because it needs its value.
void reads(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.on_gpu() ? (all.quick() ? 5000 : 20000) : (all.quick() ? 2000 : 20000);
  const baseline::wrongs wrong(rt);
  const baseline::cached_file file(1u << 20);
  rt.grant(file.fd());
  auto* const into = static_cast<u64*>(rt.allocate_device(64));
  baseline::ping_pong floor(rt);
  const unsigned delay = floor.best_delay(calls / 10);
  const auto read = [&](unsigned bytes, u64* to) {
    genesys::launch(rt, {}, read_in_chain{}, file.fd(), bytes, calls, to, wrong.on_device()).drain();
  };
  const auto rounds = bench::by_turns(
      7, [&] { floor(calls); }, [&] { floor.least(calls, delay); }, [&] { (void)read_natively(file.fd(), 8, calls); },
      [&] { (void)read_natively(file.fd(), 64, calls); }, [&] { read(8, into); }, [&] { read(8, nullptr); },
      [&] { read(64, into); });
  wrong.none();
  numbers us[7];
  for (int i = 0; i < 7; ++i) us[i] = measure::each_us(rounds[i], calls);
  all.keep("pread_8_native", "us", us[2]);
  all.keep("pread_64_native", "us", us[3]);
  const std::string names[] = {"pread_8", "pread_8_private", "pread_64"};
  for (int i = 0; i < 3; ++i) {
    const numbers& native = us[i == 2 ? 3 : 2];
    all.keep(names[i], "us", us[4 + i]);
    all.keep(names[i] + "_to_floor", "ratio", measure::ratios(us[4 + i], least_of(us[0], native)));
    all.keep(names[i] + "_to_least_floor", "ratio", measure::ratios(us[4 + i], least_of(us[1], native)));
  }
  rt.free_device(into);
  rt.revoke(file.fd());
}

void distribution(bench& all) {
  genesys::runtime& rt = all.runtime();
  const unsigned calls = all.on_gpu() ? (all.quick() ? 10000 : 50000) : (all.quick() ? 2000 : 20000);
  const baseline::wrongs wrong(rt);
  baseline::times took(rt, calls);
  baseline::ping_pong floor(rt);
  numbers trips, asked, medians, tails;
  for (int round = -1; round < (all.quick() ? 5 : 15); ++round) {
    floor(calls, &took);
    const numbers trip = took.us();
    genesys::launch(rt, {}, ask_and_time{}, calls, static_cast<long>(::getppid()), took.on_device(), wrong.on_device())
        .drain();
    const numbers ask = took.us();
    if (round < 0) continue;  // not counted
    trips.insert(trips.end(), trip.begin(), trip.end());
    asked.insert(asked.end(), ask.begin(), ask.end());
    medians.push_back(measure::median(ask) / measure::median(trip));
    tails.push_back(measure::quantile(ask, 0.999) / measure::quantile(trip, 0.999));
  }
  wrong.none();
  all.keep_each("ping_pong_each", "us", trips);
  all.keep_each("getppid_each", "us", asked);
  all.keep("getppid_median_to_ping_pong", "ratio", medians);
  all.keep("getppid_p999_to_ping_pong", "ratio", tails);
}

// --- Every scope, order and wait.

// Every legal form of the call, one round after another.
class forms {
 public:
  explicit forms(bench& all)
      : rt_(all.runtime()), calls_(all.on_gpu() ? (all.quick() ? 1000 : 5000) : (all.quick() ? 50 : 500)) {
    const unsigned threads = all.on_gpu() ? 256 : 64;
    add<genesys::thread, order::strong>("thread_strong", {});
    add_orders<genesys::warp>("warp", {.threads = {32}});
    add_orders<genesys::block>("block", {.threads = {threads}});
    add_relaxed<genesys::grid>("grid", {.blocks = {all.on_gpu() ? 32u : 2u}, .threads = {threads}});
  }
  ~forms() { rt_.free_device(met_); }
  forms(const forms&) = delete;
  forms& operator=(const forms&) = delete;

  void keep_in(bench& all, int rounds) {
    for (int i = 0; i <= rounds; ++i) {
      for (form& one : all_) {
        one.once(one);
        if (i == 0) one.us.clear(), one.others_us.clear();
      }
    }
    wrong_.none();
    for (const form& one : all_) {
      all.keep(one.name, "us", one.us);
      if (&one != &all_[0]) all.keep(one.name + "_to_thread", "ratio", measure::ratios(one.us, all_[0].us));
      if (!one.others_us.empty()) all.keep(one.name + "_others", "us", one.others_us);
    }
  }

 private:
  struct form {
    std::string name;
    std::function<void(form&)> once;
    numbers us, others_us;  // the median of each round
  };

  template <class Scope>
  void add_orders(const std::string& name, const genesys::launch_config& shape) {
    add<Scope, order::strong>(name + "_strong", shape);
    add_relaxed<Scope>(name, shape);
  }
  template <class Scope>
  void add_relaxed(const std::string& name, const genesys::launch_config& shape) {
    add<Scope, order::producer>(name + "_producer", shape);
    add<Scope, order::consumer>(name + "_consumer", shape);
  }
  template <class Scope, order o>
  void add(const std::string& name, const genesys::launch_config& shape) {
    const auto one = [this, shape]<wait w>(form& of) { round<Scope, o, w>(of, shape); };
    all_.push_back({name + "_blocking", [one](form& of) { one.template operator()<wait::blocking>(of); }, {}, {}});
    all_.push_back({name + "_ticket", [one](form& of) { one.template operator()<wait::ticket>(of); }, {}, {}});
    all_.push_back({name + "_posted", [one](form& of) { one.template operator()<wait::posted>(of); }, {}, {}});
  }

  template <class Scope, order o, wait w>
  void round(form& of, const genesys::launch_config& shape) {
    took_.clear();
    others_.clear();
    rt_.fill_device(met_, 0, sizeof(unsigned));
    const auto failed = rt_.stats().posted_failed;
    genesys::launch(rt_, shape, ask_on<Scope, o, w>{}, calls_, static_cast<long>(::getppid()), took_.on_device(),
                    others_.on_device(), met_, wrong_.on_device())
        .drain();
    if (rt_.stats().posted_failed != failed) throw measure::failure("posted calls failed");
    of.us.push_back(measure::median(took_.us()));
    const double others = measure::median(others_.us());
    if (others > 0) of.others_us.push_back(others);
  }

  genesys::runtime& rt_;
  const unsigned calls_;
  const baseline::wrongs wrong_{rt_};
  baseline::times took_{rt_, calls_}, others_{rt_, calls_};
  unsigned* const met_ = static_cast<unsigned*>(rt_.allocate_device(sizeof(unsigned)));
  std::vector<form> all_;
};

// --- How lanes wait.

// The number of random bytes that take Linux this long.
unsigned bytes_for(char* buffer, double us) {
  constexpr unsigned probe = 256 << 10;
  numbers each_us;
  for (int i = 0; i < 9; ++i) {
    each_us.push_back(1e6 * measure::timed([&] {
                              if (::syscall(SYS_getrandom, buffer, probe, 0) != probe)
                                throw measure::failure("getrandom fails");
                            }).seconds);
  }
  return std::max(1u, static_cast<unsigned>(us / measure::median(each_us) * probe));
}

// A call by one thread, a warp, a block, and by each thread of a block: a short one, and longer ones.
void wait_modes(bench& all) {
  genesys::runtime& rt = all.runtime();
  constexpr unsigned long_us[] = {0, 20, 200, 2000}, bytes_max = 8 << 20;
  const unsigned calls_max = all.on_gpu() ? 1000 : 50, threads = all.on_gpu() ? 256 : 64;
  const baseline::wrongs wrong(rt);
  char* const buffer = static_cast<char*>(rt.allocate_arena(bytes_max));
  const auto once = [&]<class Scope>(Scope, unsigned shape, measure::wait_mode how, unsigned calls, unsigned bytes) {
    baseline::times took(rt, calls);
    genesys::launch(rt, {.threads = {shape}}, ask_in_manner<Scope>{}, how, calls, bytes, buffer,
                    bytes == 0 ? static_cast<long>(::getppid()) : static_cast<long>(bytes), took.on_device(),
                    wrong.on_device())
        .drain();
    return measure::median(took.us());
  };
  const struct {
    const char* name;
    std::function<double(measure::wait_mode, unsigned, unsigned)> once;
  } forms[] = {
      {"thread", [&](auto... how) { return once(genesys::thread(), 1, how...); }},
      {"warp", [&](auto... how) { return once(genesys::warp(), 32, how...); }},
      {"block", [&](auto... how) { return once(genesys::block(), threads, how...); }},
      {"each_thread", [&](auto... how) { return once(genesys::thread(), threads, how...); }},
  };
  for (const unsigned us : long_us) {
    const unsigned bytes = us == 0 ? 0 : std::min(bytes_max, bytes_for(buffer, us));
    const unsigned calls = us == 0 ? calls_max : std::clamp(calls_max * 20 / us, 5u, calls_max);
    for (const auto& form : forms) {
      const bool is_each = &form == &forms[3];
      if (is_each && us > 20) continue;  // longer calls wait for workers
      numbers took[std::size(measure::wait_modes)];
      for (int round = -1; round < (all.quick() ? 3 : 7); ++round) {
        for (const measure::wait_mode how : measure::wait_modes) {
          const double one = form.once(how, is_each ? std::max(5u, calls / 10) : calls, bytes);
          if (round >= 0) took[static_cast<unsigned>(how)].push_back(one);
        }
      }
      const std::string what = form.name + (us == 0 ? "_getppid_" : "_" + std::to_string(us) + "us_");
      for (const measure::wait_mode how : measure::wait_modes) {
        const numbers& mine = took[static_cast<unsigned>(how)];
        all.keep(what + name_of(how), "us", mine);
        if (all.on_gpu() && how != measure::wait_mode::back_off)
          all.keep(what + name_of(how) + "_to_back_off", "ratio", measure::ratios(mine, took[0]));
      }
    }
  }
  wrong.none();
  rt.free_arena(buffer);
}

}  // namespace
}  // namespace latency

int main(int argc, char** argv) {
  measure::bench all("latency", "How long one call takes, beside its floor.");
  all.part("call", "blocking getppid from one thread, against a ping-pong and the native call", latency::call);
  all.part("reads", "a chain of pread64 of 8 and 64 bytes by one thread, against a ping-pong and the native call",
           latency::reads);
  all.part("distribution", "every call and every ping-pong by the kernel's own clock", latency::distribution);
  all.part("scopes",
           "getppid by scope, order and wait: the time until its result (posted: until it is published), and "
           "until the other threads go on; medians",
           [](measure::bench& in) { latency::forms(in).keep_in(in, in.quick() ? 3 : 7); });
  all.part("wait_modes", "calls that take 0, 20, 200, 2000 us, by wait strategy and by scope; medians",
           latency::wait_modes);
  return baseline::run(all, argc, argv);
}
