// SPDX-License-Identifier: Apache-2.0
// Pointers behind pointers: iovec, msghdr and similar structures. In the call's bounce buffer such an argument becomes
//
//   image   the structures as Linux reads them: their pointers are addresses that both sides can use
//   list    for the team: the user's address, the staged address, and the length of each part
//   data    the staged parts
//
// and the team copies as the list says. The leader walks over the structures twice: first it measures them, and then,
// with the buffer acquired, it writes image and list. (If nothing has to be staged, the argument passes to the host as
// it is.) The host trusts none of it: it copies the structures and checks every pointer (src/execute/nested.h).
#pragma once

#include "genesys/detail/staging/bounce_buffers.h"
#include "genesys/detail/staging/copy.h"
#include "genesys/detail/staging/known_addresses.h"
#include "genesys/detail/table/call_plan.h"

namespace genesys::detail::staging {

GENESYS_KERNEL constexpr bool is_nested(const arg_plan& arg) {
  return arg.kind == arg_kind::vector || arg.kind == arg_kind::messages;
}

// What a walk needs from an argument's plan.
struct nested_shape {
  bool messages;       // msghdr or mmsghdr; else entries as of an iovec
  bool fills;          // Linux writes the memory behind the pointers; else it reads it
  bool counts;         // mmsghdr: Linux stores the bytes transferred in each message
  bool short_lengths;  // an entry's length has 4 bytes, followed by flags
  bool shared;         // the memory behind the pointers is never staged
  bool of_grid;        // of a grid's call: shared and private memory belong to no single block
  u32 message_bytes;
};

GENESYS_KERNEL constexpr nested_shape shape_of(const arg_plan& arg, scope_kind scope) {
  return {arg.kind == arg_kind::messages,
          arg.dir == direction::out,
          arg.element_bytes == message_bytes_max,
          arg.short_lengths,
          arg.shared,
          scope == scope_kind::grid,
          arg.element_bytes};
}

// The sizes of an argument's image, list and data; in the second walk, their limits.
struct nested_size {
  u64 image_bytes, parts, data_bytes;
  bool staged;   // some part has to be
  bool foreign;  // of a grid's call: some part is in shared or private memory
  bool beyond;   // some part is or may be in memory that only the host can judge
};

enum class nested_what : u32 { data, header, name, control };

// An entry of the list. Its alignment makes a lane load it with two loads of 16 bytes: each takes over a microsecond
// across the link.
struct alignas(16) nested_part {
  u64 user_at, staged_at;  // the user's address; the address in the bounce buffer, or 0: not staged
  u64 bytes;
  nested_what what;
  u32 message;  // index of the message
};
// The head of the list.
struct alignas(16) nested_list {
  u64 parts;
  u64 maker;  // the rank of the thread that made it
};

GENESYS_KERNEL constexpr u64 list_bytes(u64 parts) { return sizeof(nested_list) + parts * sizeof(nested_part); }

// One walk over the user's structures.
class nested_walk {
 public:
  // The first walk: measures.
  GENESYS_KERNEL nested_walk(const device_context& a, const nested_shape& shape) : a_(a), shape_(shape) {}
  // The second walk: writes what the first one measured, to `image`, `list` and `data`. If another thread has enlarged
  // the structures since, the rest stays as it is: Linux then finds an address that it cannot use.
  GENESYS_KERNEL nested_walk(const device_context& a, const nested_shape& shape, u64 image, u64 list, u64 data,
                             const nested_size& measured)
      : a_(a), shape_(shape), image_(image), list_(list), data_(data), limit_(measured), writes_(true) {}

  GENESYS_KERNEL nested_size run(u64 address, u64 count) {
    if (shape_.messages) {
      messages(address, count);
    } else if (count <= entries_max && can_be_read(address, count * entry_bytes)) {
      const u64 to = take_image(count * entry_bytes);
      entries(address, count, to, 0);
    }
    if (writes_) *reinterpret_cast<nested_list*>(list_) = {used_.parts, thread_rank()};
    return used_;
  }

