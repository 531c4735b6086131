// SPDX-License-Identifier: Apache-2.0
// Pointers behind pointers: iovec, msghdr and what is like them. Such an argument becomes, in the call's bounce buffer,
//
//   image   the structures as Linux shall see them: their pointers lead to where both sides can address them
//   list    for the team: where each pointer led, where it leads, how many bytes
//   data    what had to be staged
//
// and the team copies by the list. The caller walks twice: to measure, and, when the buffer is taken, to write. (Where
// nothing has to be staged, the argument goes to the host as it is.) The host believes none of it: it copies the
// structures and checks every pointer (src/execute/nested.h).
#pragma once

#include "genesys/detail/staging/bounce_buffers.h"
#include "genesys/detail/staging/copy.h"
#include "genesys/detail/staging/known_addresses.h"
#include "genesys/detail/table/call_plan.h"

namespace genesys::detail::staging {

GENESYS_KERNEL constexpr bool is_nested(const arg_plan& arg) {
  return arg.kind == arg_kind::vector || arg.kind == arg_kind::messages;
}

// What a walk has to know of an argument's plan.
struct nested_shape {
  bool messages;       // msghdr or mmsghdr; else entries as of an iovec
  bool fills;          // Linux writes what the pointers lead to; else it reads that
  bool counts;         // mmsghdr: each message says how many of its bytes were carried
  bool short_lengths;  // an entry's length has 4 bytes, behind which there are flags
  bool shared;         // what they lead to is never staged
  bool of_grid;        // then nobody knows whose shared or private memory is meant
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

// How much an argument takes, or, in the second walk, may take.
struct nested_size {
  u64 image_bytes, parts, data_bytes;
  bool staged;   // something has to be
  bool foreign;  // of a grid: something lies in shared or private memory
  bool beyond;   // something lies, or may lie, where only the host knows what Linux can do with it
};

enum class nested_what : u32 { data, header, name, control };

// An entry of the list. It is aligned for two loads of 16 bytes: each takes over a microsecond across the link.
struct alignas(16) nested_part {
  u64 user_at, staged_at;  // where it lies, and where in the bounce buffer; 0: it is not staged
  u64 bytes;
  nested_what what;
  u32 message;  // which
};
// And what it begins with.
struct alignas(16) nested_list {
  u64 parts;
  u64 maker;  // the rank of the thread that made it
};

GENESYS_KERNEL constexpr u64 list_bytes(u64 parts) { return sizeof(nested_list) + parts * sizeof(nested_part); }

// One walk over the caller's structures.
class nested_walk {
 public:
  // Measures.
  GENESYS_KERNEL nested_walk(const device_context& a, const nested_shape& shape) : a_(a), shape_(shape) {}
  // Writes what was measured, to `image`, `list` and `data`. Should the structures have become larger, the rest is
  // left as it is: Linux then finds an address that it cannot use.
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
  // Whether structures can be read there; those that only the device can address have to be staged.
  GENESYS_KERNEL bool can_be_read(u64 address, u64 bytes) {
    const resolved at = look(address);
    if (bytes == 0 || at.kind == memory_kind::null || at.kind == memory_kind::none || at.end - address < bytes)
      return false;
    if (at.kind != memory_kind::both_sides) used_.staged = true;
    return true;
  }
  // Mostly it lies where the last one did, or behind it.
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
  // Where in the image; without room nowhere: 0. What is behind it is aligned, too.
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

