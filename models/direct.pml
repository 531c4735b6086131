// SPDX-License-Identifier: Apache-2.0
//
// direct.pml: calls that kernels submit to Linux themselves (detail/uring/submit.h, R1 to R8): one shared ring, warps
// that use it, the thread of Linux that reads SQEs and sleeps when there are none, calls that finish in any order, and
// the monitor that wakes the thread. Each wait is a guard on its condition, so the graph of states has no cycle, and
// "no invalid end state" means that every call completes under any schedule.
//
// A step is one access to memory that others can see. Stores of SQEs arrive in host memory in any order until the
// fence of R4. A store to device memory is visible to all other lanes at once.
//
// -DPOSTED: the calls of warp 0 are posted, in a run of its own, whose drain() counts the finished ones, while warps
// of the other run deliver CQEs.

#ifndef SQES
#define SQES 2
#endif
#ifndef COMPLETIONS
#define COMPLETIONS 2
#endif
#ifndef WARPS
#define WARPS 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef WIDE0
#define WIDE0 1  // lanes of warp 0: 1 or 2
#endif
#define LANES (WARPS + WIDE0 - 1)
#define REQUESTS (LANES * CALLS)

#define lanes_of(w)   ((w) == 0 -> WIDE0 : 1)
#define lane_id(w, l) ((w) == 0 -> (l) : (w) + WIDE0 - 1)
#define request(k, o) ((k) * CALLS + (o))
#define lane_of(r)    ((r) / CALLS)

// ---- device memory
byte taken, known_head, reaped, published, handed;
bit  looking, publishing, handing;  // handing: one word with `handed`
byte written[SQES];  // sequence number + 1
byte result[LANES];  // 0: none yet; else request + 1

// ---- what Linux and kernels share
byte sq_head, sq_tail, cq_head, cq_tail;
byte sqe[SQES], completion[COMPLETIONS];  // request + 1
bit  need_wakeup;

// ---- SQEs on their way
bit  way[LANES];
byte way_to[LANES], way_what[LANES];

// ---- Linux's own
bit  asleep, begun[REQUESTS], made[REQUESTS];

byte callers_left = WARPS;

#ifdef POSTED
byte finished, counted;  // device memory: of posted calls; up to where they are counted
bit  posted_all;  // warp 0 has left
#define is_posted(r) (lane_of(r) < WIDE0)
#define posts(w)     ((w) == 0)
#else
#define posts(w)     0
#endif

proctype link()
{
end:
    do
    :: d_step { way[0] -> sqe[way_to[0]] = way_what[0]; way[0] = 0 }
#if LANES > 1
    :: d_step { way[1] -> sqe[way_to[1]] = way_what[1]; way[1] = 0 }
#endif
#if LANES > 2
    :: d_step { way[2] -> sqe[way_to[2]] = way_what[2]; way[2] = 0 }
#endif
    od
}

proctype submission_thread()
{
    byte got;
end:
    do
    :: !asleep && sq_tail != sq_head ->
        d_step { got = sqe[sq_head % SQES]; assert(got != 0 && !begun[got - 1]) }
        d_step { begun[got - 1] = 1; sq_head++; got = 0 }
    :: !asleep && sq_tail == sq_head && callers_left != 0 ->  // (without callers it stops here)
        need_wakeup = 1;
        if
        :: atomic { sq_tail == sq_head -> asleep = 1 }
        :: atomic { sq_tail != sq_head -> need_wakeup = 0 }
        fi
    od
}

#define finish(r) begun[r] && !made[r] -> \
    assert(cq_tail - cq_head < COMPLETIONS); /* else Linux would have to put it on its overflow list */ \
    made[r] = 1; completion[cq_tail % COMPLETIONS] = (r) + 1; cq_tail++

