// SPDX-License-Identifier: Apache-2.0
// The hash table: buckets of a fixed depth, each with a lock, and items of a fixed size. A team of threads searches a
// bucket: the lanes of a block, or one thread of the CPU. All threads of the team call each function.
#pragma once

#include "request.h"

namespace memcached {

constexpr u32 not_there = ~u32{0};

struct item {
  u32 flags, value_bytes;
  u32 key_bytes;  // 0: no item
  u32 unused;
  u64 key[2];  // and more; 16 bytes at a time. The value is behind it.

  GENESYS_KERNEL u8* value() { return reinterpret_cast<u8*>(key) + (key_bytes + 15) / 16 * 16; }
};
static_assert(sizeof(item) == 32);

// The bytes of an item with this key and this value.
GENESYS_KERNEL constexpr u64 item_bytes(u32 key_bytes, u64 value_bytes) {
  return 16 + (key_bytes + 15) / 16 * 16 + value_bytes;
}

enum class search : u32 {
  tags,  // looks at the tags of a bucket, and at the items whose tags match
  items  // looks at the key of each item
};

struct table {
  u32 buckets, depth, slot_bytes;
  search by;
  u32* locks;  // of each bucket: writer_bit, or the number of readers
  u32* tags;   // of each place: a part of the hash; 0: no item
  u64* cas;    // of each place: unique, and greater than that of all items that were set before
  u64* last_cas;
  u8* items;  // slot_bytes for each place