 private:
  // Whether a lane can read structures there. Structures that only the device can address have to be staged.
  GENESYS_KERNEL bool can_be_read(u64 address, u64 bytes) {
    const resolved at = look(address);
    if (bytes == 0 || at.kind == memory_kind::null || at.kind == memory_kind::none || at.end - address < bytes)
      return false;
    if (at.kind != memory_kind::both_sides) used_.staged = true;
    return true;
  }
  // resolve(), with the last result kept: most addresses are in the same memory as the one before.
  GENESYS_KERNEL resolved look(u64 address) {
    const bool has_end = last_at_.kind == memory_kind::device || last_at_.kind == memory_kind::both_sides;
    if (!has_end || address < last_ || address >= last_at_.end) {
      last_ = address;
      last_at_ = resolve(a_, address);
    }
    const resolved at = last_at_;
    const bool somebodys = at.kind == memory_kind::shared || at.kind == memory_kind::private_;
    if (shape_.of_grid && somebodys) used_.foreign = true;
    return at;
  }
  // Reserves space in the image, aligned to 16 bytes. Returns its address, or 0: no space is left.
  GENESYS_KERNEL u64 take_image(u64 bytes) {
    const u64 at = used_.image_bytes;
    bytes = (bytes + 15) & ~u64{15};
    if (at + bytes > limit_.image_bytes) return 0;
    used_.image_bytes += bytes;
    return image_ + at;
  }
  GENESYS_KERNEL void store(u64 at, u64 value) const {
    if (writes_) *reinterpret_cast<u64*>(at) = value;
  }

  // Decides whether the memory is staged. Returns its address in the bounce buffer, or 0: it is not staged.
  GENESYS_KERNEL u64 stage(u64 address, u64 bytes) {
    if (shape_.shared || bytes == 0 || bytes > bytes_absurd || used_.parts >= limit_.parts) return 0;
    const resolved at = look(address);
    if (!is_staged(at.kind)) {
      if (address < a_.arena_begin || address > a_.arena_end || bytes > a_.arena_end - address) used_.beyond = true;
      return 0;
    }
    if (bytes > at.end - address) return 0;                                    // Linux would fault there
    const u64 offset = ((used_.data_bytes + 15) & ~u64{15}) + (address & 15);  // equal modulo 16: see copy.h
    if (offset + bytes > limit_.data_bytes) return 0;
    used_.data_bytes = offset + bytes < bytes_absurd ? offset + bytes : bytes_absurd;
    used_.staged = true;
    return data_ + offset;
  }
  GENESYS_KERNEL void enter(const nested_part& part) {
    if (used_.parts >= limit_.parts) return;
    if (writes_) *reinterpret_cast<nested_part*>(list_ + list_bytes(used_.parts)) = part;
    ++used_.parts;
  }

  // The entries of a vector: an address and a length each.
  GENESYS_KERNEL void entries(u64 from, u64 count, u64 to, u32 message) {
    for (u64 i = 0; i < count; ++i, from += entry_bytes) {
      const u64 address = load_number(from, 8), rest = load_number(from + 8, 8);
      const u64 bytes = shape_.short_lengths ? static_cast<u32>(rest) : rest;
      const u64 staged_at = stage(address, bytes);
      enter({address, staged_at, bytes, nested_what::data, message});
      if (to == 0) continue;  // no space in the image: Linux does not get these entries
      store(to + i * entry_bytes, staged_at != 0 ? staged_at : address);
      store(to + i * entry_bytes + 8, rest);
    }
  }

  GENESYS_KERNEL void messages(u64 address, u64 count) {
    const u64 bytes = shape_.message_bytes;
    if (count > entries_max) count = entries_max;  // as Linux does
    if (!can_be_read(address, count * bytes)) return;
    const u64 to = take_image(count * bytes);
    if (writes_ && to == 0) return;
    for (u32 m = 0; m < count; ++m) message(address + m * bytes, to + m * bytes, m);
  }

