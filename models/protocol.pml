// SPDX-License-Identifier: Apache-2.0
//
// protocol.pml: the way of a call, from the claim of a completion slot to its release (C1 to C6), the serving side (S1
// to S6), the migration of a queue (H1 to H3) and the repair of the published head (W1, W2). `check` runs it;
// README.md says what is assumed and what is not modelled.
//
// The graph of states has no cycle: each wait is a guard on its condition, and rounds of a polling loop that find
// nothing are left out, because they change nothing. So "no invalid end state" means that every call completes under
// any schedule; `check` also shows that there is no cycle (pan -l without a progress label).
//
// Each step is one access to memory that another thread or the device can see. What stands in the same atomic or
// d_step is private to the thread, or exists in the model only.

// ---- sizes ------------------------------------------------------------------------------------
#ifndef QUEUES
#define QUEUES 1
#endif
#ifndef SLOTS
#define SLOTS 2  // slots of a queue's ring
#endif
#ifndef WARPS
#define WARPS 2
#endif
#ifndef WIDE0
#define WIDE0 1  // lanes of warp 0: 1 or 2 (2: sequence numbers for both in one exchange, and SLOTS >= 2)
#endif
#ifndef CALLS
#define CALLS 2  // calls of each warp,
#endif
#ifndef CALLS0
#define CALLS0 CALLS  // of warp 0 (at most CALLS)
#endif
#ifndef TAGS
#define TAGS 3  // tags are counted modulo this (16 in the code)
#endif
#ifndef WHOLE
#define WHOLE 2  // every so many generations a request is written whole (8 in the code): fewer than tags
#endif
#ifndef MIGRATIONS
#define MIGRATIONS 2  // migrations at any moment, needed or not; needed ones are always possible
#endif
#ifndef EPOCHS
#define EPOCHS 100  // epochs are counted modulo this (4096 in the code)
#endif
#ifndef GROUPS
#if WARPS == 3
#define GROUPS 3
#else
#define GROUPS 2
#endif  // groups of completion slots; a group has two completion slots here, one per lane
#endif
#define WORKERS 2
#define NONE    255
#define COMPLETION_SLOTS   (GROUPS * 2)
#define LANES   (WARPS * 2)  // two names per warp, the second used only by warp 0
#define WORDS   2  // tagged words of a request: the last, and one of its arguments

#define lanes_of(w)    ((w) == 0 -> WIDE0 : 1)
#define mask_of(w)     ((w) == 0 && WIDE0 == 2 -> 3 : 1)
#define calls_of(w)    ((w) == 0 -> CALLS0 : CALLS)
#define lane_id(w, l)  ((w) * 2 + (l))
#define request(w,o,l) (((w) * CALLS + (o)) * 2 + (l))  // the name of a call: lane and ordinal
#define REQUESTS       (WARPS * CALLS * 2)
#define completion(r)      ((r) + 1)  // the value Linux gives for it
#define is_wide(r)     (((r) / 2) & 1)  // odd ordinals complete through `extra`
#define is_short(r)    ((((r) / 2) % CALLS + (r) / (2 * CALLS)) & 1)  // has no arguments: some of each warp's calls
#define tag(t)         (((t) / SLOTS + 1) % TAGS)
#ifdef M_NEVER_WHOLE
#define has_both(r, t) (!is_short(r))
#else
#define has_both(r, t) (!is_short(r) || ((t) / SLOTS) % WHOLE == 0)
#endif
#define slot_at(s, t)    ((s) * SLOTS + (t) % SLOTS)

// PIPE: the first call of warp 0 comes back only after the last call of warp 1 was made.
#define blocks(r)      ((r) == request(0, 0, 0))
#define unblocks(r)    ((r) == request(1, CALLS - 1, 0))

