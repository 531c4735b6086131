// SPDX-License-Identifier: Apache-2.0
#include "schedule_rewrite.h"

#include <fstream>
#include <ostream>
#include <sstream>

#include "kernel_names.h"
#include "printable.h"
#include "schedule/rewrite/rewrite.h"

namespace genesys::command {
namespace {

using schedule::kernel_rewrite;
using schedule::poll;

void print_parameters(std::ostream& to, const kernel_rewrite& kernel) {
  to << "    " << kernel.own_parameters << " parameters of its own, " << kernel.own_bytes << " bytes; then ";
  if (kernel.timed_ends > 0) to << "block_times at byte " << kernel.times_offset;
  if (kernel.made == schedule::variant::timed_loops) to << " and ";
  if (kernel.made != schedule::variant::timed) to << "launch_context at byte " << kernel.context_offset;
  to << "\n";
}

void print_kernel(std::ostream& to, const kernel_rewrite& kernel) {
  to << demangled(kernel.name) << "\n    variant: " << spelled(kernel.made);
  if (kernel.made != kernel.asked) to << " (asked: " << spelled(kernel.asked) << ")";
  to << "; " << kernel.instructions << " instructions";
  if (kernel.inserted > 0) to << " and " << kernel.inserted << " inserted";
  if (kernel.made != schedule::variant::timed) {
    to << ", " << kernel.loops << (kernel.loops == 1 ? " loop" : " loops");
  }
  to << "\n";
  if (kernel.made != schedule::variant::none) print_parameters(to, kernel);
  for (const poll& each : kernel.polls) {
    to << "    line " << each.line << ": " << spelled(each.what);
    if (each.every > 1 && each.what == poll::kind::vote) to << ", in one of " << each.every << " passes";
    if (each.every > 1 && each.what != poll::kind::vote)
      to << ", looks at the clock every " << each.every << " iterations";
    if (each.is_outside) to << ", in a loop around them";
    if (!each.looks) to << ", with what another poll has loaded";
    to << "\n";
  }
  if (kernel.timed_ends > 0) {
    to << "    measures the time of sampled blocks at " << kernel.timed_ends
       << (kernel.timed_ends == 1 ? " end\n" : " ends\n");
  }
  for (const schedule::not_polled& each : kernel.refused) {
    to << "    ";
    if (each.line > 0) to << "line " << each.line << ": ";
    to << (kernel.asked == schedule::variant::timed ? "not measured: " : "no poll: ") << printable(each.why) << "\n";
  }
}

}  // namespace

int rewrite_kernels(std::ostream& to, std::ostream& errors, const asked_rewrite& asked) {
  std::ifstream file(asked.file, std::ios::binary);
  std::ostringstream whole;
  whole << file.rdbuf();  // (of a folder, nothing)
  const std::string ptx = whole.str();
  if (!file || ptx.empty()) {
    errors << "genesys: cannot read '" << asked.file << "', or it is empty\n";
    return 1;
  }
  schedule::variant wanted = schedule::variant::loops;
  for (const auto each : {schedule::variant::entry, schedule::variant::timed, schedule::variant::timed_loops}) {
    if (asked.variant == spelled(each)) wanted = each;
  }
  const schedule::rewritten made = schedule::rewrite(ptx, [&](const schedule::kernel_verdict& kernel) {
    return is_named(kernel.name, asked.kernel) ? wanted : schedule::variant::none;
  });
  int found = 0;
  for (const kernel_rewrite& kernel : made.kernels) {
    if (!is_named(kernel.name, asked.kernel)) continue;
    print_kernel(to, kernel);
    ++found;
  }
  if (found == 0) {
    errors << "genesys: '" << asked.file << "' has no " << (asked.kernel.empty() ? "kernel" : "such kernel") << "\n";
    return 1;
  }
  if (asked.output.empty()) return 0;
  std::ofstream output(asked.output, std::ios::binary);
  output << made.ptx;
  if (!output.flush()) {
    errors << "genesys: cannot write '" << asked.output << "'\n";
    return 1;
  }
  return 0;
}

}  // namespace genesys::command