proctype calls_end()  // in any order
{
end:
    do
    :: d_step { finish(0) }
    :: d_step { finish(1) }
#if REQUESTS > 2
    :: d_step { finish(2) }
#endif
#if REQUESTS > 3
    :: d_step { finish(3) }
#endif
#if REQUESTS > 4
    :: d_step { finish(4) }
#endif
#if REQUESTS > 5
    :: d_step { finish(5) }
#endif
    od
}

proctype monitor()
{
end:
    do
#ifndef M_NO_WAKE_UP
    :: atomic { asleep && need_wakeup && sq_tail != sq_head -> asleep = 0; need_wakeup = 0 }
#else
    :: false
#endif
    od
}

#define can_look (!looking && sq_head != known_head)
#define can_publish (!publishing && written[published % SQES] == published + 1)
#define can_reap (!handing && cq_tail != handed)
#ifdef M_NO_SPACE_FREED
#define can_make_room can_reap
#else
#define can_make_room (!handing && (cq_tail != handed || handed != reaped))
#endif

inline look()
{
    if
    :: atomic { !looking -> looking = 1 }; known_head = sq_head; looking = 0
    :: looking
    fi
}

// R5 for SQEs that are written: the lane may publish any number of them
inline publish()
{
    if
#ifdef M_PUBLISH_TOGETHER
    :: true ->
#else
    :: atomic { !publishing -> publishing = 1 };
#endif
        h = published;
        p = h;
        do
        :: p - h < SQES && written[p % SQES] == p + 1 -> p++
        :: p - h == SQES || written[p % SQES] != p + 1 || p != h -> break
        od;
        if
        :: p != h -> sq_tail = p; published = p
        :: else
        fi;
        publishing = 0
    :: publishing
    fi
}

// R7. A reaper may deliver any number of completions. It may, or may not, tell Linux and the other lanes of the space.
// But a lane that waits for space tells them, if it has delivered all.
inline reap(for_capacity)
{
    if
    :: atomic { !handing -> handing = 1 };
        h = handed;
        p = cq_tail;
        all = 1;
        do
        :: p > h + 1 -> p--; all = 0
        :: true -> break
        od;
#ifdef M_SEEN_BEFORE_READ
        cq_head = p; reaped = p;
#endif
        do
        :: h < p ->
            x = completion[h % COMPLETIONS];
#ifdef POSTED
            if
            :: is_posted(x - 1) ->
#ifndef M_NOT_WRITTEN_FIRST
                counted = p;
#endif
                d_step { finished++; h++; x = 0 }
            :: else -> d_step { result[lane_of(x - 1)] = x; h++; x = 0 }
            fi
#else
            d_step { result[lane_of(x - 1)] = x; h++; x = 0 }
#endif
        :: else -> break
        od;
        skip;
#ifndef M_SEEN_BEFORE_READ
        if
        :: true ->
#ifdef M_SPACE_BEFORE_SEEN
            reaped = p; cq_head = p
#else
            cq_head = p; reaped = p
#endif
        :: !for_capacity || !all
        fi;
#endif
        d_step { handed = p; handing = 0; all = 0 }
    :: handing
    fi
}

#ifdef M_NO_SPACE_FOR_COMPLETIONS
#define fits (t + lanes_of(w) - h <= SQES)
#else
#define fits (t + lanes_of(w) - h <= SQES && t + lanes_of(w) - p <= COMPLETIONS)
#endif
#if WIDE0 == 2
#define written(w)  (!way[lane_id(w, 0)] && ((w) != 0 || !way[1]))
#define has_result(w) (result[lane_id(w, 0)] != 0 && ((w) != 0 || result[1] != 0))
#else
#define written(w)  (!way[lane_id(w, 0)])
#define has_result(w) (result[lane_id(w, 0)] != 0)
#endif

inline mark()
{
    l = 0;
    do
    :: l < lanes_of(w) -> written[(t + l) % SQES] = t + l + 1; l++
    :: else -> break
    od;
    l = 0
}