  GENESYS_KERNEL void message(u64 from, u64 to, u32 m) {
    enter({from, to, shape_.message_bytes, nested_what::header, m});
    for (u64 i = 0; i < shape_.message_bytes; i += 8) store(to + i, load_number(from + i, 8));
    const u64 name_bytes = load_number(from + message_at::name_bytes, 4);
    one(from, to, message_at::name, name_bytes < name_bytes_max ? name_bytes : name_bytes_max, nested_what::name, m);
    const u64 control_bytes = load_number(from + message_at::control_bytes, 8);
    one(from, to, message_at::control, control_bytes, nested_what::control, m);
    if (control_bytes != 0) used_.beyond = true;  // it may hold descriptors, which the host must check
    const u64 vector = load_number(from + message_at::vector, 8);
    const u64 count = load_number(from + message_at::entries, 8);
    if (count > entries_max || !can_be_read(vector, count * entry_bytes)) return;
    const u64 vector_to = take_image(count * entry_bytes);
    if (vector_to != 0) store(to + message_at::vector, vector_to);
    entries(vector, count, vector_to, m);
  }

  // The memory behind one pointer of a message's header.
  GENESYS_KERNEL void one(u64 from, u64 to, u64 field, u64 bytes, nested_what what, u32 m) {
    const u64 address = load_number(from + field, 8), staged_at = stage(address, bytes);
    if (staged_at == 0) return;
    enter({address, staged_at, bytes, what, m});
    store(to + field, staged_at);
    // Linux does not write every byte of it: the others keep the user's values.
    if (writes_ && shape_.fills && what == nested_what::control) copy_part(staged_at, address, bytes, 0, 1);
  }

  const device_context& a_;
  nested_shape shape_;
  u64 image_ = 0, list_ = 0;
  u64 data_ = 16;  // while nothing is written: anything but 0
  nested_size used_{}, limit_{~u64{0}, ~u64{0}, ~u64{0}, false, false, false};
  bool writes_ = false;
  u64 last_ = 0;  // the address that was resolved last
  resolved last_at_{memory_kind::none, 0};
};

GENESYS_KERNEL_OUTLINE inline nested_size measure_nested(device_context a, nested_shape shape, u64 address, u64 count) {
  return nested_walk(a, shape).run(address, count);
}

// Where the parts of an argument are. They follow each other, from its image on.
struct nested_layout {
  u64 list, data, end;
};
GENESYS_KERNEL nested_layout layout_of(u64 image, const nested_size& size) {
  const u64 list = image + size.image_bytes;
  const u64 data = (list + list_bytes(size.parts) + 15) & ~u64{15};
  return {list, data, data + size.data_bytes};
}

GENESYS_KERNEL_OUTLINE inline void write_nested(device_context a, nested_shape shape, u64 address, u64 count, u64 image,
                                                nested_size size) {
  const nested_layout at = layout_of(image, size);
  nested_walk(a, shape, image, at.list, at.data, size).run(address, count);
}

// The list, for a thread of the team that copies. Only the leader writes it, before the team meets.
class nested_parts {
 public:
  GENESYS_KERNEL explicit nested_parts(u64 list)
      : list_(list), head_(*reinterpret_cast<const nested_list*>(list)), next_(at(0)) {}
  GENESYS_KERNEL u64 count() const { return head_.parts; }
  GENESYS_KERNEL u64 maker() const { return head_.maker; }
  // Returns the next part. The load of the one after it is in flight while the caller copies this one.
  GENESYS_KERNEL nested_part take() {
    const nested_part now = next_;
    if (++taken_ < head_.parts) next_ = at(taken_);
    return now;
  }

 private:
  // (The head is always followed by space for one part, even if there is none: no buffer is shorter.)
  GENESYS_KERNEL nested_part at(u64 i) const { return *reinterpret_cast<const nested_part*>(list_ + list_bytes(i)); }

