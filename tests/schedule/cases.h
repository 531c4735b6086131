// SPDX-License-Identifier: Apache-2.0
// Kernels with the verdict that they must get, and why. classify_test.cpp checks each; mutation_test.cpp damages them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace genesys::schedule {

enum class expected {
  again,    // idempotent: aborted and run again as it is
  restore,  // not idempotent: its write set is restored before
  let_end   // not preemptible
};

struct kernel_case {
  std::string name;
  expected verdict;
  std::string why;
  std::string ptx;  // one kernel, and what it calls
};

inline void PrintTo(const kernel_case& one, std::ostream* to) { *to << one.name; }
inline void PrintTo(expected verdict, std::ostream* to) {
  *to << (verdict == expected::again ? "again" : verdict == expected::restore ? "restore" : "let_end");
}

// A kernel with the parameters a, b, c (pointers), n (32 bits) and s (a struct of three pointers) around this body.
// Before the body, in registers: %rd1, %rd2, %rd3 = a, b, c; %r1 = the thread; %rd4 = 4 * the thread;
// %rd5, %rd6, %rd7 = the thread's element of a, b, c. `before` stands before the kernel.
std::string with_prologue(const std::string& body, const std::string& before = "");

// By subject.
std::vector<kernel_case> origin_cases();   // where an address comes from
std::vector<kernel_case> clobber_cases();  // what is read and written, and in which order
std::vector<kernel_case> effect_cases();   // what cannot be undone, and who waits for whom
std::vector<kernel_case> spin_cases();     // loops that may wait, and loops that only look like it
std::vector<kernel_case> order_cases();    // what differs between two runs
std::vector<kernel_case> call_cases();     // functions

std::vector<kernel_case> all_cases();

}  // namespace genesys::schedule
