// SPDX-License-Identifier: Apache-2.0
// Each call of the table, made natively between guard pages, and then by a kernel through genesys, from each kind of
// memory: what Linux wrote lies within what the table's line declares, and both give the same, in value and memory.
// A test describes trials (calls with arguments); check() makes each of them in all ways. Host code, test's thread.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>

#include "contract.h"
#include "table.h"

namespace oracle {

using contract::u32;
using contract::u64;
using contract::u8;

// What a pointer argument leads to, or the value of one that is none.
struct argument {
  enum class kind { value, memory } is = kind::value;
  u64 value = 0;
  std::string content;                          // before the call
  std::vector<std::pair<u64, u64>> varies;      // from, bytes: differs from one call to the next, by its meaning
  std::vector<std::pair<u64, argument>> links;  // pointers within: where, and what to

  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) argument(T number)
      : value(static_cast<u64>(static_cast<std::int64_t>(number))) {}
  argument(std::nullptr_t) {}
  explicit argument(std::string bytes) : is(kind::memory), content(std::move(bytes)) {}
};

// A string, with its NUL.
inline argument text(const std::string& s) { return argument(s + '\0'); }
// What Linux reads, or reads and writes.
inline argument bytes(std::string s) { return argument(std::move(s)); }
template <class T>
argument object(const T& from) {
  return argument(std::string(reinterpret_cast<const char*>(&from), sizeof from));
}
template <class T>
argument objects(std::initializer_list<T> from) {
  return argument(std::string(reinterpret_cast<const char*>(from.begin()), from.size() * sizeof(T)));
}
// Room for what Linux writes, filled with something else.
constexpr u8 poison = 0xa5;
inline argument output(u64 size) { return argument(std::string(size, static_cast<char>(poison))); }
// The same, when what is written there differs each time: all of it, or a part.
inline argument varying(argument a) {
  a.varies.emplace_back(0, a.content.size());
  return a;
}
inline argument varying(argument a, std::initializer_list<std::pair<u64, u64>> parts) {
  a.varies.insert(a.varies.end(), parts);
  return a;
}

// What an iovec has: an argument and a length each. A value in place of memory is an address as it is.
struct piece {
  argument what;
  u64 bytes;
  piece(argument a) : what(std::move(a)), bytes(what.content.size()) {}
  piece(argument a, u64 length) : what(std::move(a)), bytes(length) {}
};
argument pieces(std::vector<piece> all);
// A msghdr, and several mmsghdr.
struct message_parts {
  argument name = nullptr;
  u32 name_bytes = 0;
  std::vector<piece> data = {};
  argument control = nullptr;
  u64 control_bytes = 0;
  u32 flags = 0;
};
argument message(const message_parts& m);
argument messages(const std::vector<message_parts>& all);

// All memory of a trial's arguments: first of each argument itself, then of what their links lead to.
struct blob {
  const argument* is;
  u32 arg;      // whose it is
  u32 holder;   // where the link to it is: another blob
  u64 link_at;  // in it
  static constexpr u32 nobody = ~0u;
};
std::vector<blob> blobs_of(const std::vector<argument>& args);

struct outcome {
  long value = 0;
  std::vector<std::string> memory;  // of each blob, with 0 for its links; empty where it is a value
};

// A call with its arguments, and what has to be done before and after each time it is made.
struct trial {
  plan_id id;
  std::vector<argument> args;
  std::function<void()> before = [] {};
  std::function<void(const outcome&)> after = [](const outcome&) {};
  bool same_value = true;        // or only the same sign: numbers of descriptors, of processes, times
  bool good = true;              // Linux makes it, natively
  bool null_waits = false;       // without one of its pointers it would wait for ever
  std::vector<int> unless = {};  // or says one of these errors, where the machine or the user may not
};

// Collects trials of one test and makes them.
class trials {
 public:
  // A call that succeeds. From it follow others, each with one thing wrong: a descriptor that nobody has, a pointer to
  // nowhere, no pointer.
  trial& good(plan_id id, std::vector<argument> args);
  // A call that need not succeed. Nothing follows.
  trial& any(plan_id id, std::vector<argument> args);
  // Makes all of them.
  void check();

 private:
  std::vector<std::unique_ptr<trial>> all_;
};

// The same call on memory of two kinds: `natively`, and `through` genesys, which differ in addresses only.
void check_elsewhere(const trial& natively, const trial& through);
// Notes that a call was made with success, natively and through genesys, in a way that no trial describes.
void note_success(plan_id id);

// Shorthands for trial's fields.
inline trial& gives_descriptor(trial& t) {
  t.same_value = false;
  t.after = [](const outcome& o) {
    if (o.value >= 0) ::close(static_cast<int>(o.value));
  };
  return t;
}

// --- The two ways to make a call.

outcome make_natively(const trial& t);

enum class memory : u32 { arena, device, shared, private_, mixed };
constexpr memory memories[] = {memory::arena, memory::device, memory::shared, memory::private_, memory::mixed};
enum class scope : u32 { thread, block, warp, grid };
constexpr scope scopes[] = {scope::thread, scope::block, scope::warp, scope::grid};
// Whether the call's kernel is built for that scope: for all, or, where compiling shall not take long, for one of the
// first two.
#if defined(ORACLE_ALL_SCOPES)
GENESYS_KERNEL constexpr bool is_built(plan_id, scope) { return true; }
#else
GENESYS_KERNEL constexpr bool is_built(plan_id id, scope s) {
  return s == (static_cast<u32>(id) % 2 == 0 ? scope::thread : scope::block);
}
#endif
outcome make_through_genesys(const trial& t, memory where, scope on_behalf, u32 offset);

// --- For the kernel.

constexpr u32 pointers_max = 40;
constexpr u64 own_max = 4608;  // bytes of shared or private memory
struct task {
  plan_id id;
  u32 count = 0;  // of pointers
  memory where = memory::arena;
  u64 args[args_max] = {};
  struct {
    bool is_arg;  // or within other memory
    u64 holder;   // which, or where in the image
    memory held_in;
    u64 at, bytes;  // what it leads to, in the image
    memory in;
  } pointers[pointers_max] = {};
  u64 image_bytes = 0;
  u8* image = nullptr;   // arena memory
  u8* device = nullptr;  // as many bytes
  long* value = nullptr;
  u32* ready = nullptr;      // of a grid: the memory is as the call shall find it
  u32* differing = nullptr;  // threads in which value or private memory was not as in the first
};

// Launches the kernel that makes the call. In issue_*.cpp, which CMake makes, a part of the calls in each.
using issuer = contract::launched (*)(contract::runtime& rt, const task& t, scope on_behalf);
issuer issuer_of(plan_id id);

// What a trial's call is called, with its variant.
std::string name_of(plan_id id);

}  // namespace oracle
