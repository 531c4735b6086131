// SPDX-License-Identifier: Apache-2.0
//
// abort.pml: abort of launches (docs/schedule-abort.md, detail/wire/abort.h). A task has launch 0 and,
// ahead of its end, launch 1, in one stream. Each has 2 blocks with a barrier in the middle. The driver aborts them up
// to RAISES times, at any time and in any order, rolls back, and launches them again. One raiser for each abort index
// stores the flag into the replicas, in any order.
//
// N1 begin: index, epoch, chain   N2 raise   N3 store the replicas   N4 acknowledge   N5 the raiser leaves
// B1 entry poll   B2 vote   B3 work, with polls that may be stale   B4 barrier   B5 leave: count, set the latch
// D1 drain   D2 conclude by the counts   D3 roll back   D4 release the index
//
// ALONE: no barrier, each thread decides alone. STICKY: threads leave between barriers, and the others test a word in
// shared memory after the barrier. LEAVES: the raisers may leave; the host then stores itself. BOTH: a raiser begins
// late or never; until then the host stores, and releases the index, and the raiser then stores the same again.
// COPIES (with BOTH): the host does not store itself, but begins a copy that ends later; until then it keeps the index.
// EPOCHS, CHAINS: how many values there are. LATER_FIRST (with M_NO_LATCH): without a latch, the flags are stored one
// launch after the other. ONE_INDEX: launch 1 is not raised.

#ifndef RAISES
#define RAISES 2
#endif
#ifndef EPOCHS
#define EPOCHS 12
#endif
#ifndef CHAINS
#define CHAINS 5
#endif
#ifndef RUNS
#define RUNS 7  // 2 for each chain, and 1: runs count from 1
#endif
#ifndef THREADS
#define THREADS 3  // 4, or 3: the second block has one thread
#endif
#ifdef LATER_FIRST
#define may_raise_first (raised[1] && !pending[1])
#else
#define may_raise_first 1
#endif
// The host's word on index i: all replicas hold what was last raised, and no store of an older epoch will come.
#if defined(M_FORGET_COPY)
#define settled(i) (!pending[i] || (!here[i] && copied[i] == wanted[i]))
#elif defined(COPIES)
#define settled(i) (!copying[i] && (!pending[i] || (!here[i] && copied[i] == wanted[i])))
#elif defined(BOTH)
#define settled(i) (!pending[i] || (!here[i] && flag[i] == wanted[i] && flag[2 + (i)] == wanted[i]))
#else
#define settled(i) (!pending[i])
#endif
#define block_of(t) ((t) / 2)
#define other_of(t) ((t) ^ 1)

// Device memory.
byte flag[4];              // [replica * 2 + index]: the aborted epoch; block b polls replica b
byte latch;                 // the stopped chain
byte left_count[2];        // [index]: threads that left early; never reset
byte entry_count[2];       // those of them that left at the entry poll
byte mark[4];              // M_PLAIN_MARK only: [replica * 2 + index]

// The host and the raisers.
byte wanted[2];            // the epoch to raise
bit  pending[2], absent[2];  // raised, not acknowledged; the raiser has left
#ifdef BOTH
bit  here[2];              // the raiser has begun
#endif
#ifdef COPIES
bit  copying[2];           // a copy is under way
byte copied[2];            // the epoch of the last one
#endif
byte pushed, last_run[2];  // runs in the stream; the run that owns the index

// What a run was launched with.
byte epoch_of[RUNS], chain_of[RUNS];
bit  index_of[RUNS], ahead[RUNS];

// The blocks of the current run.
byte at_barrier[4], votes[4];
bit  gone[4], sticky[2];

// Ghosts.
byte gone_count[RUNS], left_early[RUNS], whole[RUNS], written[RUNS];
bit  asked[RUNS], acked[RUNS], lost[4], over;