  u64 list_, taken_ = 0;
  nested_list head_;
  nested_part next_;
};

// One thread's share of a copy by the team. Private memory each thread copies alone.
GENESYS_KERNEL void copy_nested_part(u64 to, u64 from, u64 bytes, bool alone, u32 rank, u32 size) {
  copy_part(to, from, bytes, alone ? 0 : rank, alone ? 1 : size);
}

// Before the call, in each thread of a team: copies what Linux will read. Private memory is the leader's.
GENESYS_KERNEL_OUTLINE inline void stage_in_nested(u64 list, u32 rank, u32 size, bool is_leader) {
  nested_parts parts(list);
  for (u64 i = 0; i < parts.count(); ++i) {
    const nested_part part = parts.take();
    const bool alone = is_private(part.user_at);
    if (part.staged_at == 0 || part.what == nested_what::header || (alone && !is_leader)) continue;
    copy_nested_part(part.staged_at, part.user_at, part.bytes, alone, rank, size);
  }
}

// The address of a private part in this thread. On a GPU it is that of the leader, because all threads give their
// private memory the same addresses. On the CPU device each thread has its own, which its own structures at `address`
// tell. Returns 0 if these are the leader's: then only the leader copies. `entry`: index of the entry, for data.
GENESYS_KERNEL u64 private_address([[maybe_unused]] const nested_shape& shape, [[maybe_unused]] u64 address,
                                   const nested_part& part, [[maybe_unused]] u64 entry,
                                   [[maybe_unused]] bool made_list) {
#if GENESYS_ON_CUDA
  return part.user_at;
#else
  const u64 header = address + part.message * shape.message_bytes;
  u64 own = header;
  if (part.what == nested_what::name) own = load_number(header + message_at::name, 8);
  if (part.what == nested_what::control) own = load_number(header + message_at::control, 8);
  if (part.what == nested_what::data) {
    const u64 vector = shape.messages ? load_number(header + message_at::vector, 8) : address;
    own = load_number(vector + entry * entry_bytes, 8);
  }
  return own == part.user_at && !made_list ? 0 : own;
#endif
}

// After the call, which gave `value`, in each thread of a team: copies what Linux wrote. `address`: the argument as
// this thread gave it. Of a header it copies only the lengths and flags; the pointers in it stay the user's.
GENESYS_KERNEL_OUTLINE inline void stage_out_nested(u64 list, nested_shape shape, u64 address, i64 value, u32 rank,
                                                    u32 size) {
  if (value < 0) return;
  nested_parts parts(list);
  const bool made_list = parts.maker() == thread_rank();
  u64 left = static_cast<u64>(value), header = 0, entry = 0;
  for (u64 i = 0; i < parts.count(); ++i) {
    const nested_part part = parts.take();
    const bool alone = is_private(part.user_at);
    const u64 to = alone ? private_address(shape, address, part, entry, made_list) : part.user_at;
    const auto field = [&](u64 at, u32 bytes) {  // the user's header need not be aligned, as Linux does not ask for it
      if (to != 0 && (alone || rank == 0)) store_number(to + at, load_number(part.staged_at + at, bytes), bytes);
    };
    u64 bytes = part.bytes;
    switch (part.what) {
      case nested_what::header:
        header = part.staged_at;
        entry = 0;
        if (shape.counts) {
          if (part.message >= static_cast<u64>(value)) return;  // Linux stored nothing in the other messages
          left = load_number(header + message_at::carried, 4);
          field(message_at::carried, 4);
        }
        if (shape.fills) {
          field(message_at::name_bytes, 4);
          field(message_at::control_bytes, 8);
          field(message_at::flags, 4);
        }
        continue;
      case nested_what::data:
        if (bytes > left) bytes = left;
        left -= bytes;
        ++entry;
        break;
      case nested_what::name: {
        const u64 named = load_number(header + message_at::name_bytes, 4);
        if (named < bytes) bytes = named;
        break;
      }
      case nested_what::control: {
        const u64 result = load_number(header + message_at::control_bytes, 8);
        if (result < bytes) bytes = result;
        break;
      }
    }
    if (shape.fills && part.staged_at != 0 && to != 0) copy_nested_part(to, part.staged_at, bytes, alone, rank, size);
  }
}

}  // namespace genesys::detail::staging
