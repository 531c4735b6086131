// SPDX-License-Identifier: Apache-2.0
// The protocol: how one system call crosses from a kernel to the CPU and back. Freestanding, used by both sides and
// both devices: what is laid out in memory, and how requests and answers are coded. The calling side's steps are in
// calling.h, the serving side's in src/host/submission_queue.h; models/ checks both; docs/protocol.md ties the model's
// labels to the code.
//
// Memory. *Host block*: pinned memory that both sides address, and that the GPU may spoil, so the serving side reads
// it once and believes nothing. *Device block*: device memory that only kernels touch. *Private*: the host's own.
//
//   host block    ring[shard][slots]   requests, 64 bytes each; written by callers, read by the shard's worker
//                 mirror[shard]        how many were taken; written by the worker, read by callers out of room
//                 cell[32 * groups]    answers, 8 bytes each; written by the worker, polled by the one caller
//                 extra[32 * groups]   16 bytes more of an answer; written before the cell, if the answer says so
//                 returned[chunks/64]  bits that the host flips when it gives a bounce buffer back (bounce.h)
//   device block  gate[shard]          tail, and the last known mirror
//                 group[groups]        {phase : 32 | claimed : 32}: who owns the 32 cells of a group
//                 ended                1: nobody serves any more
//                 ranges, grids        what is known of addresses (ranges.h), and of calls of grids (grid.h)
//   private       turn[shard]          {epoch : 12 | head : 52}: whose turn it is, and the next request to take
//
// A call. (C: calling side, S: serving side; the labels are the model's.)
//   C1 claim a cell: set its bit in `claimed`; the bit that was set already is somebody else's. The cell's phase is
//      read by the same operation, and the answer will carry the other phase.
//   C2 choose a shard that has room, or remember one.   C3 take tickets, if it still has: tail -> tail + lanes.
//   C4 fence; then store the words of the slot, in any order, each with the ticket's tag. Pairs of arguments that are
//      zero are left out, but not in every eighth generation of the ring.
//   C5 poll the cell until its phase is the other one.
//   C6 release: flip the phase and clear the claim, in one operation.
//   With a ticket, C1 claims a cell of the tickets' groups, and C5, C6 come when it is waited for. A posted call has no
//   cell: C1, C5, C6 and the cell in S6 are left out. Each ticket's cell has a ring of its own, through which all its
//   requests go, and all that follow its calls: these the serving side puts aside until the cell has the answer (F1 to
//   F5, src/host/dependent_calls.h).
//   S1 read turn, and of the slot at head the last word, which names the others that are there, and these; all tags
//      must be head's.   S2 keep them in private memory.
//   S3 turn: head -> head + 1, if the turn is still ours.   S4 mirror = head + 1.
//   S5 make the call.   S6 write extra, then the cell.
//
// Invariants.
//   I1 A ticket t is taken, and its slot written, only when mirror > t - slots was seen: the request before it there
//      was taken (S3). Between taking a ticket and publishing nobody waits for room, so nobody is held up by a ticket
//      in a sleeper's hands.
//   I2 8 bytes arrive whole or not at all; nothing is promised about the order of two words. So each word carries the
//      tag, and a request is there when all that it names do. One word can never show an older generation after a
//      newer one (coherence), and is at most eight generations old, since each eighth is written, and waited for,
//      whole: hence tags have to tell nine generations apart, and tell sixteen.
//   I3 A request is taken by exactly one worker: the one whose exchange S3 succeeded. Whoever fails there forgets what
//      it read, and the shard too if its epoch is over.
//   I4 A cell has one owner from C1 to C6, and in between is written once, with the phase that it did not have. There
//      are as many groups as resident warps, and a thread owns one cell of them at a time, so whoever looks for one
//      finds one. Tickets have groups of their own, as many for each warp, and whoever finds none there is told so.
//   I5 mirror may lag, also step back for a moment when a worker that lost its turn stores late (S4); whoever finds
//      nothing pending repairs it. Callers take the highest they saw, and look again while they wait.
#pragma once

#include "genesys/detail/wire/completion.h"
#include "genesys/detail/wire/device_context.h"
#include "genesys/detail/wire/request.h"
