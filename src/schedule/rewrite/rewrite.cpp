// SPDX-License-Identifier: Apache-2.0
#include "schedule/rewrite/rewrite.h"

#include <algorithm>
#include <unordered_map>

#include "schedule/ptx/ptx_tokens.h"
#include "schedule/rewrite/abort_words.h"
#include "schedule/rewrite/poll_plan.h"
#include "schedule/rewrite/poll_text.h"
#include "schedule/rewrite/text_edit.h"
#include "schedule/rewrite/time_plan.h"
#include "schedule/rewrite/time_text.h"
#include "schedule/rewrite/time_words.h"
#include "schedule/rewrite/unchanged_code.h"

namespace genesys::schedule {
namespace {

// `9.0`: 900. 0: no version.
unsigned version_of(std::string_view text) {
  unsigned major = 0, minor = 0;
  std::size_t i = 0;
  for (; i < text.size() && i < 3 && text[i] >= '0' && text[i] <= '9'; ++i) major = major * 10 + (text[i] - '0');
  if (i == 0 || i + 1 >= text.size() || text[i] != '.') return 0;
  for (++i; i < text.size() && minor < 10 && text[i] >= '0' && text[i] <= '9'; ++i)
    minor = minor * 10 + (text[i] - '0');
  return major * 100 + minor;
}

// `sm_90a`: 90. 0: none.
unsigned architecture_of(std::string_view target) {
  if (!target.starts_with("sm_")) return 0;
  unsigned number = 0;
  for (char c : target.substr(3, 4)) {
    if (c < '0' || c > '9') break;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number;
}

class rewriter {
 public:
  rewriter(std::string_view text, const rewrite_settings& settings)
      : text_(text), settings_(settings), all_(parse_ptx(text)), called_(all_), edit_(text) {
    version_ = version_of(all_.version);
    prefix_ = "genesys_";
    for (int i = 1; text.find(prefix_) != text.npos; ++i) prefix_ = "genesys" + std::to_string(i) + "_";
    count_names();
  }

  rewritten run(const variant_choice& choose) {
    rewritten result;
    changes_.resize(all_.functions.size());
    std::size_t verdict = 0;
    const std::vector<kernel_verdict> verdicts = classify(all_);
    for (std::size_t i = 0; i < all_.functions.size(); ++i) {
      const function& one = all_.functions[i];
      if (!one.is_entry) continue;
      const kernel_verdict& known = verdicts[verdict++];
      if (one.has_body) result.kernels.push_back(rewrite_kernel(one, known, choose(known), changes_[i]));
    }
    result.ptx = edit_.made();
    const std::string wrong = difference(all_, text_, result.ptx, changes_, prefix_);
    if (!wrong.empty()) take_back(result, wrong);
    return result;
  }

 private:
  // What a kernel gets.
  struct means {
    bool times = false, polls = false;
  };

  // How often each name stands in the text outside of debug information.
  void count_names() {
    const std::vector<token> tokens = tokens_of(text_);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].text == ".section") {
        while (i < tokens.size() && !tokens[i].is('}')) ++i;
      } else if (tokens[i].kind == token_kind::word) {
        ++names_[tokens[i].text];
      }
    }
  }

  // Why the kernel stays as it is. Empty: it can be instrumented.
  std::string refusal(const function& one, const kernel_verdict& known, const means& has) const {
    // ld.relaxed, fence, barriers that are not aligned; activemask
    constexpr unsigned version_min = 602, architecture_min = 70;
    if (has.polls && !known.is_preemptible) return "not preemptible: see genesys schedule explain";
    if (!all_.problems.empty()) return "the module: " + all_.problems[0].text;
    if (version_ < version_min) return "PTX older than 6.2";
    if (architecture_of(all_.target) < architecture_min) return "the target is older than sm_70";
    if (all_.address_size != "64") return "addresses do not have 64 bits";
    if (has.polls && one.needs_cluster) return "the kernel has clusters";
    const auto named = names_.find(one.name);
    if (named == names_.end() || named->second != 1) {
      return "the module names the kernel elsewhere: its code may launch it, or it is declared twice";
    }
    return "";
  }

  // Where the appended parameters are. False: there is no room.
  bool lay_out(const function& one, const kernel_verdict& known, const means& has, kernel_rewrite& into) const {
    static_assert(times_align == context_align && times_bytes % context_align == 0);
    constexpr std::uint64_t most_before_8_1 = 4'096, most = 32'764;
    std::uint64_t bytes = 0;
    for (const parameter& each : known.parameters) bytes = std::max(bytes, each.offset + each.bytes);
    into.own_parameters = static_cast<std::uint32_t>(one.parameters.size());
    if (bytes > most) return false;
    into.own_bytes = static_cast<std::uint32_t>(bytes);
    std::uint32_t next = (into.own_bytes + context_align - 1) / context_align * context_align;
    if (has.times) {
      into.times_offset = into.context_offset = next;
      next += times_bytes;
    }
    if (has.polls) {
      into.context_offset = next;
      next += context_bytes;
    }
    return next <= (version_ >= 801 ? most : most_before_8_1);
  }