  // Where the memory is staged; 0: it is not.
  GENESYS_KERNEL u64 stage(u64 address, u64 bytes) {
    if (shape_.shared || bytes == 0 || bytes > bytes_absurd || used_.parts >= limit_.parts) return 0;
    const resolved at = look(address);
    if (!is_staged(at.kind)) {
      if (address < a_.arena_begin || address > a_.arena_end || bytes > a_.arena_end - address) used_.beyond = true;
      return 0;
    }
    if (bytes > at.end - address) return 0;                                    // Linux would fault there
    const u64 offset = ((used_.data_bytes + 15) & ~u64{15}) + (address & 15);  // the same place within 16: see copy.h
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

  // An address and a length each.
  GENESYS_KERNEL void entries(u64 from, u64 count, u64 to, u32 message) {
    for (u64 i = 0; i < count; ++i, from += entry_bytes) {
      const u64 address = load_number(from, 8), rest = load_number(from + 8, 8);
      const u64 bytes = shape_.short_lengths ? static_cast<u32>(rest) : rest;
      const u64 staged_at = stage(address, bytes);
      enter({address, staged_at, bytes, nested_what::data, message});
      if (to == 0) continue;  // no room in the image: nobody looks at it
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
    if (control_bytes != 0) used_.beyond = true;  // there may be descriptors in it
    const u64 vector = load_number(from + message_at::vector, 8);
    const u64 count = load_number(from + message_at::entries, 8);
    if (count > entries_max || !can_be_read(vector, count * entry_bytes)) return;
    const u64 vector_to = take_image(count * entry_bytes);
    if (vector_to != 0) store(to + message_at::vector, vector_to);
    entries(vector, count, vector_to, m);
  }

  // What a header's field leads to.
  GENESYS_KERNEL void one(u64 from, u64 to, u64 field, u64 bytes, nested_what what, u32 m) {
    const u64 address = load_number(from + field, 8), staged_at = stage(address, bytes);
    if (staged_at == 0) return;
    enter({address, staged_at, bytes, what, m});
    store(to + field, staged_at);
    // Linux leaves holes in what it writes there: they keep what was there.
    if (writes_ && shape_.fills && what == nested_what::control) copy_part(staged_at, address, bytes, 0, 1);
  }

  const device_context& a_;
  nested_shape shape_;
  u64 image_ = 0, list_ = 0;
  u64 data_ = 16;  // while nothing is written: anything but 0
  nested_size used_{}, limit_{~u64{0}, ~u64{0}, ~u64{0}, false, false, false};
  bool writes_ = false;
  u64 last_ = 0;  // what was looked up last
  resolved last_at_{memory_kind::none, 0};
};

GENESYS_KERNEL_OUTLINE inline nested_size measure_nested(device_context a, nested_shape shape, u64 address, u64 count) {
  return nested_walk(a, shape).run(address, count);
}

// Where an argument's parts lie behind one another, from its image on.
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

// The list, for whoever copies by it. Only the caller writes it, before the team meets.
class nested_parts {
 public:
  GENESYS_KERNEL explicit nested_parts(u64 list)
      : list_(list), head_(*reinterpret_cast<const nested_list*>(list)), next_(at(0)) {}
  GENESYS_KERNEL u64 count() const { return head_.parts; }
  GENESYS_KERNEL u64 maker() const { return head_.maker; }
  // The next one; the one after it is under way while that is copied.
  GENESYS_KERNEL nested_part take() {
    const nested_part now = next_;
    if (++taken_ < head_.parts) next_ = at(taken_);
    return now;
  }

 private:
  // (Behind the head there is room for one even if there is none: a buffer is never shorter.)
  GENESYS_KERNEL nested_part at(u64 i) const { return *reinterpret_cast<const nested_part*>(list_ + list_bytes(i)); }

  u64 list_, taken_ = 0;
  nested_list head_;
  nested_part next_;
};

// One thread's part of what a team copies; of private memory each thread has its own.
GENESYS_KERNEL void copy_nested_part(u64 to, u64 from, u64 bytes, bool alone, u32 rank, u32 size) {
  copy_part(to, from, bytes, alone ? 0 : rank, alone ? 1 : size);
}

// Before the call, in each thread of a team: what Linux will read. Private memory is the caller's.
GENESYS_KERNEL_OUTLINE inline void stage_in_nested(u64 list, u32 rank, u32 size, bool is_leader) {
  nested_parts parts(list);
  for (u64 i = 0; i < parts.count(); ++i) {
    const nested_part part = parts.take();
    const bool alone = is_private(part.user_at);
    if (part.staged_at == 0 || part.what == nested_what::header || (alone && !is_leader)) continue;
    copy_nested_part(part.staged_at, part.user_at, part.bytes, alone, rank, size);
  }
}

// Where a private part of this thread lies, when the caller's is at part.theirs: there, since on a GPU all threads give
// their private memory the same addresses. On the CPU device each has its own, and its own structures at `address`
// tell; 0: they are not its own. `entry`: of data, which.
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

// After the call, which gave `value`: what Linux wrote. `address`: the argument, as this thread gave it. Of its headers
// that is the lengths and flags; the pointers there are the caller's own.
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
    const auto field = [&](u64 at, u64 bytes) {
      if (to != 0 && (alone || rank == 0)) copy_part(to + at, part.staged_at + at, bytes, 0, 1);
    };
    u64 bytes = part.bytes;
    switch (part.what) {
      case nested_what::header:
        header = part.staged_at;
        entry = 0;
        if (shape.counts) {
          if (part.message >= static_cast<u64>(value)) return;  // of the others nothing is said
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
