// SPDX-License-Identifier: Apache-2.0
// Trials, and calls made by a kernel (oracle.h).
#include "oracle.h"

#include <sys/socket.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace oracle {

#define PART(first) issuer issuer_from_##first(plan_id id);
#include "issue_parts.inc"
#undef PART

issuer issuer_of(plan_id id) {
#define PART(first) \
  if (const issuer found = issuer_from_##first(id)) return found;
#include "issue_parts.inc"
#undef PART
  throw std::logic_error("no kernel makes this call");
}

std::string name_of(plan_id id) {
  static constexpr const char* names[] = {
#define CALL(name) #name,
#include "calls.inc"
#undef CALL
  };
  static_assert(std::size(names) == plan_count);
  return names[static_cast<u32>(id)];
}

namespace {

using contract::in_arena;
using contract::on_device;
using contract::shared_runtime;

constexpr u64 guard = 64;  // bytes before and behind each buffer

const char* memory_name(memory where) {
  static constexpr const char* names[] = {"arena", "device", "shared", "private", "mixed"};
  return names[static_cast<u32>(where)];
}

const char* scope_name(scope s) {
  static constexpr const char* names[] = {"thread", "block", "warp", "grid"};
  return names[static_cast<u32>(s)];
}

// What the tests have tried, for the summary at the end.
struct tally {
  std::set<plan_id> succeeded, tried;
  std::map<plan_id, int> refused;  // the errors of native calls that did not succeed
  u64 calls = 0;
};
tally& the_tally() {
  static tally all;
  return all;
}
void note_native(const trial& t, const outcome& native) {
  tally& sum = the_tally();
  sum.tried.insert(t.id);
  if (native.value >= 0)
    sum.succeeded.insert(t.id);
  else if (t.good || sum.refused.count(t.id) == 0)
    sum.refused[t.id] = static_cast<int>(-native.value);
}

// When Linux fails at a wrong pointer, it may have written to others before. The table does not declare that, and
// genesys copies no staged memory back. And genesys refuses what is too long to stage before Linux could refuse it.
void compare(const trial& t, const outcome& got, const outcome& native) {
  if (got.value == -ENOBUFS && native.value < 0) return;
  if (got.value == -EFAULT && native.value == -EFAULT) return;
  if (t.same_value) {
    EXPECT_EQ(got.value, native.value) << "natively it is the latter";
  } else if (got.value < 0 || native.value < 0) {
    EXPECT_EQ(got.value, native.value) << "natively it is the latter";
  }
  const std::vector<blob> blobs = blobs_of(t.args);
  for (u32 k = 0; k < blobs.size(); ++k) {
    std::string mine = got.memory[k], theirs = native.memory[k];
    if (got.value >= 0) {
      for (const auto& [from, bytes] : blobs[k].is->varies) {
        for (u64 i = from; i < from + bytes && i < mine.size(); ++i) mine[i] = theirs[i] = 0;
      }
    }
    const u64 size = mine.size();
    for (u64 i = 0; i < size; ++i) {
      if (mine[i] == theirs[i]) continue;
      ADD_FAILURE() << "argument " << blobs[k].arg
                    << (k < t.args.size() ? "" : " (what it leads to, " + std::to_string(k) + ")") << ", byte " << i
                    << ": " << int{static_cast<u8>(mine[i])} << ", natively " << int{static_cast<u8>(theirs[i])}
                    << ", before " << int{static_cast<u8>(blobs[k].is->content[i])} << "; value " << got.value;
      break;
    }
  }
}

std::string described(const trial& t) {
  std::ostringstream said;
  said << name_of(t.id) << "(";
  for (u32 k = 0; k < t.args.size(); ++k) {
    said << (k > 0 ? ", " : "");
    if (t.args[k].is == argument::kind::memory)
      said << t.args[k].content.size() << " bytes";
    else
      said << static_cast<long>(t.args[k].value);
  }
  return said.str() + ")";
}

// Whether a pointer of the call must lead to memory that both sides address. Elsewhere the call gives -EFAULT.
bool needs_both_sides(const trial& t) {
  if (t.id == plan_id::futex_waitv || t.id == plan_id::futex_requeue) return true;
  for (u32 k = 0; k < t.args.size(); ++k) {
    const bool somewhere = t.args[k].is == argument::kind::memory || t.args[k].value != 0;
    if (plans[static_cast<u32>(t.id)].args[k].shared && somewhere) return true;
  }
  return false;
}

bool is_where_both_sides_are(const trial& t, memory where) {
  for (u32 k = 0; k < t.args.size(); ++k) {
    if (plans[static_cast<u32>(t.id)].args[k].shared && t.args[k].is == argument::kind::value && t.args[k].value != 0)
      return false;
  }
  return where == memory::arena;
}

void check_one(const trial& t) {
  SCOPED_TRACE(described(t));
  const outcome native = make_natively(t);
  tally& sum = the_tally();
  note_native(t, native);
  if (t.good && native.value < 0) {
    const int error = static_cast<int>(-native.value);
    const bool allowed = std::find(t.unless.begin(), t.unless.end(), error) != t.unless.end();
    EXPECT_TRUE(allowed) << "natively: " << std::strerror(error);
  }
  for (const scope on_behalf : scopes) {
    if (!is_built(t.id, on_behalf)) continue;
    for (const memory where : memories) {
      const bool has_memory =
          std::any_of(t.args.begin(), t.args.end(), [](const argument& a) { return a.is == argument::kind::memory; });
      const bool has_links =
          std::any_of(t.args.begin(), t.args.end(), [](const argument& a) { return !a.links.empty(); });
      if (!has_memory && where != memory::arena) continue;
      if (where == memory::mixed && (!has_links || needs_both_sides(t))) continue;
      for (const u32 offset : {0u, 3u}) {
        if (offset != 0 && (!has_memory || needs_both_sides(t))) continue;  // such words are aligned
        // A grid has no shared or private memory of its own (tests/contract checks the error).
        if (on_behalf == scope::grid && where != memory::arena && where != memory::device) continue;
        SCOPED_TRACE(std::string("through genesys, ") + memory_name(where) + " memory at +" + std::to_string(offset) +
                     ", by " + scope_name(on_behalf));
        const outcome got = make_through_genesys(t, where, on_behalf, offset);
        if (!needs_both_sides(t) || is_where_both_sides_are(t, where)) {
          compare(t, got, native);
        } else if (native.value >= 0) {
          EXPECT_EQ(got.value, -EFAULT) << "though not both sides address it";
        }
        ++sum.calls;
      }
    }
  }
}

}  // namespace

void check_elsewhere(const trial& natively, const trial& through) {
  trial native_one = natively;
  native_one.good = false;
  SCOPED_TRACE(described(native_one));
  const outcome native = make_natively(native_one);
  tally& sum = the_tally();
  note_native(through, native);
  for (const memory where : {memory::arena, memory::device, memory::shared, memory::private_}) {
    SCOPED_TRACE(memory_name(where));
    compare(native_one, make_through_genesys(through, where, scope::thread, 0), native);
    ++sum.calls;
  }
}

void note_success(plan_id id) { the_tally().succeeded.insert(id); }

namespace {

// Prints a summary at the end.
class summary : public testing::Environment {
 public:
  void TearDown() override {
    const tally& sum = the_tally();
    if (sum.tried.empty()) return;
    u32 untried = 0;
    std::string names;
    for (u32 i = 0; i < plan_count; ++i) {
      if (sum.tried.count(static_cast<plan_id>(i)) != 0) continue;
      names += (names.empty() ? "" : ", ") + oracle::name_of(static_cast<plan_id>(i));
      ++untried;
    }
    std::cout << "oracle: of " << plan_count << " callable lines of the table " << sum.tried.size() << " tried ("
              << sum.calls << " calls), " << sum.succeeded.size() << " of them with success; not tried: " << untried
              << (names.empty() ? "" : ": ") << names << "\n";
    if (const u64 direct = shared_runtime().stats().direct_calls; direct != 0)
      std::cout << "oracle: " << direct << " calls were submitted by the kernels themselves\n";
    std::map<int, std::string> refused;
    for (const auto& [id, error] : sum.refused) {
      if (sum.succeeded.count(id) == 0) refused[error] += " " + oracle::name_of(id);
    }
    for (const auto& [error, which] : refused)
      std::cout << "oracle: never with success here, natively " << std::strerror(error) << ":" << which << "\n";
  }
};
const auto* const added = testing::AddGlobalTestEnvironment(new summary);

}  // namespace

argument pieces(std::vector<piece> all) {
  std::string content;
  argument made(content);
  for (piece& one : all) {
    const u64 entry[2] = {one.what.value, one.bytes};
    if (one.what.is == argument::kind::memory) made.links.emplace_back(content.size(), std::move(one.what));
    content.append(reinterpret_cast<const char*>(entry), sizeof entry);
  }
  made.content = content;
  return made;
}

argument message(const message_parts& m) {
  msghdr header{};
  header.msg_namelen = m.name_bytes;
  header.msg_iovlen = m.data.size();
  header.msg_controllen = m.control_bytes;
  header.msg_flags = static_cast<int>(m.flags);
  header.msg_name = reinterpret_cast<void*>(m.name.value);
  header.msg_control = reinterpret_cast<void*>(m.control.value);
  argument made = object(header);
  using is = argument::kind;
  if (m.name.is == is::memory) made.links.emplace_back(offsetof(msghdr, msg_name), m.name);
  if (!m.data.empty()) made.links.emplace_back(offsetof(msghdr, msg_iov), pieces(m.data));
  if (m.control.is == is::memory) made.links.emplace_back(offsetof(msghdr, msg_control), m.control);
  return made;
}

argument messages(const std::vector<message_parts>& all) {
  argument made(std::string{});
  for (const message_parts& m : all) {
    const argument one = message(m);
    for (const auto& [at, to] : one.links) made.links.emplace_back(made.content.size() + at, to);
    made.content += one.content + std::string(sizeof(mmsghdr) - sizeof(msghdr), '\0');
  }
  return made;
}

std::vector<blob> blobs_of(const std::vector<argument>& args) {
  std::vector<blob> all;
  for (u32 k = 0; k < args.size(); ++k) all.push_back({&args[k], k, blob::nobody, 0});
  for (u32 k = 0; k < all.size(); ++k) {
    const blob holder = all[k];
    for (const auto& [at, to] : holder.is->links) all.push_back({&to, holder.arg, k, at});
  }
  return all;
}

namespace {

// Calls `see` with each variant of the argument in which one link leads to `address`.
void each_with_a_wrong_link(const argument& whole, u64 address, const std::function<void(const argument&)>& see) {
  for (u32 i = 0; i < whole.links.size(); ++i) {
    argument wrong = whole;
    std::memcpy(wrong.content.data() + wrong.links[i].first, &address, sizeof address);
    wrong.links.erase(wrong.links.begin() + i);
    see(wrong);
    each_with_a_wrong_link(whole.links[i].second, address, [&](const argument& deeper) {
      argument around = whole;
      around.links[i].second = deeper;
      see(around);
    });
  }
}

}  // namespace

trial& trials::good(plan_id id, std::vector<argument> args) {
  all_.push_back(std::make_unique<trial>(trial{id, std::move(args)}));
  return *all_.back();
}

trial& trials::any(plan_id id, std::vector<argument> args) {
  trial& t = good(id, std::move(args));
  t.good = false;
  return t;
}

void trials::check() {
  for (const auto& t : all_) {
    check_one(*t);
    if (!t->good) continue;
    for (u32 k = 0; k < t->args.size(); ++k) {
      trial wrong = *t;
      wrong.good = false;
      if (t->args[k].is == argument::kind::memory) {
        wrong.args[k] = nullptr;
        if (!t->null_waits) check_one(wrong);
        wrong.args[k] = 0x10;
        check_one(wrong);
        for (const u64 address : {0x0ul, 0x10ul}) {
          if (address == 0 && t->null_waits) continue;
          each_with_a_wrong_link(t->args[k], address, [&](const argument& a) {
            wrong.args[k] = a;
            check_one(wrong);
          });
        }
      } else if (plans[static_cast<u32>(t->id)].args[k].kind == arg_kind::fd) {
        wrong.args[k] = 1 << 20;  // a number that Linux never gives
        check_one(wrong);
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

outcome make_through_genesys(const trial& t, memory where, scope on_behalf, u32 offset) {
  if (!is_built(t.id, on_behalf)) on_behalf = on_behalf == scope::thread ? scope::block : scope::thread;
  t.before();
  contract::runtime& rt = shared_runtime();
  task job{.id = t.id, .where = where};
  const std::vector<blob> blobs = blobs_of(t.args);
  std::vector<u64> at(blobs.size());
  const auto lies_in = [&](u32 k) { return where == memory::mixed ? static_cast<memory>(k % 4) : where; };
  u64 bytes = guard;
  for (u32 k = 0; k < blobs.size(); ++k) {
    if (blobs[k].is->is != argument::kind::memory) {
      job.args[k] = blobs[k].is->value;
      continue;
    }
    const u64 size = blobs[k].is->content.size();
    at[k] = bytes + offset;
    if (job.count == pointers_max) throw std::runtime_error("too many pointers");
    if (k < t.args.size())
      job.pointers[job.count++] = {true, k, memory::arena, at[k], size, lies_in(k)};
    else
      job.pointers[job.count++] = {
          false, at[blobs[k].holder] + blobs[k].link_at, lies_in(blobs[k].holder), at[k], size, lies_in(k)};
    bytes = (at[k] + size + guard + 63) / 64 * 64;
  }
  job.image_bytes = bytes;
  const bool in_own = where == memory::shared || where == memory::private_ || where == memory::mixed;
  if (bytes > own_max && in_own) throw std::runtime_error("too long");
  in_arena<u8> image(rt, bytes);
  for (u32 k = 0; k < blobs.size(); ++k)
    std::copy(blobs[k].is->content.begin(), blobs[k].is->content.end(), &image[at[k]]);
  on_device<u8> copy(rt, bytes);
  in_arena<long> value(rt, 1);
  in_arena<u32> differing(rt, 1), ready(rt, 1);
  differing[0] = ready[0] = 0;
  job.image = image.get();
  job.device = copy.get();
  job.value = value.get();
  job.differing = differing.get();
  job.ready = ready.get();
  issuer_of(t.id)(rt, job, on_behalf).finish();

  outcome got;
  got.value = value[0];
  EXPECT_EQ(differing[0], 0u) << "threads in which value or private memory was not as in the first";
  u64 expected = 0;
  for (u32 k = 0; k < blobs.size(); ++k) {
    const u64 size = blobs[k].is->content.size();
    got.memory.push_back(size == 0 ? "" : std::string(reinterpret_cast<const char*>(&image[at[k]]), size));
    if (blobs[k].is->is != argument::kind::memory) continue;
    for (; expected < at[k]; ++expected) EXPECT_EQ(int{image[expected]}, 0xee) << "written before argument " << k;
    expected = at[k] + size;
  }
  for (; expected < bytes; ++expected) EXPECT_EQ(int{image[expected]}, 0xee) << "written behind the last argument";
  t.after(got);
  return got;
}

}  // namespace oracle