// ---- device memory ----------------------------------------------------------------------------
byte tail[QUEUES];  // next sequence number
byte head_seen[QUEUES];  // known_head: cache of the published head, only ever raised
bit  looking[QUEUES];  // a lane reads the published head
byte claimed[GROUPS];  // low half of a group's word
byte phase_of[GROUPS];  // high half of the same word: always touched together with `claimed`

// ---- host memory that both sides address ------------------------------------------------------
typedef word_t { byte tag; byte value; byte completion_slot; bit both }  // `both`: word 1 exists; it has a value alone
typedef slot_t { word_t word[WORDS] }
slot_t slot[QUEUES * SLOTS];
byte published_head[QUEUES];
typedef completion_slot_t { bit phase; bit wide; byte value }
completion_slot_t completion_slot[COMPLETION_SLOTS];
byte extra[COMPLETION_SLOTS];
byte bounce[WARPS];  // payload, untagged

// ---- stores of the device on their way to host memory: they arrive in any order ----------------
bit  way[LANES * WORDS];  // word i of this lane's request is on its way
byte way_slot[LANES];  // to this slot,
byte way_tag[LANES];  // with this tag
byte way_r[LANES];  // and this request,
bit  way_both[LANES];  // both words of it
byte way_completion[LANES];  // completion slot * 2 + phase bit p
bit  bounce_way[WARPS];
byte bounce_value[WARPS];

// ---- private to the host ----------------------------------------------------------------------
typedef cursor_t { byte owner; byte head }  // `owner`: the epoch, or with OWNER_IN_TURN the worker itself
cursor_t cursor[QUEUES];
#ifndef OWNER_IN_TURN
byte given[WORKERS * QUEUES];  // the epoch under which worker w was given queue s, or NONE
bit  anew[WORKERS * QUEUES];  // and whether that happened after w looked last: then it is another assignment
byte holder[QUEUES];  // the monitor's own note: which worker has the queue
#define holds(w, s) (holder[s] == (w))
#else
#define holds(w, s) (cursor[s].owner == (w))
#endif
bit  blocked[WORKERS];  // in one call for longer than stall_us (the worker's "busy since")

// ---- ghosts -----------------------------------------------------------------------------------
bit  served[REQUESTS];  // Linux made the call
bit  returned[REQUESTS];  // the lane has its value
byte migrations = MIGRATIONS;

#define there(s)   (slot[slot_at(s, cursor[s].head)].word[0].tag == tag(cursor[s].head))
#ifdef M_ONE_WORD_UNTAGGED
#define fits_1(p, h) true
#else
#define fits_1(p, h) (slot[p].word[1].tag == tag(h))
#endif
#define pending_at(p, h) (slot[p].word[0].tag == tag(h) && (!slot[p].word[0].both || fits_1(p, h)))
#define pending(s) pending_at(slot_at(s, cursor[s].head), cursor[s].head)

// The link: any store that is on its way may arrive. A location's own order is kept because a lane
// does not issue a second store to a place while the first is on its way.
#define at_word(lane, i)  slot[way_slot[lane]].word[i]
#define word_0(lane)  way[(lane) * WORDS] -> \
    way[(lane) * WORDS] = 0; at_word(lane, 0).tag = way_tag[lane]; at_word(lane, 0).value = way_r[lane]; \
    at_word(lane, 0).completion_slot = way_completion[lane]; at_word(lane, 0).both = way_both[lane]
#define word_1(lane)  way[(lane) * WORDS + 1] -> \
    way[(lane) * WORDS + 1] = 0; at_word(lane, 1).tag = way_tag[lane]; at_word(lane, 1).value = way_r[lane]

proctype link()
{
end:
    do
    :: d_step { word_0(0) }
    :: d_step { word_1(0) }
#if WIDE0 == 2
    :: d_step { word_0(1) }
    :: d_step { word_1(1) }
#endif
    :: d_step { word_0(2) }
    :: d_step { word_1(2) }
#if WARPS == 3
    :: d_step { word_0(4) }
    :: d_step { word_1(4) }
#endif
    :: d_step { bounce_way[0] -> bounce_way[0] = 0; bounce[0] = bounce_value[0]; bounce_value[0] = 0 }
    :: d_step { bounce_way[1] -> bounce_way[1] = 0; bounce[1] = bounce_value[1]; bounce_value[1] = 0 }
#if WARPS == 3
    :: d_step { bounce_way[2] -> bounce_way[2] = 0; bounce[2] = bounce_value[2]; bounce_value[2] = 0 }
#endif
    od
}