proctype caller(byte w)
{
    byte o, l, t, h, p, x;
    bit all;
    do
    :: o < CALLS ->
#ifndef M_NO_CLEAR
        d_step {  // R1
            l = 0;
            do
            :: l < lanes_of(w) -> result[lane_id(w, l)] = 0; l++
            :: else -> break
            od }
#endif
again:  h = known_head;  // R2
        p = reaped;
        t = taken;
        do  // R3
#ifdef M_ADD_AFTER_LOOK
        :: fits -> d_step { t = taken; taken = taken + lanes_of(w) }; break
#else
        :: fits ->
            if
            :: atomic { taken == t -> taken = t + lanes_of(w) }; break
            :: atomic { taken != t -> t = taken }
            fi
#endif
        :: else ->
            (known_head != h || reaped != p || taken != t || can_look || can_publish || can_make_room);
            if
            :: can_look -> look()
            :: can_publish -> publish()
            :: can_make_room -> reap(1)
            :: else
            fi;
            goto again
        od;
        skip;
        d_step {  // R4
            h = 0; p = 0; l = 0;
            do
            :: l < lanes_of(w) ->
                way[lane_id(w, l)] = 1; way_to[lane_id(w, l)] = (t + l) % SQES;
                way_what[lane_id(w, l)] = request(lane_id(w, l), o) + 1; l++
            :: else -> break
            od }
#ifndef M_NO_FENCE
        written(w);
#endif
#ifdef M_MARK_FIRST
        d_step { mark() }
#endif
        if  // R5
#ifdef M_NO_ORDER
        :: true -> sq_tail = t + lanes_of(w); published = t + lanes_of(w)
#else
        :: published == t -> sq_tail = t + lanes_of(w); published = t + lanes_of(w)
        :: published != t -> d_step { mark() }
#endif
        fi;
        do  // R6; a posted call: no lane waits for its result
        :: posts(w) && published >= t + lanes_of(w) -> break
#ifdef M_LEAVES_EARLY
        :: posts(w) -> break
#endif
        :: posts(w) && published < t + lanes_of(w) && can_publish -> publish()
        :: !posts(w) && has_result(w) -> break
#ifndef M_NO_PUBLISHER
        :: !posts(w) && !has_result(w) && can_publish -> publish()
#endif
        :: !posts(w) && !has_result(w) && can_reap -> reap(0)
        od;
        skip;
        d_step {
            l = 0;
            do
            :: l < lanes_of(w) ->
                x = request(lane_id(w, l), o);
                assert(posts(w) || (made[x] && result[lane_id(w, l)] == x + 1)); l++
            :: else -> break
            od;
            x = 0; h = 0; p = 0; t = 0; l = 0; o++ }  // R8
    :: else -> break
    od;
    skip;
    d_step {
#ifdef POSTED
        posted_all = posted_all || posts(w);
#endif
        callers_left-- }
}

#ifdef POSTED
// shared_rings::look_at_posted
proctype drain()
{
    byte f, h, p, n, x;
    posted_all;
again:
#ifdef M_RESERVE_FIRST
    h = (handed > counted -> handed : counted); f = finished;
#else
    f = finished; h = (handed > counted -> handed : counted);
#endif
    p = cq_tail;
    n = 0;
    do
    :: h < p -> d_step { x = completion[h % COMPLETIONS]; n = n + (is_posted(x - 1) -> 1 : 0); x = 0; h++ }
    :: else -> break
    od;
    if
    :: f + n >= WIDE0 * CALLS ->
        d_step {
            x = 0;
            do
            :: x < WIDE0 * CALLS -> assert(made[x]); x++
            :: else -> break
            od }
    :: else ->
        (finished != f || cq_tail != p);
        goto again
    fi
}
#endif

init
{
    byte w;
    atomic {
        run link(); run submission_thread(); run calls_end(); run monitor();
#ifdef POSTED
        run drain();
#endif
        do
        :: w < WARPS -> run caller(w); w++
        :: else -> break
        od;
        w = 0
    }
}
