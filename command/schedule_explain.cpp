// SPDX-License-Identifier: Apache-2.0
#include "schedule_explain.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <sstream>
#include <vector>

#include "kernel_names.h"
#include "printable.h"
#include "schedule/classify/verdict.h"
#include "schedule/program/elf_sections.h"
#include "schedule/program/fatbin.h"

namespace genesys::command {
namespace {

using schedule::kernel_verdict;
using schedule::pointer_use;
using schedule::reason;

// The kernels of one text in PTX, or of machine code without PTX.
struct found {
  unsigned architecture = 0;  // 0: not known
  std::vector<kernel_verdict> kernels;
  std::vector<std::string> machine_code_only;
  std::string problem;  // this part of the file cannot be read
};

std::vector<found> look_into(std::string_view bytes) {
  if (!schedule::is_elf(bytes) && !schedule::is_fatbin(bytes)) {
    found only;
    only.kernels = schedule::classify(bytes);
    return {only};
  }
  std::vector<found> result;
  std::set<std::string> with_ptx, in_machine_code;
  const auto entries = schedule::is_elf(bytes) ? schedule::entries_of_program(bytes) : schedule::entries_of(bytes);
  for (const schedule::fatbin_entry& entry : entries) {
    if (!entry.problem.empty()) {
      result.push_back({entry.architecture, {}, {}, entry.problem});
    } else if (entry.what == schedule::fatbin_entry::kind::ptx) {
      found one{entry.architecture, schedule::classify(std::string_view(entry.contents)), {}, {}};
      for (const kernel_verdict& kernel : one.kernels) with_ptx.insert(kernel.name);
      if (!one.kernels.empty()) result.push_back(std::move(one));
    } else if (entry.what == schedule::fatbin_entry::kind::cubin) {
      for (std::string& name : schedule::kernels_of_cubin(entry.contents)) in_machine_code.insert(std::move(name));
    }
  }
  if (schedule::is_elf(bytes) && entries.empty()) {  // a cubin is an ELF file, too
    for (std::string& name : schedule::kernels_of_cubin(bytes)) in_machine_code.insert(std::move(name));
  }
  found rest;
  std::set_difference(in_machine_code.begin(), in_machine_code.end(), with_ptx.begin(), with_ptx.end(),
                      std::back_inserter(rest.machine_code_only));
  if (!rest.machine_code_only.empty()) result.push_back(std::move(rest));
  return result;
}

std::string spelled(const pointer_use& use) {
  return std::to_string(use.parameter) + (use.offset > 0 ? "+" + std::to_string(use.offset) : "");
}

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
  return text;
}

// `parameters 0, 2+8; variables counter`, or nothing.
template <class condition>
std::string memory_of(const kernel_verdict& kernel, const std::vector<std::string>& symbols, condition counts) {
  std::vector<std::string> uses, names;
  for (const pointer_use& use : kernel.uses) {
    if (counts(use)) uses.push_back(spelled(use));
  }
  for (const std::string& name : symbols) names.push_back(printable(name));
  std::string text;
  if (!uses.empty()) text = (uses.size() == 1 ? "parameter " : "parameters ") + listed(uses);
  if (!names.empty()) text += (text.empty() ? "" : "; ") + std::string("variables ") + listed(names);
  return text;
}

bool is_write(const pointer_use& use) { return use.is_written || use.has_atomics; }
bool is_read(const pointer_use& use) { return use.is_read || use.is_read_back || use.has_atomics; }

const char* verdict_of(const kernel_verdict& kernel) {
  if (kernel.is_idempotent && kernel.is_preemptible) return "idempotent: abort it, run it again";
  if (kernel.is_preemptible) return "not idempotent: abort it, restore its write set, run it again";
  return kernel.is_idempotent ? "idempotent, but not preemptible: let it end" : "not preemptible: let it end";
}

void print_kernel(std::ostream& to, const kernel_verdict& kernel) {
  to << "  " << demangled(kernel.name) << "\n    " << verdict_of(kernel) << "\n";
  for (const schedule::separate& pair : kernel.must_be_separate) {
    if (!kernel.is_idempotent) break;
    to << "    if parameters " << spelled(kernel.uses[pair.read]) << " (read) and "
       << spelled(kernel.uses[pair.written]) << " (written) point to different allocations\n";
  }
  const auto indices = memory_of(kernel, {}, [](const pointer_use& use) { return use.is_index; });
  if (kernel.is_idempotent && !indices.empty()) to << "    if " << indices << " is no pointer, but an index\n";
  for (const reason& each : kernel.reasons) {
    to << "    line " << each.line << ": " << printable(each.text);
    if (!each.in.empty() && each.in != kernel.name) to << ", in " << demangled(each.in);
    to << "\n";
  }
  const std::string reads = memory_of(kernel, kernel.symbols_read, is_read);
  const std::string writes = memory_of(kernel, kernel.symbols_written, is_write);
  if (!reads.empty()) to << "    reads  " << reads << "\n";
  to << "    writes " << (writes.empty() ? kernel.is_write_set_known ? "nothing" : "" : writes)
     << (kernel.is_write_set_known ? ""
         : writes.empty()          ? "what is not known"
                                   : ", and what is not known")
     << "\n";
}

void print_text(std::ostream& to, const found& part) {
  if (!part.problem.empty()) to << "cannot be read: " << part.problem << "\n";
  if (!part.kernels.empty()) {
    to << "PTX";
    if (part.architecture > 0) to << " for sm_" << part.architecture;
    to << "\n";
  }
  for (const kernel_verdict& kernel : part.kernels) print_kernel(to, kernel);
  if (part.machine_code_only.empty()) return;
  to << "machine code without PTX: let them end\n";
  for (const std::string& name : part.machine_code_only) to << "  " << demangled(name) << "\n";
}

const char* spelled(reason::against what) {
  switch (what) {
    case reason::against::preemption:
      return "preemptible";
    case reason::against::both:
      return "both";
    default:
      return "idempotent";
  }
}

nlohmann::ordered_json json_of(const kernel_verdict& kernel, unsigned architecture) {
  nlohmann::ordered_json one;
  one["kernel"] = printable(kernel.name);
  one["name"] = demangled(kernel.name);
  one["ptx"] = true;
  if (architecture > 0) one["architecture"] = architecture;
  one["line"] = kernel.line;
  one["idempotent"] = kernel.is_idempotent;
  one["preemptible"] = kernel.is_preemptible;
  one["write_set_known"] = kernel.is_write_set_known;
  one["pointers"] = nlohmann::ordered_json::array();
  for (const pointer_use& use : kernel.uses) {
    one["pointers"].push_back({{"parameter", use.parameter},
                               {"offset", use.offset},
                               {"read", use.is_read},
                               {"read_back", use.is_read_back},
                               {"written", use.is_written},
                               {"atomics", use.has_atomics},
                               {"index", use.is_index}});
  }
  one["must_be_separate"] = nlohmann::ordered_json::array();
  for (const schedule::separate& pair : kernel.must_be_separate) {
    one["must_be_separate"].push_back(
        {{"read", spelled(kernel.uses[pair.read])}, {"written", spelled(kernel.uses[pair.written])}});
  }
  for (const auto& [key, names] :
       {std::pair{"variables_read", &kernel.symbols_read}, {"variables_written", &kernel.symbols_written}}) {
    one[key] = nlohmann::ordered_json::array();
    for (const std::string& name : *names) one[key].push_back(printable(name));
  }
  one["reasons"] = nlohmann::ordered_json::array();
  for (const reason& each : kernel.reasons) {
    one["reasons"].push_back({{"against", spelled(each.what)},
                              {"text", printable(each.text)},
                              {"line", each.line},
                              {"function", printable(each.in)}});
  }
  return one;
}

void print_json(std::ostream& to, const std::vector<found>& all) {
  nlohmann::ordered_json result;
  result["kernels"] = nlohmann::ordered_json::array();
  result["problems"] = nlohmann::ordered_json::array();
  for (const found& part : all) {
    for (const kernel_verdict& kernel : part.kernels) result["kernels"].push_back(json_of(kernel, part.architecture));
    for (const std::string& name : part.machine_code_only) {
      result["kernels"].push_back({{"kernel", printable(name)}, {"name", demangled(name)}, {"ptx", false}});
    }
    if (!part.problem.empty()) result["problems"].push_back(part.problem);
  }
  to << result.dump(2) << "\n";
}

}  // namespace

