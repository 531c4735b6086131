// SPDX-License-Identifier: Apache-2.0
// The protocol: how a system call crosses from a kernel to the CPU and back through a submission queue. Freestanding,
// used by both sides on both devices. The calling side is detail/queue/, the serving side src/host/; models/ checks
// both, and docs/protocol.md names the function behind each label.
//
// Memory. *Host block*: pinned memory that both sides address. The GPU may overwrite it, so the serving side reads each
// word once and checks it. *Device block*: device memory that only kernels access. *Private*: the host's own memory.
//
//   host block    slots[queue][slots]        requests, 64 bytes each; written by lanes, read by the queue's worker
//                 published_heads[queue]     how many requests were dequeued; written by the worker, read by lanes that
//                                            need space
//                 completion_slots[32 * groups]  completions, 8 bytes each; written by the worker, polled by one lane
//                 extras[32 * groups]        16 more bytes of a completion, written before it, if it says so
//                 returned[buffers / 64]     bits that the host flips when it returns a bounce buffer
//   device block  producers[queue]           tail, and the last known head
//                 claims[groups]             {phase : 32 | claimed : 32}: who owns the 32 completion slots of a group
//                 ended                      1: no worker serves any more
//                 ranges, grids              known addresses, calls of grids
//   private       cursor[queue]              {epoch : 12 | head : 52}: whose queue it is, and the next request
//
// A call. (C: calling side, S: serving side.)
//   C1 claim a completion slot: set its bit in `claimed`. If the bit was set before, another lane owns the slot. The
//      same operation reads the slot's phase; the completion will have the other phase.
//   C2 choose a queue that has space, or the one in the hint.   C3 reserve sequence numbers if there still is space:
//      tail -> tail + lanes.
//   C4 fence; then store the words of the slot, in any order, each with the tag of the sequence number. Pairs of
//      arguments that are zero are left out, except in every eighth generation of the slot.
//   C5 poll the completion slot until its phase is the other one.
//   C6 release: flip the phase and clear the claim, in one operation.
//   With a ticket, C1 claims a slot of the tickets' groups, and C5 and C6 come at the wait. A posted call has no slot:
//   without C1, C5, C6 and the store of S6. Each ticket's slot has one queue, through which all its requests go and all
//   dependents of its calls. The host holds a dependent until the slot has the completion (F1 to F5,
//   src/host/dependent_calls.h).
//   S1 read the cursor, and of the slot at head the last word, which names the other words that are written, and these;
//      all tags must be head's.   S2 keep them in private memory.
//   S3 cursor: head -> head + 1, if the epoch is still the worker's.   S4 published head = head + 1.
//   S5 make the call.   S6 store the extra words, then the completion.
//
// Invariants.
//   I1 A lane reserves number t, and writes its slot, only after it has seen a published head > t - slots: a worker has
//      dequeued the slot's last request (S3). Between C3 and C4 no lane waits for space, so a lane that is suspended
//      does not hold a number that others need.
//   I2 8 bytes arrive whole or not at all; two words arrive in no order. So each word carries the tag, and a request is
//      there when all words are that it names. A word never shows an older generation after a newer one (coherence). It
//      is at most eight generations old, because each eighth is written whole, and awaited whole. So tags must tell
//      nine generations apart; they tell sixteen.
//   I3 Exactly one worker dequeues a request: the one whose exchange S3 succeeds. A worker that fails there forgets
//   what
//      it has read, and the queue too if its epoch is over.
//   I4 A completion slot has one owner from C1 to C6. In between one completion is written, with the phase that the
//   slot
//      did not have. There are as many groups as resident warps, and a lane owns one slot of them at a time, so a lane
//      that looks for a slot finds one. Tickets have groups of their own, as many for each warp; a lane that finds none
//      free there gets -EAGAIN.
//   I5 The published head may lag. It may also go back for a moment, when a worker that has lost the queue stores late
//      (S4); a worker that finds no request repairs it. Lanes use the highest value that they saw, and look again while
//      they wait.
#pragma once

#include "genesys/detail/wire/completion.h"
#include "genesys/detail/wire/device_context.h"
#include "genesys/detail/wire/request.h"