// Space for a whole warp, whatever the number of lanes. The model checks and reserves in one step. The code checks with
// a `known_head` that it loaded before, and exchanges the very tail that it checked. The loaded value is at most the
// current one, so whenever the exchange of the code succeeds, this step is possible.
#define has_space(s)  (tail[s] + WIDE0 <= head_seen[s] + SLOTS)

#ifdef M_NO_WAIT_FOR_SPACE
#define has_room(s)  true
#else
#define has_room(s)  has_space(s)
#endif

// The payload may be written at any time before. No other process can tell, so the model writes it with the exchange.
#define staged   !bounce_way[w]
#define stage()  bounce_way[w] = 1; bounce_value[w] = ordinal + 1  // C4: stage the payload

inline take(queue)
{
#ifdef M_ADD_AFTER_LOOK
    d_step { staged && has_room(queue) -> s = queue };  // C2: a look,
    d_step { stage(); t = tail[s]; tail[s] = tail[s] + lanes_of(w) }  // C3: and then a fetch_add
#elif defined(ADDS)
    if
    :: d_step { staged && has_room(queue) ->
           s = queue; stage(); t = tail[s]; tail[s] = tail[s] + lanes_of(w) }  // C2, C3: compare_exchange
    :: d_step { staged && has_room(queue) -> s = queue };  // C2: a look,
       d_step { stage(); t = tail[s]; tail[s] = tail[s] + lanes_of(w) };  // C3: an addition,
       do  // and the leader waits until the slots are free
       :: t + lanes_of(w) - 1 < head_seen[s] + SLOTS -> break
       :: raise(s)
       od
    fi
#else
    d_step { staged && has_room(queue) ->
        s = queue; stage(); t = tail[s]; tail[s] = tail[s] + lanes_of(w) }  // C2, C3: compare_exchange
#endif
}

// A look at the published head where there is no space, one lane at a time. Looks that show nothing new are left out.
inline raise(queue)
{
    d_step { !looking[queue] && !has_space(queue) && published_head[queue] > head_seen[queue] ->
        looking[queue] = 1; seen = published_head[queue] };  // C2: read the published head
    d_step { head_seen[queue] = (seen > head_seen[queue] -> seen : head_seen[queue]);  // C2: fetch_max
        seen = 0; looking[queue] = 0 }
}

#if GROUPS == 1
#define some_free()  ((claimed[0] & need) != need)
#elif GROUPS == 2
#define some_free()  ((claimed[0] & need) != need || (claimed[1] & need) != need)
#else
#define some_free()  ((claimed[0] & need) != need || (claimed[1] & need) != need || (claimed[2] & need) != need)
#endif

// C1: fetch_or on group g, acquire. A lane that looks again looks at the next group.
#define claim_here() \
    got = need & ~claimed[g]; \
    claimed[g] = claimed[g] | need; \
    if :: got & 1 -> my_slot[0] = g * 2;     my_phase[0] = phase_of[g] & 1 :: else fi; \
    if :: got & 2 -> my_slot[1] = g * 2 + 1; my_phase[1] = (phase_of[g] >> 1) & 1 :: else fi; \
    need = need & ~got; \
    g = (need != 0 -> (g + 1) % GROUPS : 0); \
    got = 0