// N3, N4. The stores arrive in any order.
inline store_replicas(i)
{
    d_step { e = wanted[i]; r = last_run[i] }
#ifdef M_GONE_EARLY
    if :: absent[i] = 1 :: skip fi;
#endif
    if
    :: flag[i] = e; flag[2 + i] = e
    :: flag[2 + i] = e; flag[i] = e
    fi;
#ifdef M_PLAIN_MARK
    mark[i] = 0; mark[2 + i] = 0;  // a copy of whole lines, in which the marks are zero
#endif
    d_step { if
             :: wanted[i] == e -> pending[i] = 0; if :: epoch_of[r] == e -> acked[r] = 1 :: else fi
             :: else  // the host has raised the next one since
             fi;
             e = 0; r = 0 }
}

proctype raiser(bit i)
{
    byte e, r;
#ifdef BOTH
#ifdef M_HERE_LATE
    d_step { e = wanted[i]; r = pending[i] }
#endif
    if
    :: here[i] = 1
    :: over  // it never begins
    fi;
#ifdef M_HERE_LATE
    if :: r && !over -> flag[i] = e; flag[2 + i] = e :: else fi;
    e = 0; r = 0;
#endif
#endif
end:
    do
    :: pending[i] && !absent[i] -> store_replicas(i)
#if defined(LEAVES)
    :: !over && !absent[i] -> absent[i] = 1; break  // N5
#endif
    :: over -> break
    od
}

#ifdef COPIES
proctype copier(bit i)
{
end:
    do
    :: copying[i] ->
        if
        :: flag[i] = copied[i]; flag[2 + i] = copied[i]
        :: flag[2 + i] = copied[i]; flag[i] = copied[i]
        fi;
        d_step { copying[i] = 0;
                 if :: epoch_of[last_run[i]] == copied[i] -> acked[last_run[i]] = 1 :: else fi }
    :: over && !copying[i] -> break
    od
}

inline begin_copy(i)
{
    d_step { copied[i] = wanted[i]; copying[i] = 1; if :: absent[i] -> pending[i] = 0 :: else fi }
}
#endif

// N1: a new epoch for index i, not the last one that was raised, which its flags hold.
inline begin(i, is_ahead)
{
    d_step {
        pushed++; assert(pushed < RUNS);
        epoch = epoch % EPOCHS + 1;
#ifndef M_NO_SKIP
        do
        :: epoch == wanted[i] -> epoch = epoch % EPOCHS + 1
        :: else -> break
        od;
#endif
        epoch_of[pushed] = epoch; chain_of[pushed] = chain; index_of[pushed] = i; ahead[pushed] = is_ahead;
        last_run[i] = pushed; base_left[i] = left_count[i]; base_entry[i] = entry_count[i]; raised[i] = 0 }
}

// D2: sets `aborted` and `wrote` of index i.
inline conclude(i)
{
    d_step {
        r = last_run[i];
#ifdef M_PLAIN_MARK
        aborted[i] = (mark[i] == epoch_of[r] || mark[2 + i] == epoch_of[r]);
#else
        aborted[i] = (left_count[i] != base_left[i]);
#endif
#ifdef M_READ_ONLY_RAISED
        if :: !raised[i] -> aborted[i] = 0 :: else fi;
#else
        if :: !raised[0] && !raised[1] -> aborted[i] = 0 :: else fi;  // no launch of the chain was raised
#endif
#ifdef M_WROTE_ANY
        wrote[i] = (entry_count[i] == base_entry[i]);
#else
        wrote[i] = (entry_count[i] - base_entry[i] != THREADS);
#endif
        decided[i] = 1;
        assert(gone_count[r] == THREADS);                  // the drain is over
        assert(aborted[i] == (left_early[r] != 0));        // not whole for aborted, not aborted for whole
        assert(aborted[i] || whole[r] == THREADS);
        assert(!aborted[i] || wrote[i] || written[r] == 0) // nothing was written, if it says so
    }
    r = 0
}

#if defined(BOTH) && !defined(COPIES)
inline host_has_stored(i)
{
    d_step { if :: !here[i] && epoch_of[last_run[i]] == wanted[i] -> acked[last_run[i]] = 1 :: else fi }
}
#endif