  kernel_rewrite rewrite_kernel(const function& one, const kernel_verdict& known, variant asked,
                                changed_function& change) {
    kernel_rewrite result;
    result.name = one.name;
    result.line = one.at.line;
    result.asked = asked;
    result.instructions = static_cast<std::uint32_t>(one.body.size());
    if (asked == variant::none) return result;
    means has{asked == variant::timed || asked == variant::timed_loops, asked != variant::timed};
    std::string why = refusal(one, known, has);
    if (!why.empty() && has.times && has.polls) {
      result.refused.push_back({0, std::move(why)});
      has.polls = false;
      why = refusal(one, known, has);
    }
    if (why.empty() && !lay_out(one, known, has, result)) why = "there is no room for more parameters";
    if (why.empty() && has.times) why = put_times(one, has, result);
    if (why.empty() && has.polls) put_polls(one, result, change);
    if (why.empty()) append_parameters(one, has);
    if (!why.empty()) {
      result.context_offset = result.times_offset = 0;
      result.refused.push_back({0, std::move(why)});
    }
    change.is_changed = result.made != variant::none;
    return result;
  }

  void put_polls(const function& one, kernel_rewrite& result, changed_function& change) {
    const bool is_timed = result.made == variant::timed;
    const poll_plan plan = plan_of(all_, one, text_, called_, is_timed ? variant::loops : result.asked, settings_);
    result.loops = plan.loops;
    result.refused = plan.refused;
    const bool has_loops = !plan.votes.empty() || !plan.polls.empty() || !plan.warp_votes.empty();
    result.made = is_timed ? variant::timed_loops : has_loops ? variant::loops : variant::entry;
    describe(one, plan, result);
    result.inserted += write(one, plan, change);
    for (const planned_vote& each : plan.votes) {
      if (each.every == 1) change.votes.push_back(each.instruction);
    }
  }

  // Its names must not be those of the polls.
  std::string prefix_of_times(const means& has) const { return has.polls ? prefix_ + "t_" : prefix_; }

  // Why not, or nothing. It comes before the polls: the time of a block begins before its poll at the entry, and what
  // a thread does that leaves stands behind all else.
  std::string put_times(const function& one, const means& has, kernel_rewrite& into) {
    const time_plan plan = times_of(one, called_);
    if (!plan.why_not.empty()) return plan.why_not;
    time_text text(prefix_of_times(has));
    std::int64_t inserted = -time_text::declarations;
    const auto put = [&](std::uint32_t offset, std::string more) {
      inserted += std::count(more.begin(), more.end(), ';');
      edit_.insert(offset, std::move(more));
    };
    put(one.body_offset + 1, text.entry());
    for (int i : plan.ends) {
      const instruction& end = one.body[i];
      std::string unless;
      if (end.guard != no_variable) {
        unless = (end.guard_is_negated ? "@" : "@!") + std::string(all_.variables[end.guard].name);
      }
      put(end.at.offset, text.end(unless));
    }
    if (plan.comes_to_the_brace) put(one.body_end_offset, "\n" + text.end("") + "ret;\n");
    into.inserted = static_cast<std::uint32_t>(inserted);
    into.timed_ends = static_cast<std::uint32_t>(plan.ends.size() + plan.comes_to_the_brace);
    into.made = variant::timed;
    return "";
  }

  void append_parameters(const function& one, const means& has) {
    std::string declarations;
    if (has.times) declarations = time_text(prefix_of_times(has)).parameter();
    if (has.times && has.polls) declarations += ",\n";
    if (has.polls) declarations += poll_text::parameter(prefix_);
    if (one.parameters_offset == 0) {
      edit_.insert(one.name_end_offset, "(" + declarations + ")");
    } else {
      edit_.insert(one.parameters_end_offset, (one.parameters.empty() ? "" : ",\n") + declarations);
    }
  }

  static void describe(const function& one, const poll_plan& plan, kernel_rewrite& into) {
    into.polls.push_back({plan.votes_at_entry ? poll::kind::entry_block : poll::kind::entry_thread, one.at.line});
    for (const planned_vote& each : plan.votes) {
      into.polls.push_back(
          {poll::kind::vote, one.body[each.instruction].at.line, each.looks, each.every, each.stripped.has_value()});
    }
    for (const planned_warp_vote& each : plan.warp_votes) {
      into.polls.push_back({poll::kind::warp, one.body[each.instruction].at.line, each.looks});
    }
    for (const planned_poll& each : plan.polls) {
      into.polls.push_back({plan.arrive_at >= 0 ? poll::kind::arrive : poll::kind::thread,
                            one.body[each.instruction].at.line, true, each.every, each.stripped.has_value()});
    }
  }

