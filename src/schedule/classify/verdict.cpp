// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/verdict.h"

#include <algorithm>
#include <map>
#include <set>

namespace genesys::schedule {
namespace {

bool is_pointer_of_launch(base::kind what) { return what == base::kind::parameter || what == base::kind::global; }

// What the accesses of a kernel mean for its verdict.
class judge {
 public:
  judge(const module& all, const function& one, const summary& known, kernel_verdict& into)
      : all_(all), one_(one), known_(known), into_(into) {}

  void decide() {
    lay_out_parameters();
    find_definite_pointers();
    into_.is_write_set_known = true;
    into_.tells_others = known_.tells_others;
    for (const access& each : known_.accesses) note(each);
    find_clobbers();
    take_reasons();
    into_.is_idempotent = std::none_of(into_.reasons.begin(), into_.reasons.end(),
                                       [](const reason& each) { return each.what != reason::against::preemption; });
    into_.is_preemptible = std::all_of(into_.reasons.begin(), into_.reasons.end(), [](const reason& each) {
      return each.what == reason::against::idempotence || each.what == reason::against::nondeterminism;
    });
  }

 private:
  void say(reason::against what, std::string text, std::uint32_t line, std::string_view in) {
    into_.reasons.push_back({what, std::move(text), line, std::string(in)});
  }

  // As CUDA lays them out: each at a multiple of its alignment.
  void lay_out_parameters() {
    std::uint64_t offset = 0;
    for (int index : one_.parameters) {
      const variable& each = all_.variables[index];
      const std::uint64_t align = std::max(1U, each.align);
      offset = (offset + align - 1) / align * align;
      into_.parameters.push_back({std::string(each.name), offset, each.bytes});
      offset += each.bytes;
    }
  }

  static bool is_candidate(const part& one) { return one.how == strength::full && is_pointer_of_launch(one.of.what); }

  // Where an address is the sum of several parameters, those that are the only candidate elsewhere are pointers, and
  // the others are indices. The launch looks at their values.
  void find_definite_pointers() {
    for (const access& each : known_.accesses) {
      for (const term& one : each.target.terms) {
        const part* only = nullptr;
        int candidates = 0;
        for (const part& it : one) {
          if (it.of.what == base::kind::global && it.how == strength::full) definite_.insert(it.of);
          if (!is_candidate(it)) continue;
          only = &it;
          ++candidates;
        }
        if (candidates == 1) definite_.insert(only->of);
      }
    }
    for (std::size_t i = 0; i < one_.parameters.size(); ++i) {
      if (all_.variables[one_.parameters[i]].is_pointer) {
        definite_.insert({base::kind::parameter, static_cast<std::int32_t>(i), 0});
      }
    }
  }

  std::string spelled(const base& of) const {
    if (of.what == base::kind::global) return "the variable " + std::string(all_.variables[of.index].name);
    std::string text = "parameter " + std::to_string(of.index);
    if (of.offset > 0) text += "+" + std::to_string(of.offset);
    return text;
  }

  pointer_use& use_of(const base& of) {
    const auto [found, is_new] = uses_.try_emplace(of, static_cast<int>(into_.uses.size()));
    if (is_new) into_.uses.push_back({of.index, of.offset});
    return into_.uses[found->second];
  }