inline release()
{
    d_step {
        assert(claimed[my_slot[l] / 2] & (1 << (my_slot[l] & 1)));
        claimed[my_slot[l] / 2] = claimed[my_slot[l] / 2] ^ (1 << (my_slot[l] & 1));
#ifndef M_NO_PHASE_FLIP
        phase_of[my_slot[l] / 2] = phase_of[my_slot[l] / 2] ^ (1 << (my_slot[l] & 1))
#endif
    }
}

proctype warp(byte w)
{
    byte ordinal, need, g, got, s, t, seen, l;
    byte my_slot[2];  // completion slot of each lane
    bit  my_phase[2];  // p of each lane
    bit  wide;

    do
    :: ordinal < calls_of(w) ->
        d_step { need = mask_of(w); g = 0; claim_here() };  // C1: all try group 0 first
        do  // C2: any queue with space, or wait
        :: take(0) -> break
        :: raise(0)
#if QUEUES == 2
        :: take(1) -> break
        :: raise(1)
#endif
        od;
        do  // C1: other groups, with sequence numbers reserved
        :: need == 0 -> break
        :: d_step { need != 0 && some_free() -> claim_here() }  // (looks that find nothing anywhere are skipped)
        od;
#ifndef M_NO_FENCE
        !bounce_way[w];  // C4: fence, release, system
#endif
        atomic {  // C4: the words, relaxed, unordered
            !way[lane_id(w, 0) * WORDS] && !way[lane_id(w, 0) * WORDS + 1] ->
            l = 0;
            do
            :: l < lanes_of(w) ->
                way_slot[lane_id(w, l)] = slot_at(s, t + l);
                way_tag[lane_id(w, l)]  = tag(t + l);
                way_r[lane_id(w, l)]    = request(w, ordinal, l);
                way_completion[lane_id(w, l)] = my_slot[l] * 2 + my_phase[l];
                way_both[lane_id(w, l)] = has_both(request(w, ordinal, l), t + l);
                way[lane_id(w, l) * WORDS] = 1;
                way[lane_id(w, l) * WORDS + 1] = way_both[lane_id(w, l)];
                l++
            :: else -> break
            od;
            need = mask_of(w); t = 0; s = 0; l = 0 }

        do  // lanes poll side by side
        :: need != 0 ->
           if
           :: d_step { (need & 1) && completion_slot[my_slot[0]].phase != my_phase[0] ->  // C5: acquire, system
                  l = 0; wide = completion_slot[my_slot[0]].wide; got = completion_slot[my_slot[0]].value }
#if WIDE0 == 2
           :: d_step { (need & 2) && completion_slot[my_slot[1]].phase != my_phase[1] ->  // C5
                  l = 1; wide = completion_slot[my_slot[1]].wide; got = completion_slot[my_slot[1]].value }
#endif
           fi;
           if
#ifdef M_RELEASE_BEFORE_EXTRA
           :: wide -> release();  // C6 overtakes the load
              d_step { got = extra[my_slot[l]] }
#else
           :: wide -> d_step { got = extra[my_slot[l]]; wide = 0 }  // C6: read extra
#endif
           :: else
           fi;
           atomic {  // C6: fetch_xor, release
               assert(got == completion(request(w, ordinal, l)));  // its own completion, and not an old one
               assert(served[request(w, ordinal, l)]);
               returned[request(w, ordinal, l)] = 1;
               need = need & ~(1 << l);
               if :: !wide -> release() :: else -> wide = 0 fi;
               my_slot[l] = 0; my_phase[l] = 0; got = 0; l = 0 }
        :: else -> break
        od;
        ordinal++
    :: else -> break
    od
}

// S1 of queue s. Passes that would find no words of a request, the published head right and the cursor unchanged are
// left out.
#ifdef M_NO_REPAIR
#define off(s)    false
#else
#define off(s)    (published_head[s] != cursor[s].head)
#endif
#ifdef OWNER_IN_TURN
#define worth(s)  (cursor[s].owner == me && (there(s) || off(s)))
#define took(s)   e = me
#else
#define worth(s)  (given[me * QUEUES + s] != NONE && (cursor[s].owner != given[me * QUEUES + s] || there(s) || off(s)))
#define took(s)   e = given[me * QUEUES + s]; anew[me * QUEUES + s] = 0
#endif