  // The number of instructions that were inserted.
  std::uint32_t write(const function& one, const poll_plan& plan, changed_function& change) {
    poll_text text(prefix_, plan, settings_);
    std::int64_t inserted = -poll_text::declarations;
    const auto counted = [&](std::string more) {
      inserted += std::count(more.begin(), more.end(), ';');
      return more;
    };
    edit_.insert(one.body_offset + 1, counted(text.entry()));
    std::vector<std::string> done;  // labels behind barriers; first, for a loop may begin there
    for (const planned_vote& each : plan.votes) {
      const bool is_counted = each.every > 1 && !each.stripped;
      done.push_back(is_counted ? text.new_label() : "");
      if (is_counted) edit_.insert(one.body[each.instruction].end_offset, "\n" + done.back() + ":");
    }
    for (const planned_poll& each : plan.polls) {
      if (!each.stripped) {
        edit_.insert(one.body[each.instruction].at.offset, counted(text.poll(each)));
        continue;
      }
      const std::string outer = text.new_label();
      edit_.insert(one.body[each.instruction - 1].end_offset,
                   "\n" + outer + ":\n" + counted(text.poll(each) + text.strip_begin(*each.stripped, each.every)));
      end_strip(one, *each.stripped, counted(text.strip_end(*each.stripped)), outer, change);
    }
    for (const planned_warp_vote& each : plan.warp_votes) {
      edit_.insert(one.body[each.instruction].at.offset, counted(text.warp_vote(each)));
    }
    for (std::size_t i = 0; i < plan.votes.size(); ++i) {
      const planned_vote& each = plan.votes[i];
      const instruction& barrier = one.body[each.instruction];
      if (each.stripped) {
        const std::string outer = text.new_label(), begin = text.new_label();
        edit_.insert(one.body[each.header - 1].end_offset,
                     "\n" + counted("bra " + begin + ";\n" + outer + ":\n" + text.vote(each, sync_of(barrier)) + "\n" +
                                    begin + ":\n" + text.strip_begin(*each.stripped, each.every)));
        end_strip(one, *each.stripped, counted(text.strip_end(*each.stripped)), outer, change);
        continue;
      }
      if (each.every > 1) {
        edit_.insert(barrier.at.offset, counted(text.stripped_vote(each, sync_of(barrier), done[i])));
        continue;
      }
      edit_.replace(barrier.at.offset, barrier.end_offset, counted(text.vote(each, sync_of(barrier))));
      --inserted;
    }
    edit_.insert(one.body_end_offset, counted(text.leave()));
    return static_cast<std::uint32_t>(inserted);
  }

  // Where the inner one of two loops ends, and the latch that now belongs to the outer one.
  void end_strip(const function& one, const strip& inner, std::string test, const std::string& outer,
                 changed_function& change) {
    edit_.insert(one.body[inner.before].at.offset, std::move(test));
    const auto label = static_cast<std::uint32_t>(inner.label.data() - text_.data());
    edit_.replace(label, label + static_cast<std::uint32_t>(inner.label.size()), outer);
    change.latches.push_back({inner.latch, outer});
  }

  void take_back(rewritten& result, const std::string& wrong) const {
    result.ptx = text_;
    for (kernel_rewrite& each : result.kernels) {
      if (each.made == variant::none) continue;
      each.made = variant::none;
      each.polls.clear();
      each.timed_ends = 0;
      each.context_offset = each.times_offset = 0;
      each.refused = {{0, "the rewritten text is not as it must be: " + wrong}};
    }
  }

  std::string_view text_;
  const rewrite_settings& settings_;
  module all_;
  callees called_;
  text_edit edit_;
  unsigned version_ = 0;
  std::string prefix_;
  std::unordered_map<std::string_view, int> names_;
  std::vector<changed_function> changes_;
};

}  // namespace

rewritten rewrite(std::string_view ptx, const variant_choice& choose, const rewrite_settings& settings) {
  return rewriter(ptx, settings).run(choose);
}

std::string why_not(const kernel_rewrite& one) {
  return one.refused.empty() ? "it has no place for polls" : one.refused.front().why;
}

const char* spelled(variant what) {
  switch (what) {
    case variant::none:
      return "none";
    case variant::timed:
      return "timed";
    case variant::entry:
      return "entry";
    case variant::timed_loops:
      return "timed_loops";
    default:
      return "loops";
  }
}

const char* spelled(poll::kind what) {
  switch (what) {
    case poll::kind::entry_thread:
      return "entry: each thread by itself";
    case poll::kind::entry_block:
      return "entry: the block votes";
    case poll::kind::vote:
      return "barrier: the block votes";
    case poll::kind::warp:
      return "warp: the lanes vote";
    case poll::kind::thread:
      return "loop: each thread by itself";
    default:
      return "loop: the thread votes at the next barrier";
  }
}

}  // namespace genesys::schedule