  void note(const access& one) {
    const bool writes = one.what != access::kind::read;
    auto& all = writes ? into_.writes : into_.reads;
    if (one.target.terms.empty()) note_unknown(one);
    for (const term& each : one.target.terms) {
      if (!one.is_written_before && std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
      note(one, each);
    }
  }

  void note(const access& one, const term& address) {
    bool has_definite = false, has_base = false, is_unknown = may_be_difference(address), is_own = false;
    bool has_loaded = false, has_scaled_pointer = false;
    for (const part& each : address) {
      has_loaded |= each.of.what == base::kind::loaded;
      has_scaled_pointer |= each.how == strength::scaled && definite_.count(each.of) > 0;
      if (each.how != strength::full) continue;
      has_definite |= definite_.count(each.of) > 0;
      has_base |= is_candidate(each);
      is_own |= !one.is_global_space && (each.of.what == base::kind::shared || each.of.what == base::kind::local);
      is_own |= one.what == access::kind::read &&
                (each.of.what == base::kind::constant || each.of.what == base::kind::parameter_address);
      is_unknown |= each.of.what == base::kind::loaded || each.of.what == base::kind::anything ||
                    each.of.what == base::kind::formal;
    }
    is_unknown |= has_loaded && has_scaled_pointer;  // perhaps a difference
    if (is_unknown || (!has_base && !is_own)) return note_unknown(one);
    for (const part& each : address) {
      if (!is_pointer_of_launch(each.of.what) || each.how == strength::half) continue;
      const bool is_index = each.how == strength::scaled || has_definite || is_own;
      if (is_index && !definite_.count(each.of)) {
        if (each.of.what == base::kind::parameter) use_of(each.of).is_index = true;
        continue;
      }
      note(one, each.of);
    }
  }

  void note(const access& one, const base& of) {
    if (of.what == base::kind::global) {
      note_symbol(one, of);
    } else {
      pointer_use& use = use_of(of);
      use.is_read |= one.what == access::kind::read && !one.is_written_before;
      use.is_read_back |= one.is_written_before;
      use.is_written |= one.what == access::kind::write;
      use.has_atomics |= one.what == access::kind::atomic;
    }
    auto& first = one.what == access::kind::read ? first_read_ : first_write_;
    if (!one.is_written_before) first.try_emplace(of, &one);
    if (one.what == access::kind::atomic && atomics_told_.insert(of).second) {
      say(reason::against::idempotence, "an atomic changes what it reads, in the memory of " + spelled(of), one.line,
          one.in);
    }
  }

  void note_symbol(const access& one, const base& of) {
    auto& names = one.what == access::kind::read ? into_.symbols_read : into_.symbols_written;
    const std::string name(all_.variables[of.index].name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    if (one.what == access::kind::write && symbols_told_.insert(of).second) {
      say(reason::against::idempotence, "writes " + spelled(of), one.line, one.in);
    }
  }

  void note_unknown(const access& one) {
    if (one.what == access::kind::read) {
      if (!one.is_written_before && !unknown_read_) unknown_read_ = &one;
      return;
    }
    if (into_.is_write_set_known) {
      say(reason::against::both, "writes through an address that does not come from a parameter alone", one.line,
          one.in);
    }
    into_.is_write_set_known = false;
  }

  void find_clobbers() {
    for (const auto& [of, read] : first_read_) {
      const auto write = first_write_.find(of);
      if (write == first_write_.end() || write->second->what == access::kind::atomic) continue;
      say(reason::against::idempotence,
          "reads the memory of " + spelled(of) + " (line " + std::to_string(read->line) + ") and writes it",
          write->second->line, write->second->in);
    }
    if (unknown_read_ && writes_anything()) {
      say(reason::against::idempotence,
          "reads through an address that does not come from a parameter alone, or a texture, and writes memory",
          unknown_read_->line, unknown_read_->in);
    }
    for (const auto& [read_of, read] : first_read_) {
      for (const auto& [write_of, write] : first_write_) {
        if (read_of == write_of || read_of.what != base::kind::parameter || write_of.what != base::kind::parameter)
          continue;
        into_.must_be_separate.push_back({uses_.at(read_of), uses_.at(write_of)});
      }
    }
  }

  bool writes_anything() const { return !into_.writes.empty() || !into_.is_write_set_known; }

  void take_reasons() {
    for (const problem& each : all_.problems) {
      say(reason::against::both, "the module: " + each.text, each.at.line, "");
    }
    std::set<std::pair<std::string, std::uint32_t>> told;
    for (const reason& each : known_.reasons) {
      if (each.what == reason::against::nondeterminism && !writes_anything()) continue;
      if (told.insert({each.text, each.line}).second) into_.reasons.push_back(each);
    }
    if (std::any_of(into_.reasons.begin(), into_.reasons.end(),
                    [](const reason& each) { return each.what == reason::against::both; })) {
      into_.is_write_set_known = false;
    }
  }

  const module& all_;
  const function& one_;
  const summary& known_;
  kernel_verdict& into_;
  std::set<base> definite_, atomics_told_, symbols_told_;
  std::map<base, int> uses_;
  std::map<base, const access*> first_read_, first_write_;
  const access* unknown_read_ = nullptr;
};

}  // namespace

std::vector<kernel_verdict> classify(const module& all) {
  std::vector<kernel_verdict> result;
  summaries functions(all);
  for (const function& one : all.functions) {
    if (!one.is_entry) continue;
    kernel_verdict verdict;
    verdict.name = one.name;
    verdict.line = one.at.line;
    summary known = summary_of(one, functions);
    if (!one.has_body) {
      known.reasons.push_back({reason::against::both, "its code is not in this module", one.at.line, verdict.name});
    }
    judge(all, one, known, verdict).decide();
    result.push_back(std::move(verdict));
  }
  return result;
}

std::vector<kernel_verdict> classify(std::string_view ptx) { return classify(parse_ptx(ptx)); }

}  // namespace genesys::schedule