inline make_call()  // S5
{
    d_step {
        assert(args == r);  // not torn: the words are of one request
        args = 0;
        assert(!served[r]);  // not served twice
        served[r] = 1;
        assert(bounce[r / (2 * CALLS)] == (r / 2) % CALLS + 1) };  // the staged data is there
#ifdef PIPE
    if
    :: blocks(r) -> blocked[me] = 1; d_step { served[request(1, CALLS - 1, 0)] -> blocked[me] = 0 }
    :: else
    fi;
#endif
}

proctype worker(byte me)
{
    byte s, e, h, r, a, args;
    bit stale, both;
again:
    atomic { s = 0; e = 0; h = 0; r = 0; a = 0; args = 0; stale = 0; both = 0; goto end };
end:
    if
    :: d_step { worth(0) -> s = 0; took(0); h = cursor[0].head; stale = (cursor[0].owner != e) }  // S1: read the cursor
#if QUEUES == 2
    :: d_step { worth(1) -> s = 1; took(1); h = cursor[1].head; stale = (cursor[1].owner != e) }  // S1
#endif
    fi;
       if
       :: stale -> goto lost
       :: else
       fi;
#ifdef M_PUBLISH_BEFORE_COPY
       if
       :: pending(s) -> published_head[s] = h + 1  // S4 too early
       :: else
       fi;
#endif
       if
       :: d_step { slot[slot_at(s, h)].word[0].tag != tag(h) -> r = 0 }  // S1: word 0, acquire: not there
          goto nothing
       :: d_step { slot[slot_at(s, h)].word[0].tag == tag(h) ->
              r = slot[slot_at(s, h)].word[0].value; both = slot[slot_at(s, h)].word[0].both;
              a = slot[slot_at(s, h)].word[0].completion_slot; args = r }  // S1, S2: read once
       fi;
       if
       :: !both -> skip
       :: d_step { both && !fits_1(slot_at(s, h), h) -> r = 0; a = 0; args = 0; both = 0 }  // S1: word 1 not there yet
          if
          :: fits_1(slot_at(s, h), h) || cursor[s].head != h || cursor[s].owner != e -> goto again
          fi
       :: d_step { both && fits_1(slot_at(s, h), h) ->
              args = slot[slot_at(s, h)].word[1].value; both = 0 }  // S1, S2: word 1
       fi;
#ifdef M_SERVE_FIRST
       make_call();  // S5 too early
#endif
#ifdef M_NO_EXCHANGE
       if
       :: cursor[s].owner == e -> cursor[s].head = h + 1  // S3 as a look and a store
#else
       if
       :: d_step { cursor[s].owner == e && cursor[s].head == h -> cursor[s].head = h + 1 }  // S3: compare_exchange
#endif
#ifdef M_FORGET_ANYHOW
       :: d_step { else -> r = 0; a = 0; args = 0 }  // S3: fails, whatever the epoch
          goto lost
#else
#ifndef M_NO_EXCHANGE
       :: d_step { cursor[s].owner == e && cursor[s].head != h -> r = 0; a = 0; args = 0 }  // S3: fails, drop the copy
          goto again
#endif
       :: d_step { cursor[s].owner != e -> r = 0; a = 0; args = 0 }  // S3: fails, the epoch is over
          goto lost
#endif
       fi;
       published_head[s] = h + 1;  // S4: release
       d_step { s = 0; e = 0; h = 0 };
#ifndef M_SERVE_FIRST
       make_call();  // S5
#endif
#ifdef M_EXTRA_AFTER_COMPLETION
       d_step { completion_slot[a / 2].phase = 1 - (a & 1); completion_slot[a / 2].wide = is_wide(r);
                completion_slot[a / 2].value = (is_wide(r) -> 0 : completion(r)) };
       if :: is_wide(r) -> extra[a / 2] = completion(r) :: else fi;
#else
       if
       :: is_wide(r) -> extra[a / 2] = completion(r)  // S6: extra first
       :: else
       fi;
       d_step {  // S6: the completion slot, release
           assert(!returned[r]);
           completion_slot[a / 2].phase = 1 - (a & 1);
           completion_slot[a / 2].wide  = is_wide(r);
           completion_slot[a / 2].value = (is_wide(r) -> 0 : completion(r)) };
#endif
       goto again;

nothing:
#ifndef M_NO_REPAIR
       if
       :: published_head[s] != h -> published_head[s] = h  // S1: repair (look, then store)
       :: else
       fi;
#endif
       goto again;

lost:
#ifndef OWNER_IN_TURN
#ifdef M_FORGET_BLINDLY
       given[me * QUEUES + s] = NONE;  // S1: forget the queue
#else
       atomic {  // S1: forget, but only the
           if  // assignment that was lost
           :: !anew[me * QUEUES + s] -> given[me * QUEUES + s] = NONE
           :: else
           fi };
#endif
#endif
       goto again;
}

