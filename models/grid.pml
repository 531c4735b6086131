// SPDX-License-Identifier: Apache-2.0
//
// grid.pml: calls of whole grids (detail/team/grid_call.h, grid_records.h). The blocks of one launch make the same
// calls. The launch is repeated under the same number, with what its blocks remember still in their shared memory, or
// lost. Another launch runs beside it and may claim the record when no block needs it.
//
// G1 find the launch record, the call record, its word, and the epoch again   G2 decide: pin the launch record, then
// exchange the word   G3 refused, or under way   G4 arrive (producer) or make the call (consumer)
// G5 pass, free the call record, renew the launch record   L1 the table's lock   L2 claim a record that no block needs

#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef CALLS
#define CALLS 2  // even ones are producers, odd ones consumers; +PHASE
#endif
#ifndef PHASE
#define PHASE 0
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef RECORDS
#define RECORDS 1
#endif
#ifndef INSTANCES
#define INSTANCES 2  // launches: 0, its replay 1, and another one 2
#endif
#ifndef OTHERS
#define OTHERS 1  // blocks of launch 2
#endif
#define N (inst == 2 -> OTHERS : BLOCKS)
#define NONE 99

byte r_launch[RECORDS], r_pins[RECORDS], r_epoch[RECORDS], r_base[RECORDS], r_decided[RECORDS];
short r_out[RECORDS];
bit  r_busy[RECORDS];
byte s_next[RECORDS * SLOTS], s_live[RECORDS * SLOTS], s_arrived[RECORDS * SLOTS], s_passed[RECORDS * SLOTS];
byte s_value[RECORDS * SLOTS];  // 0: not done; else the call's name
byte epochs;
bit  locked, no_room;

byte m_epoch[6], m_next[6], m_record[6];  // what a block remembers; m_epoch 0: nothing
byte came[INSTANCES * CALLS], made[INSTANCES * CALLS], refused[INSTANCES * CALLS], ended[3];

// G5
inline pass(n)
{
    was = r_epoch[at];
    r_out[at] = r_out[at] - n;
    do
    :: r_out[at] != 0 || r_epoch[at] != was -> break
    :: d_step { r_out[at] == 0 && r_pins[at] == 0 && r_busy[at] == 0 -> r_busy[at] = 1 }
#ifndef M_NEVER_RENEW
        epochs++; d_step { r_epoch[at] = epochs; r_base[at] = r_decided[at] }
#endif
        r_busy[at] = 0;
        break
#ifdef M_LEAVE_IT_TO_OTHERS
    :: r_pins[at] != 0 || r_busy[at] != 0 -> break
#endif
    od;
    was = 0
}

inline free_call_record()
{
#ifdef M_FREE_TOO_SOON
    s_live[idx] = 0;
    s_arrived[idx] = 0; s_passed[idx] = 0; s_value[idx] = 0;
#else
    s_arrived[idx] = 0; s_passed[idx] = 0; s_value[idx] = 0;
    s_live[idx] = 0;
#endif
    pass(N)
}

inline find()
{
    at = 0;
    do
    :: at < RECORDS && r_launch[at] != launch -> at++
    :: at < RECORDS && r_launch[at] == launch -> break
    :: at == RECORDS -> at = NONE; break
    od
}

