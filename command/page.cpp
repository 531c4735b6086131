// SPDX-License-Identifier: Apache-2.0
// The page on a call (reference.h), from the table's texts and the call's plan.
#include <sstream>

#include "genesys/detail/table/generated/plans.h"
#include "reference.h"

namespace genesys::command {
namespace {

using detail::call_plan;

constexpr std::size_t width = 80;

// Fills lines with words: the first line after `begin`, the others after `indent` blanks.
std::string filled(const std::string& begin, const std::string& words, std::size_t indent) {
  std::istringstream in(words);
  std::string all, line = begin, word;
  bool empty = true;
  while (in >> word) {
    if (!empty && line.size() + 1 + word.size() > width) {
      all += line + "\n";
      line = std::string(indent, ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  return all + line + "\n";
}

class writer {
 public:
  void section(const char* title) { text_ += (text_.empty() ? "" : "\n") + std::string(title) + "\n"; }
  void say(const std::string& words) { text_ += filled("    ", words, 4); }
  void note(const std::string& words) { text_ += filled("        ", words, 8); }
  void item(std::string name, const std::string& words) {
    name.resize(13, ' ');
    text_ += filled("    " + name, words, 17);
  }
  void code(const std::string& words) { text_ += filled("    ", words, 12); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

bool any_arg(const call_plan& plan, bool (*is)(const detail::arg_plan&)) {
  for (const auto& arg : plan.args) {
    if (is(arg)) return true;
  }
  return false;
}
bool is_written(const detail::arg_plan& arg) {
  return is_pointer(arg) && (arg.dir == detail::direction::out || arg.dir == detail::direction::inout);
}
bool is_staged(const detail::arg_plan& arg) { return is_pointer(arg) && !arg.shared; }
bool is_shared(const detail::arg_plan& arg) { return arg.shared; }
bool leads_somewhere(const detail::arg_plan& arg) { return is_pointer(arg); }
bool is_descriptor(const detail::arg_plan& arg) { return arg.kind == detail::arg_kind::fd; }

void say_numbers(writer& to, const reference& r) {
  const auto number = [](int n) { return n < 0 ? std::string("none") : std::to_string(n); };
  to.say("Number " + number(r.numbers[0]) + " on x86-64, " + number(r.numbers[1]) + " on arm64.");
}

void say_class(writer& to, const reference& r) {
  to.section("CLASS");
  switch (r.in_class) {
    case call_class::ready:
      to.say("ready: works as on the CPU.");
      break;
    case call_class::changed:
      to.say(std::string("changed: ") + r.reason + ".");
      break;
    case call_class::hardware:
      to.say(std::string("hardware: needs changes to GPUs, since ") + r.reason + ". It is -EOPNOTSUPP.");
      break;
    case call_class::unsupported:
      to.say(std::string("unsupported: ") + r.reason + ". It is -EOPNOTSUPP.");
      break;
  }
  if (*r.paper != 0) to.say(std::string("The GENESYS papers judge otherwise: ") + r.paper + ".");
}

void say_scopes(writer& to, const call_plan& plan) {
  to.section("SCOPES, ORDER, WAITING");
  using detail::role;
  to.say(
      "Made by a thread (os), or once for a scope: os.on(warp()), os.on(block()), os.on(grid()).relaxed(). All "
      "threads of the scope call it with equal arguments, and get the same result.");
  if (plan.role == role::producer)
    to.say("Producer: in relaxed order threads outside the leader's warp do not wait for it, and get -EINPROGRESS.");
  if (plan.role == role::consumer)
    to.say("Consumer: in relaxed order the first thread to arrive makes it, before the others arrive.");
  if (plan.role == role::none)
    to.say("It has no role: relaxed order needs one, relaxed(genesys::producer()) or relaxed(genesys::consumer()).");
  if (any_arg(plan, is_written))
    to.say("With a ticket the kernel waits for it later. It cannot be posted, since Linux writes to memory.");
  else
    to.say("With a ticket the kernel waits for it later; posted, never.");
  if (plan.waits != detail::readiness::none)
    to.say("While its descriptor is not ready, it is parked: it waits without a thread of the host.");
  if (plan.timer) to.say("It is parked on a timer: it waits without a thread of the host.");
  if (plan.split) to.say("More than 128 KiB of staged memory is moved in pieces of 128 KiB, one after another.");
  if (plan.quiet) to.say("No other thread can tell that it was made, so it is made without a fence.");
}

void say_how(writer& to, const call_plan& plan) {
  if (plan.own_thread) to.say("It changes the OS thread that makes it, so a thread of its own makes it, and ends.");
  if (plan.all_threads) to.say("It changes all threads of the host's process, by the C library's function.");
  if (plan.mappings) to.say("genesys makes it, because it knows what kernels have mapped: docs/memory.md.");
  if (plan.mapped) to.say("Its memory is within one mapping that a kernel made.");
  if (any_arg(plan, is_shared))
    to.say(
        "Memory that is used by both sides at the same time has to be addressed by both: the arena, or what is "
        "pinned or registered with CUDA.");
}

void say_errors(writer& to, const call_plan& plan, bool has_variants) {
  to.section("ERRORS OF GENESYS (all others are Linux's)");
  if (any_arg(plan, leads_somewhere))
    to.item("-EFAULT",
            "a pointer leads to memory that neither side can address; in a grid call, to shared or private memory");
  if (any_arg(plan, is_staged))
    to.item("-ENOBUFS",
            "what only the device addresses is more than 2 MiB together, and the call is made in one piece");
  if (any_arg(plan, is_descriptor)) to.item("-EBADF", "also: a descriptor is one of genesys's own");
  if (plan.excepts_count != 0) to.item("-EOPNOTSUPP", "an option whose value has addresses");
  if (has_variants) to.item("-EOPNOTSUPP", "a variant that the table does not have");
  if (plan.mapped) to.item("-ENOMEM", "the memory is none that a kernel has mapped");
  to.item("-EAGAIN", "also: too many calls wait, a warp has too many tickets, or too many grid calls are in flight");
  to.item("-ECANCELED", "the runtime has ended");
}

}  // namespace

std::string page(std::span<const reference> call) {
  writer to;
  const reference& first = call.front();
  to.section("NAME");
  to.say(std::string(first.base) + (call.size() == 1 ? std::string(" - ") + first.text : " - see each below"));
  say_numbers(to, first);
  if (first.is_callable()) {
    to.section("IN A KERNEL");
    for (const reference& r : call) {
      to.code(std::string("os.") + r.method);
      if (call.size() > 1) to.note(r.text);
      std::istringstream notes(r.notes);
      for (std::string note; std::getline(notes, note);) to.note(note);
    }
    to.say(std::string("Result: ") + first.result + ", or -errno.");
  }
  const std::string reason = first.reason;
  bool all_alike = true;
  for (const reference& r : call) all_alike &= r.reason == reason && r.in_class == first.in_class;
  say_class(to, first);
  if (!all_alike) to.say("(Its variants differ: see 'genesys man' with the name of one.)");
  if (first.is_callable()) {
    const call_plan& plan = detail::plans[first.plan];
    say_scopes(to, plan);
    say_how(to, plan);
    say_errors(to, plan, plan.is_variant);
  }
  to.section("SEE ALSO");
  to.say(std::string(first.base) + "(2), docs/semantics.md, table/" + first.domain + ".sys");
  return to.take();
}

}  // namespace genesys::command