// H1 migrates queue s from its holder to the other worker, H2 informs that worker. (H3, its wake-up, is in sleep.pml.)
#ifdef OWNER_IN_TURN
#define exchange(s)  cursor[s].owner = 1 - cursor[s].owner
#define tell(s)      skip
#else
#ifdef M_NO_EPOCH
#define exchange(s)  holder[s] = 1 - holder[s]; now = cursor[s].owner
#else
#define exchange(s)  cursor[s].owner = (cursor[s].owner + 1) % EPOCHS; holder[s] = 1 - holder[s]; now = cursor[s].owner
#endif
#define tell(s)      d_step { given[holder[s] * QUEUES + s] = now; anew[holder[s] * QUEUES + s] = 1; now = 0 }
#endif
#define stuck(w, s)  (holds(w, s) && blocked[w] && !blocked[1 - (w)])
#define needed(s)    (pending(s) && (stuck(0, s) || stuck(1, s)))

proctype monitor()
{
    byte now, seen;
end:
    do
    :: d_step { migrations > 0 -> migrations--; exchange(0) }  // H1: at any moment
       tell(0)  // H2
#ifdef PIPE
    :: d_step { needed(0) -> exchange(0) }  // H1: the holder is blocked
       tell(0)  // H2
#endif
#if !defined(M_NO_REPAIR) && !defined(M_NO_WATCH_REPAIR)
    :: d_step { !pending(0) && published_head[0] != cursor[0].head -> seen = cursor[0].head }  // W1: none pending; look
       d_step { published_head[0] = seen; seen = 0 }  // W2: repair
#endif
#if QUEUES == 2
    :: d_step { migrations > 0 -> migrations--; exchange(1) }  // H1
       tell(1)  // H2
#ifdef PIPE
    :: d_step { needed(1) -> exchange(1) }  // H1
       tell(1)  // H2
#endif
#if !defined(M_NO_REPAIR) && !defined(M_NO_WATCH_REPAIR)
    :: d_step { !pending(1) && published_head[1] != cursor[1].head -> seen = cursor[1].head }  // W1: none pending; look
       d_step { published_head[1] = seen; seen = 0 }  // W2
#endif
#endif
    od
}

init
{
    byte i;
    atomic {
#ifndef OWNER_IN_TURN
        for (i : 0 .. WORKERS * QUEUES - 1) { given[i] = NONE }
        given[0] = 0; holder[0] = 0;
#if QUEUES == 2
        given[WORKERS * QUEUES - 1] = 0; holder[1] = 1;
#endif
#elif QUEUES == 2
        cursor[1].owner = 1;
#endif
        run link(); run monitor(); run worker(0); run worker(1);
        i = 0;
        do :: i < WARPS -> run warp(i); i++ :: else -> break od;
        i = 0
    }
}