  GENESYS_KERNEL u32 bucket_of(u64 hash) const { return static_cast<u32>((hash & 0xffffffff) * buckets >> 32); }
  GENESYS_KERNEL u64 place(u32 bucket, u32 i) const { return u64{bucket} * depth + i; }
  GENESYS_KERNEL item& at(u64 place) const { return *reinterpret_cast<item*>(items + place * slot_bytes); }
};

GENESYS_KERNEL u32 tag_of(u64 hash) { return static_cast<u32>(hash >> 32) | 1; }

constexpr u32 writer_bit = 1u << 31;

// One thread of a team locks and unlocks; the team's barriers extend that to all of its threads.
template <class Team>
GENESYS_KERNEL void lock(const Team& team, u32& word, bool as_writer) {
  const genesys::atomic<u32> state(word);
  for (u32 seen = 0;;) {  // most often nobody holds it
    const bool is_free = as_writer ? seen == 0 : (seen & writer_bit) == 0;
    if (is_free && state.compare_exchange(seen, as_writer ? writer_bit : seen + 1, order::acquire)) return;
    if (!is_free) {
      team.relax();
      seen = state.load(order::relaxed);
    }
  }
}
GENESYS_KERNEL void unlock(u32& word, bool as_writer) {
  genesys::atomic<u32>(word).fetch_sub(as_writer ? writer_bit : 1, order::release);  // pairs with lock()
}

// Keys often begin alike, so the last word comes first.
GENESYS_KERNEL u32 last_word(const request& r) { return (r.key_bytes - 1) / 8; }
GENESYS_KERNEL bool has_key(const item& it, const request& r) {
  if (it.key_bytes != r.key_bytes) return false;
  for (u32 left = last_word(r) + 1; left > 0; --left)
    if (it.key[left - 1] != r.key[left - 1]) return false;
  return true;
}

// Returns the place in the bucket that holds the key, or not_there. The bucket is locked.
template <class Team>
GENESYS_KERNEL u32 find(const Team& team, const table& t, u32 bucket, const request& r) {
  const u64 first = t.place(bucket, 0);
  u32 mine = not_there;
  if (t.by == search::tags) {
    const u32 tag = tag_of(r.hash);
    for (u32 i = team.next_tag(t.tags + first, team.rank(), t.depth, tag); i < t.depth && mine == not_there;
         i = team.next_tag(t.tags + first, i + team.size(), t.depth, tag))
      if (has_key(t.at(first + i), r)) mine = i;
  } else if (item_bytes(r.key_bytes, 0) <= t.slot_bytes) {
    const u32 last = last_word(r);
    // Some items at a time: one load after the other would wait for device memory each time.
    constexpr u32 at_a_time = 8;
    for (u32 from = team.rank(); from < t.depth && mine == not_there; from += at_a_time * team.size()) {
      u32 lengths[at_a_time];
      u64 words[at_a_time];
      for (u32 k = 0; k < at_a_time; ++k) {
        const u32 i = from + k * team.size();
        const item& it = t.at(first + (i < t.depth ? i : 0));
        lengths[k] = i < t.depth ? it.key_bytes : 0;
        words[k] = it.key[last];
      }
      for (u32 k = 0; k < at_a_time && mine == not_there; ++k) {
        const u32 i = from + k * team.size();
        if (lengths[k] == r.key_bytes && words[k] == r.key[last] && has_key(t.at(first + i), r)) mine = i;
      }
    }
  }
  return static_cast<u32>(team.least(mine == not_there ? ~u64{0} : mine));
}

// Returns a place without an item; in a full bucket, the one whose item was set first. The bucket is locked.
template <class Team>
GENESYS_KERNEL u32 find_room(const Team& team, const table& t, u32 bucket) {
  const u64 first = t.place(bucket, 0);
  u64 mine = ~u64{0}, at = 0;
  for (u32 i = team.rank(); i < t.depth; i += team.size()) {
    const u64 since = t.tags[first + i] == 0 ? 0 : t.cas[first + i];
    if (since < mine) mine = since, at = i;
  }
  const u64 least = team.least(mine);
  return static_cast<u32>(team.least(mine == least && mine != ~u64{0} ? at : ~u64{0}));
}

struct stored {
  status outcome;
  u64 cas;
};

// Stores the request's value. All threads get the same result.
template <class Team>
GENESYS_KERNEL stored set(const Team& team, const table& t, const request& r) {
  const bool fits = item_bytes(r.key_bytes, r.value_bytes) <= t.slot_bytes;
  if (fits && r.is_cut) return {status::bad_chunk, 0};
  const u32 bucket = t.bucket_of(r.hash);
  if (team.is_first()) lock(team, t.locks[bucket], true);
  team.sync();
  u32 i = find(team, t, bucket, r);
  const bool is_there = i != not_there, compares = fits && r.expected_cas != 0;
  stored result{status::success, 0};
  if (compares && !is_there) result.outcome = status::not_found;
  if (compares && is_there && t.cas[t.place(bucket, i)] != r.expected_cas) result.outcome = status::exists;
  if (result.outcome == status::success) {
    const bool stays = fits && !r.is_expired;
    if (!is_there && stays) i = find_room(team, t, bucket);
    const u64 place = t.place(bucket, i);
    team.sync();  // all threads have compared the cas
    if (stays) {
      if (team.is_first()) {
        item& it = t.at(place);
        it.flags = r.flags;
        it.value_bytes = r.value_bytes;
        it.key_bytes = r.key_bytes;
        t.tags[place] = tag_of(r.hash);
        t.cas[place] = genesys::atomic<u64>(*t.last_cas).fetch_add(1, order::relaxed) + 1;
      }
      team.sync();
      item& it = t.at(place);
      team.copy(reinterpret_cast<u8*>(it.key), reinterpret_cast<const u8*>(r.key), (r.key_bytes + 15) / 16 * 16);
      team.copy(it.value(), r.value, r.value_bytes);
      result.cas = t.cas[place];
    } else if (is_there && team.is_first()) {  // the old value is not valid any more
      t.tags[place] = 0;
      t.at(place).key_bytes = 0;
    }
    if (!fits) result.outcome = status::too_large;
  }
  team.sync();
  if (team.is_first()) unlock(t.locks[bucket], true);
  return result;
}

template <class Team>
GENESYS_KERNEL status remove(const Team& team, const table& t, const request& r) {
  const u32 bucket = t.bucket_of(r.hash);
  if (team.is_first()) lock(team, t.locks[bucket], true);
  team.sync();
  const u32 i = find(team, t, bucket, r);
  status result = status::not_found;
  if (i != not_there) {
    const u64 place = t.place(bucket, i);
    result = r.expected_cas != 0 && t.cas[place] != r.expected_cas ? status::exists : status::success;
    if (result == status::success && team.is_first()) {
      t.tags[place] = 0;
      t.at(place).key_bytes = 0;
    }
  }
  team.sync();
  if (team.is_first()) unlock(t.locks[bucket], true);
  return result;
}

// Calls use(item, cas) for the key's item, while the bucket is locked for readers. Returns whether there is one.
template <class Team, class Use>
GENESYS_KERNEL bool get(const Team& team, const table& t, const request& r, const Use& use) {
  const u32 bucket = t.bucket_of(r.hash);
  if (team.is_first()) lock(team, t.locks[bucket], false);
  team.sync();
  const u32 i = find(team, t, bucket, r);
  if (i != not_there) use(t.at(t.place(bucket, i)), t.cas[t.place(bucket, i)]);
  team.sync();
  if (team.is_first()) unlock(t.locks[bucket], false);
  return i != not_there;
}

}  // namespace memcached