proctype block(byte inst; byte launch; byte me)
{
    byte i, at, epoch, base, ordinal, round, idx, next, live, was;
    bit known, first, won, pinned;

    (inst != 1 || ended[0] == BLOCKS);
    if
    :: inst == 1 -> m_epoch[me] = 0  // another block used the shared memory in between
    :: skip
    fi;
    do
    :: i < CALLS ->
        d_step { came[inst * CALLS + i]++; known = m_epoch[me] != 0; first = 0;
                 at = (known -> m_record[me] : NONE); epoch = m_epoch[me] }
again:
        if
        :: at == NONE ->
            find();
            if
#ifdef M_NO_SECOND_LOOK
            :: at == NONE && !no_room ->
#else
            :: at == NONE ->
#endif
                d_step { locked == 0 -> locked = 1 }  // L1
                find();
                if
                :: at == NONE && !no_room ->
                    at = 0;
                    do
                    :: at < RECORDS ->  // L2
                        d_step { won = (r_out[at] == 0 && r_pins[at] == 0 && r_busy[at] == 0);
                                 if :: won -> r_busy[at] = 1 :: else fi }
                        if
                        :: won ->
#ifndef M_OWNER_LAST
                            r_launch[at] = 0;
#endif
                            d_step { epochs++; assert(epochs < 20) }  // launches do not take it from each other forever
                            d_step { r_epoch[at] = epochs; r_base[at] = r_decided[at] }
                            r_launch[at] = launch;
#ifdef M_TAKE_WITHOUT_PIN
                            r_busy[at] = 0;
#else
                            d_step { r_busy[at] = 0; r_pins[at]++; pinned = 1 }
#endif
                            break
                        :: else -> at++
                        fi
                    :: else -> no_room = 1; at = NONE; break
                    od
                :: else
                fi;
                locked = 0
            :: else
            fi;
            if
            :: at == NONE -> refused[inst * CALLS + i]++; goto next_call
            :: else
            fi;
            d_step { epoch = r_epoch[at]; base = r_base[at] }  // G1
            if
            :: r_launch[at] != launch -> at = NONE; goto again
            :: else
            fi
        :: else
        fi;
        d_step { ordinal = (known && epoch == m_epoch[me] -> m_next[me] : base);
                 round = ordinal / SLOTS; idx = at * SLOTS + ordinal % SLOTS }
        d_step { next = s_next[idx]; live = s_live[idx] }
        if
        :: r_epoch[at] != epoch -> assert(!pinned); at = NONE; goto again
        :: else
        fi;
        if
        :: next == round ->  // G2
#ifdef M_NO_PIN
            won = (r_busy[at] == 0);
#else
            d_step { if :: !pinned -> r_pins[at]++ :: else fi; won = (r_busy[at] == 0); pinned = 0 }
#endif
            if
#ifdef M_NO_EPOCH_AFTER_PIN
            :: !won ->
#else
            :: !won || r_epoch[at] != epoch ->
#endif
#ifndef M_NO_PIN
                r_pins[at]--;
#endif
                at = NONE; goto again
            :: else
            fi;
            d_step { won = (s_next[idx] == next && s_live[idx] == live);
                     if
                     :: won -> s_next[idx] = round + 1; if :: live == 0 -> s_live[idx] = round + 1 :: else fi
                     :: else
                     fi }
            if
#ifdef M_NO_PIN
            :: !won -> goto again
            :: else -> r_decided[at] = r_decided[at] + 1; r_out[at] = r_out[at] + N
#else
            :: !won -> r_pins[at]--; goto again
            :: else ->
                r_decided[at] = r_decided[at] + 1;
                d_step { r_out[at] = r_out[at] + N; r_pins[at]-- }
#endif
            fi;
            d_step { first = 1; live = (live == 0 -> round + 1 : live) }
        :: else -> if :: pinned -> r_pins[at]--; pinned = 0 :: else fi
        fi;
        d_step { m_epoch[me] = epoch; m_next[me] = ordinal + 1; m_record[me] = at }
        if
        :: live != round + 1 ->  // G3
            d_step { refused[inst * CALLS + i]++; assert(made[inst * CALLS + i] == 0) }
            pass(1)
        :: live == round + 1 && (i + PHASE) % 2 == 0 ->  // G4
            d_step { s_arrived[idx]++; won = (s_arrived[idx] == N) }
            if
            :: won ->
                free_call_record();
                d_step { made[inst * CALLS + i]++; assert(came[inst * CALLS + i] == N);
                         assert(refused[inst * CALLS + i] == 0); assert(made[inst * CALLS + i] == 1) }
            :: else
            fi
        :: else ->
            if
            :: first ->
                d_step { made[inst * CALLS + i]++; assert(made[inst * CALLS + i] == 1);
                         assert(refused[inst * CALLS + i] == 0) }
                s_value[idx] = inst * CALLS + i + 1
            :: else ->
                d_step { s_value[idx] != 0 -> assert(s_value[idx] == inst * CALLS + i + 1) }
            fi;
            d_step { s_passed[idx]++; won = (s_passed[idx] == N) }
            if
            :: won -> free_call_record()
            :: else
            fi
        fi;
next_call:
        atomic { i++; won = 0; next = 0; live = 0; ordinal = 0; round = 0; idx = 0; base = 0; epoch = 0; at = 0 }
    :: else -> break
    od;
    ended[inst]++;
#ifdef WITHOUT_REFUSALS
    assert(!no_room);
#endif
}

init
{
    atomic {
        byte b;
        for (b : 0 .. BLOCKS - 1) {
            run block(0, 1, b);
            run block(1, 1, b)
        }
#if INSTANCES > 2
        for (b : 0 .. OTHERS - 1) { run block(2, 2, BLOCKS + b) }
#endif
    }
    (ended[0] == BLOCKS && ended[1] == BLOCKS && (INSTANCES == 2 || ended[2] == OTHERS));
    byte r, k;
    for (r : 0 .. RECORDS - 1) { assert(r_out[r] == 0 && r_pins[r] == 0 && r_busy[r] == 0) }
    for (k : 0 .. INSTANCES * CALLS - 1) {
        assert((made[k] == 1 && refused[k] == 0) ||
               (made[k] == 0 && refused[k] == (k / CALLS == 2 -> OTHERS : BLOCKS)))
    }
    for (k : 0 .. RECORDS * SLOTS - 1) { assert(s_live[k] == 0) }
}