int explain_kernels(std::ostream& to, std::ostream& errors, const asked_explain& asked) {
  std::ifstream file(asked.file, std::ios::binary);
  std::ostringstream whole;
  whole << file.rdbuf();  // (of a folder, nothing)
  const std::string bytes = whole.str();
  if (!file || bytes.empty()) {
    errors << "genesys: cannot read '" << asked.file << "', or it is empty\n";
    return 1;
  }
  std::vector<found> all = look_into(bytes);
  std::size_t kernels = 0, problems = 0;
  for (found& part : all) {
    std::erase_if(part.kernels, [&](const kernel_verdict& one) { return !is_named(one.name, asked.kernel); });
    std::erase_if(part.machine_code_only, [&](const std::string& name) { return !is_named(name, asked.kernel); });
    kernels += part.kernels.size() + part.machine_code_only.size();
    problems += !part.problem.empty();
  }
  if (kernels + problems == 0) {
    errors << "genesys: '" << asked.file << "' has no " << (asked.kernel.empty() ? "kernel" : "such kernel") << "\n";
    return 1;
  }
  if (asked.json) {
    print_json(to, all);
  } else {
    for (const found& part : all) print_text(to, part);
  }
  return problems > 0 ? 1 : 0;
}

}  // namespace genesys::command
