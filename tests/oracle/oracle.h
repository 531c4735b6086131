// SPDX-License-Identifier: Apache-2.0
// Makes each call of the table natively between guard pages, and then in a kernel through genesys, with each kind of
// memory. What Linux writes lies within what the table's line declares, and both give the same value and memory. A test
// describes trials, which are calls with arguments, and trials::check() makes them in all ways. Host code, test's
// thread.
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

// The memory that a pointer argument leads to, or the value of another argument.
struct argument {
  enum class kind { value, memory } is = kind::value;
  u64 value = 0;
  std::string content;                          // before the call
  std::vector<std::pair<u64, u64>> varies;      // offset and size of bytes that may differ between two calls
  std::vector<std::pair<u64, argument>> links;  // pointers in the memory: offset and target

  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) argument(T number)
      : value(static_cast<u64>(static_cast<std::int64_t>(number))) {}
  argument(std::nullptr_t) {}
  explicit argument(std::string bytes) : is(kind::memory), content(std::move(bytes)) {}
};

// A string with its NUL.
inline argument text(const std::string& s) { return argument(s + '\0'); }
// Memory that Linux reads, or reads and writes.
inline argument bytes(std::string s) { return argument(std::move(s)); }
template <class T>
argument object(const T& from) {
  return argument(std::string(reinterpret_cast<const char*>(&from), sizeof from));
}
template <class T>
argument objects(std::initializer_list<T> from) {
  return argument(std::string(reinterpret_cast<const char*>(from.begin()), from.size() * sizeof(T)));
}
// Memory that Linux writes, filled with poison.
constexpr u8 poison = 0xa5;
inline argument output(u64 size) { return argument(std::string(size, static_cast<char>(poison))); }
// The same, if what Linux writes differs between two calls: in all of it, or in parts.
inline argument varying(argument a) {
  a.varies.emplace_back(0, a.content.size());
  return a;
}
inline argument varying(argument a, std::initializer_list<std::pair<u64, u64>> parts) {
  a.varies.insert(a.varies.end(), parts);
  return a;
}

// An entry of an iovec: an argument and a length. A value in place of memory is used as the address.
struct piece {
  argument what;
  u64 bytes;
  piece(argument a) : what(std::move(a)), bytes(what.content.size()) {}
  piece(argument a, u64 length) : what(std::move(a)), bytes(length) {}
};
argument pieces(std::vector<piece> all);
// The parts of a msghdr.
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

// One piece of a trial's memory. The arguments come first, and then the targets of their links.
struct blob {
  const argument* is;
  u32 arg;      // the argument to which it belongs
  u32 holder;   // the blob that holds the link to it
  u64 link_at;  // offset of the link in the holder
  static constexpr u32 nobody = ~0u;
};
std::vector<blob> blobs_of(const std::vector<argument>& args);

struct outcome {
  long value = 0;
  std::vector<std::string> memory;  // of each blob, with 0 for its links; empty if it is a value
};

// A call with its arguments. `before` and `after` run each time that it is made.
struct trial {
  plan_id id;
  std::vector<argument> args;
  std::function<void()> before = [] {};
  std::function<void(const outcome&)> after = [](const outcome&) {};
  bool same_value = true;        // else only the same sign: for descriptors, process numbers, times
  bool good = true;              // it succeeds natively
  bool null_waits = false;       // without one of its pointers it waits for ever
  std::vector<int> unless = {};  // or it gives one of these errors, where the machine or the user lacks a right
};

// Collects the trials of one test and makes them.
class trials {
 public:
  // A call that succeeds. check() derives others from it, each with one wrong argument: a closed descriptor, an invalid
  // pointer, a null pointer.
  trial& good(plan_id id, std::vector<argument> args);
  // A call that may fail. Nothing is derived from it.
  trial& any(plan_id id, std::vector<argument> args);
  // Makes all of them.
  void check();

 private:
  std::vector<std::unique_ptr<trial>> all_;
};

// Compares two trials that differ in addresses only: one is made natively, the other through genesys.
void check_elsewhere(const trial& natively, const trial& through);
// Counts a call that succeeded natively and through genesys in a test without trials.
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
// Whether the call's kernel is built for the scope. To compile quickly, each call is built for one of the first two
// only.
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
    bool is_arg;  // else it lies in other memory
    u64 holder;   // the argument's number, or the pointer's offset in the image
    memory held_in;
    u64 at, bytes;  // its target in the image
    memory in;
  } pointers[pointers_max] = {};
  u64 image_bytes = 0;
  u8* image = nullptr;   // arena memory
  u8* device = nullptr;  // of the same size, in device memory
  long* value = nullptr;
  u32* ready = nullptr;      // in a grid: the first block has prepared the memory
  u32* differing = nullptr;  // how many threads differ from the first in value or private memory
};

// Launches the kernel that makes the call. CMake makes the files issue_*.cpp, each with a part of the calls.
using issuer = contract::launched (*)(contract::runtime& rt, const task& t, scope on_behalf);
issuer issuer_of(plan_id id);

// The name of a call, with its variant.
std::string name_of(plan_id id);

}  // namespace oracle
