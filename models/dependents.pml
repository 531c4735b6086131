// SPDX-License-Identifier: Apache-2.0
//
// dependents.pml: calls that depend on earlier ones. One ticket's completion slot has several owners, one after
// another. Each makes a call, posts a dependent of it, waits for the first call, and passes the slot on, so that the
// next completion has the other phase. Two workers dequeue from the slot's queue at any moment, so one may find that
// the other was faster (submission_queue::dequeue_dependent, dependent_calls.cpp, completion_writer::complete). The
// queue is abstract, as in posted.pml. A process may wait for ever for a lock or for the slot: no other call depends
// on it.
//
// F1 hold the dependent, not yet dequeued, and show that one is held   F2 then load the completion slot   S3 dequeue it
// F3 it stays held, unless it is due   F4 one is held: complete under the lock; all that are held are due
// F5 completed without the lock: look once more; those whose phase the slot shows are due

#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
#define LAST (ROUNDS + 1)

byte tail[2], head[2];  // of the completion slot's queue, and of another one
byte queue[8], other[4];  // {round, 1: the dependent}
bit  completion_slot;  // the phase that it shows
bit  lock;
byte some;  // how many are held
byte untaken[WORKERS]; bit due[WORKERS];  // by worker: the round that it holds undequeued; whether that is due
bit  held[LAST], ready[LAST], done[LAST];
byte made[LAST], all_made;

#define PHASE(k) ((k) & 1)
#ifdef M_OTHER_QUEUE
#define QUEUE_OF_DEPENDENTS 1
#else
#define QUEUE_OF_DEPENDENTS 0
#endif

proctype caller()
{
    byte k = 1;
    do
    :: k <= ROUNDS ->
        d_step { queue[tail[0]] = 2 * k; tail[0]++ }
        d_step {
            if
            :: QUEUE_OF_DEPENDENTS == 0 -> queue[tail[0]] = 2 * k + 1; tail[0]++
            :: else -> other[tail[1]] = 2 * k + 1; tail[1]++
            fi }
        completion_slot == PHASE(k);  // the wait; then the next owner has the slot
        k++
    :: else -> break
    od;
    all_made == ROUNDS  // drain
}

inline take_lock() { atomic { lock == 0 -> lock = 1 } }

inline collect(what) {
    d_step {
        i = 1;
        do
        :: i <= ROUNDS ->
            if
            :: held[i] && (what || completion_slot == PHASE(i)) -> held[i] = 0; some--; ready[i] = 1
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < WORKERS ->
            if
#ifdef M_RELEASE_NOT_DEQUEUED
            :: untaken[i] != 0 && (what || completion_slot == PHASE(untaken[i])) -> ready[untaken[i]] = 1; due[i] = 1
#else
            :: untaken[i] != 0 && (what || completion_slot == PHASE(untaken[i])) -> due[i] = 1
#endif
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        i = 0 }
}

inline make(round) {
    d_step {
        assert(done[round]);  // in order
        made[round]++; all_made++;
        assert(made[round] == 1) }  // once
}

proctype worker(byte me)
{
    byte at, k, r, i;
    bit aside;
end:
    do
    :: d_step { head[0] < tail[0] -> r = 0; at = head[0]; k = queue[at] } goto take
    :: d_step { head[1] < tail[1] -> r = 1; at = head[1]; k = other[at] } goto take
    :: d_step { ready[1] -> ready[1] = 0; k = 1 } make(k); k = 0
    :: d_step { ready[2] -> ready[2] = 0; k = 2 } make(k); k = 0
#if ROUNDS > 2
    :: d_step { ready[3] -> ready[3] = 0; k = 3 } make(k); k = 0
#endif
    od;
take:
    if
    :: (k & 1) == 0 -> k = k / 2; goto earlier
    :: else -> k = k / 2
    fi;

    // A dependent.
#ifndef M_HOLD_DEQUEUED
    if
    :: completion_slot == PHASE(k) -> skip
    :: else ->
        take_lock();
#ifdef M_LOOK_FIRST
        if
        :: completion_slot == PHASE(k) -> skip
        :: else -> untaken[me] = k; some++; aside = 1  // F1
        fi;
#else
        d_step { untaken[me] = k; due[me] = 0; some++ }  // F1
        if
        :: d_step { completion_slot == PHASE(k) -> untaken[me] = 0; some-- }  // F2
        :: else -> aside = 1
        fi;
#endif
        lock = 0
    fi;
#endif
    if
    :: d_step { head[r] == at -> head[r]++; at = 0; r = 0 }  // S3
#ifdef M_HOLD_DEQUEUED
        take_lock();
        d_step { untaken[me] = k; due[me] = 0; some++ }
        if
        :: d_step { completion_slot == PHASE(k) -> untaken[me] = 0; some-- }
        :: else -> aside = 1
        fi;
        lock = 0;
#endif
        if
        :: aside ->
            take_lock();
            if
            :: d_step { due[me] -> due[me] = 0; untaken[me] = 0; some--; aside = 0; lock = 0 }
                make(k); k = 0; goto end
            :: d_step { else -> untaken[me] = 0; held[k] = 1; aside = 0; lock = 0; k = 0 }  // F3
                goto end
            fi
        :: else -> make(k); k = 0; goto end
        fi
    :: d_step { head[r] != at -> at = 0; r = 0 }
        if
        :: aside ->
            take_lock();
            d_step { untaken[me] = 0; due[me] = 0; some--; aside = 0; lock = 0; k = 0 }
            goto end
        :: else -> k = 0; goto end
        fi
    fi;

    // The earlier call.
earlier:
    if
    :: d_step { head[r] == at -> head[r]++; at = 0; r = 0 }  // S3
    :: d_step { head[r] != at -> at = 0; r = 0; k = 0 } goto end
    fi;
    done[k] = 1;  // S5
#ifndef M_NEVER_UNDER_LOCK
    if
    :: some != 0 ->
        take_lock();
        completion_slot = PHASE(k);  // F4
        collect(1);
        d_step { lock = 0; k = 0 }
        goto end
    :: else -> skip
    fi;
#endif
    completion_slot = PHASE(k);  // S6
#ifndef M_NO_SECOND_LOOK
    if
    :: some != 0 ->
        take_lock();
#ifdef M_ALL_WHEN_LATE
        collect(1);
#else
        collect(0);  // F5
#endif
        lock = 0
    :: else -> skip
    fi;
#endif
    k = 0;
    goto end
}

init {
    atomic {
        run caller(); run worker(0); run worker(1);
#if WORKERS > 2
        run worker(2)
#endif
    }
}