proctype host()
{
    byte raises, epoch, chain, r, e;
    bit first;  // the first launch that is not finished
    byte base_left[2], base_entry[2];
    bit raised[2], aborted[2], wrote[2], decided[2];
again:
    atomic { chain = chain % CHAINS + 1;
#ifndef M_NO_SKIP
             if :: chain == latch -> chain = chain % CHAINS + 1 :: else fi;
#endif
             decided[0] = first; decided[1] = 0; aborted[0] = 0; aborted[1] = 0; raised[0] = 0 }
    if :: !first -> begin(0, 0); begin(1, 1) :: else -> begin(1, 0) fi;
    do
    :: raises < RAISES && !decided[0] && settled(0) && may_raise_first ->
       d_step { raises++; raised[0] = 1; wanted[0] = epoch_of[last_run[0]];  // N2
                asked[last_run[0]] = 1; pending[0] = 1 }
#ifndef ONE_INDEX
    :: raises < RAISES && !decided[1] && settled(1) ->
       d_step { raises++; raised[1] = 1; wanted[1] = epoch_of[last_run[1]];  // N2
                asked[last_run[1]] = 1; pending[1] = 1 }
#endif
#ifdef COPIES
    :: pending[0] && !copying[0] && (absent[0] || (!here[0] && copied[0] != wanted[0])) -> begin_copy(0)
    :: pending[1] && !copying[1] && (absent[1] || (!here[1] && copied[1] != wanted[1])) -> begin_copy(1)
#else
#ifndef M_IGNORE_GONE
    :: pending[0] && absent[0] -> store_replicas(0)
    :: pending[1] && absent[1] -> store_replicas(1)
#endif
#ifdef BOTH
    :: pending[0] && !here[0] && flag[0] != wanted[0] -> flag[0] = wanted[0]; flag[2] = wanted[0]; host_has_stored(0)
    :: pending[1] && !here[1] && flag[1] != wanted[1] -> flag[3] = wanted[1]; flag[1] = wanted[1]; host_has_stored(1)
#endif
#endif
#ifdef M_NOT_DRAINED
    :: !decided[0] && (gone_count[last_run[0]] == THREADS || left_count[0] != base_left[0]) -> conclude(0)
#else
    :: !decided[0] && gone_count[last_run[0]] == THREADS -> conclude(0)  // D1
#endif
    :: decided[0] && !decided[1] && gone_count[last_run[1]] == THREADS -> conclude(1)
    :: decided[0] && decided[1] && settled(0) && settled(1) -> break  // D4
    od;
    atomic {
        if
        :: aborted[0] ->  // D3: launch 1 has not written over what launch 0 reads
            assert(aborted[1] && !wrote[1]);
            assert(gone_count[pushed] == THREADS);
            aborted[0] = 0; aborted[1] = 0; r = 1
        :: !aborted[0] && aborted[1] -> first = 1; aborted[1] = 0; r = 1
        :: else -> r = 0
        fi;
        wrote[0] = 0; wrote[1] = 0 }
    if :: r == 1 -> r = 0; goto again :: else fi;
    over = 1
}

// B5. Lanes and blocks leave at different times; the counts have arrived when the launch has ended.
inline leave(at_entry)
{
    atomic {
        assert(asked[no] || (ahead[no] && left_early[no - 1] != 0));  // not by an older flag
        left_early[no]++; lost[me] = 1;
#if defined(M_PLAIN_MARK)
        mark[block_of(me) * 2 + i] = epoch_of[no];
#elif !defined(M_NO_COUNT)
        left_count[i]++; if :: at_entry -> entry_count[i]++ :: else fi;
#endif
#ifndef M_NO_LATCH
        latch = chain_of[no];
#endif
        goto ends }
}

// A load that is tested later, or none: the clock forbids it, or the last value is old.
inline load_flag()
{
    if
    :: seen = (flag[block_of(me) * 2 + i] == epoch_of[no])
    :: seen = 0
    fi
}

// B2, B4: the barrier counts the threads that have not left. `result`: whether any thread of it voted to leave.
inline vote(n, mine)
{
    d_step { at_barrier[me] = n; if :: mine -> votes[me] = votes[me] | n :: else fi }
    d_step { at_barrier[other_of(me)] >= n || gone[other_of(me)];
             result = ((votes[me] | votes[other_of(me)]) & n) != 0 }
}

proctype thread(byte me)
{
    byte no;
    bit  i, seen, result;
    no = 1;
end:
    do
    :: over -> break
    :: pushed >= no && (no == 1 || gone_count[no - 1] == THREADS) ->
        i = index_of[no];
#ifdef STICKY
#if !defined(M_NO_INIT) && !defined(M_INIT_LATE)
        if :: me % 2 == 0 -> sticky[block_of(me)] = 0 :: else fi;
#endif
#endif
        d_step {  // B1
            seen = (flag[block_of(me) * 2 + i] == epoch_of[no]);
            assert(!acked[no] || seen);  // no abort is lost: a block that starts later sees it
#ifndef M_NO_LATCH
            if :: ahead[no] && latch == chain_of[no] -> seen = 1 :: else fi
#endif
        }
#ifdef ALONE
        result = seen;
#else
        vote(1, seen);  // B2
#endif
        if :: result -> leave(1) :: else fi;
#ifdef M_INIT_LATE
        if :: me % 2 == 0 -> sticky[block_of(me)] = 0 :: else fi;
#endif
        atomic {  // B3
            load_flag();
            assert(!ahead[no] || left_early[no - 1] == 0);  // it runs on what the launch before has finished
            written[no]++ }
        if
        :: seen ->
#if defined(ALONE) || defined(M_NO_VOTE)
            leave(0)
#elif defined(M_STICKY_LATE)
            gone[me] = 1; sticky[block_of(me)] = 1; leave(0)
#elif defined(STICKY)
            sticky[block_of(me)] = 1; leave(0)
#else
            vote(2, 1);
            leave(0)
#endif
        :: else
        fi;
#ifndef ALONE
        load_flag();
#ifdef STICKY
        vote(2, 0);  // B4: a plain barrier
        if :: sticky[block_of(me)] -> leave(0) :: else fi;
#elif defined(M_STALE_AFTER_BARRIER)
        vote(2, 0);
        if :: seen -> leave(0) :: else fi;
#else
        vote(2, seen);
#ifndef M_NO_VOTE
        if :: result -> leave(0) :: else fi;
#endif
#endif
        assert(!lost[other_of(me)]);  // it uses what the other thread wrote before the barrier
#endif
        atomic { written[no]++; whole[no]++; goto ends }
ends:
        atomic {
            gone[me] = 1; gone_count[no]++; seen = 0; result = 0;
            if
            :: gone_count[no] == THREADS ->
                at_barrier[0] = 0; at_barrier[1] = 0; at_barrier[2] = 0; at_barrier[3] = 0;
                votes[0] = 0; votes[1] = 0; votes[2] = 0; votes[3] = 0;
                gone[0] = 0; gone[1] = 0; gone[2] = 0; gone[3] = (THREADS == 3);
                lost[0] = 0; lost[1] = 0; lost[2] = 0; lost[3] = 0
            :: else
            fi;
            no++ }
    od
}

init
{
    atomic {
#ifdef M_NO_INIT
        if :: sticky[0] = 1 :: sticky[0] = 0 fi;  // what an earlier kernel left in shared memory
#endif
        gone[3] = (THREADS == 3);
        run host(); run raiser(0);
#ifndef ONE_INDEX
        run raiser(1);
#endif
#ifdef COPIES
        run copier(0);
#ifndef ONE_INDEX
        run copier(1);
#endif
#endif
        run thread(0); run thread(1); run thread(2);
#if THREADS == 4
        run thread(3)
#endif
    }
}
