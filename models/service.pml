// SPDX-License-Identifier: Apache-2.0
//
// service.pml: services, which a kernel that stays offers to the CPU (docs/service.md, detail/wire/service.h). CALLERS
// threads make CALLS requests each. The kernel has a dispatcher and 2 blocks. It leaves up to LEAVES times, whenever
// all its blocks are ready, with or without requests in the slots; launches bring it back. Blocks begin at any time.
// The words of a request, and those of a mailbox, arrive in any order. A request has 2 words; the second one is left
// out if the request does not need it, but is written in every second generation of the slot.
//
// Q1 hold the row   Q2 take a completion slot   Q3 sequence number   Q4 words   Q5 attend, launch   Q6 collect
// Q7 release   K1 read the slot at head   K2 ready blocks   K3 assign   K4 leave   K5 run it   B1 read the mailbox
// B2 compare the version   B3 run   B4 the last share completes   B5 ready   U1 close   U2 wait for holders
// U3 new version
//
// OWN: the dispatcher may run a request itself.
// SHARES: a request has two shares if both blocks are ready. UNLOADS: so often the service is unloaded, and loaded
// again.
// SLEEPS: callers may sleep; the monitor attends their requests, and sleeps while there are none.

#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef LEAVES
#define LEAVES 1
#endif
#ifndef UNLOADS
#define UNLOADS 0
#endif
#ifndef TAGS
#define TAGS 3  // of a slot: this generation, and the 2 before
#endif
#define BLOCKS   2
#define IDS      (CALLERS * CALLS + 1)  // request 0 is none
#define USES     2  // of a completion slot: this one, and the one before
#define MAIL_TAGS 2  // of a mailbox: this share, and the one before
#ifdef M_TOO_MANY
#define COMPLETIONS (SLOTS + 1)
#else
#define COMPLETIONS SLOTS
#endif

#define tag_of(t)  (((t) / SLOTS + 1) % TAGS)
#define needs(id)  ((id) % 2)  // a request with an odd number needs its second word
#ifdef M_NO_WHOLE
#define writes(id, t) (needs(id))
#else
#define writes(id, t) (needs(id) || (t) / SLOTS % 2 == 0)
#endif

typedef word { byte tag; byte id }

// Pinned memory.
word first[SLOTS], second[SLOTS];
byte done_use[COMPLETIONS], done_id[COMPLETIONS];
byte gone;

// Device memory.
byte head, left;
word mail_first[BLOCKS], mail_second[BLOCKS];
byte mail_shares[BLOCKS];  // in the first word
byte ready_launch[BLOCKS], ready_ended[BLOCKS];
byte shares_left[COMPLETIONS];
byte row;  // the version of the service's code

// The stream: a launch begins when all blocks of the last one have ended.
byte started, ended = BLOCKS + 1;

// The host.
byte tail, current;
bit  taken[COMPLETIONS];
byte use[COMPLETIONS];
bit  is_open = 1;
byte version, holders;
byte request_of[CALLERS];
bit  watched[CALLERS], delivered[CALLERS];
bit  monitor_asleep, monitor_in_futex, monitor_lock;

// Ghosts.
byte slot_of[IDS], use_of[IDS], version_of[IDS];
byte runs[IDS], shares_of[IDS];
byte over;

#ifdef M_NO_USE
#define completed(i) (done_use[slot_of[i]] != 0)
#else
#define completed(i) (done_use[slot_of[i]] == use_of[i])
#endif
#define has_left     (gone == current)

inline launch_next() { d_step { has_left -> current++ } }

// Q6, Q7
inline collect(i)
{
    d_step {
        assert(done_id[slot_of[i]] == i);                    // its own completion
        assert(shares_of[i] != 0 && runs[i] == shares_of[i]) // it has run whole, and once
    };
#ifndef M_RELEASE_EARLY
    holders--;
#endif
    taken[slot_of[i]] = 0
}

inline store_first(i, t)  { d_step { first[(t) % SLOTS].tag = tag_of(t); first[(t) % SLOTS].id = i } }
inline store_second(i, t) { d_step { second[(t) % SLOTS].tag = tag_of(t); second[(t) % SLOTS].id = i } }

proctype caller(byte me)
{
    byte i, s, t, calls;
    do
    :: calls == CALLS -> break
    :: calls < CALLS ->
       i = me * CALLS + calls + 1;
       d_step {  // Q1
           if
           :: is_open -> holders++; version_of[i] = version
           :: else -> i = 0  // refused
           fi };
       if
       :: i == 0 -> goto next
       :: else
       fi;
       if  // Q2
       :: d_step { !taken[0] -> taken[0] = 1; s = 0 }
#if SLOTS > 1 || defined(M_TOO_MANY)
       :: d_step { taken[0] && !taken[1] -> taken[1] = 1; s = 1 }
#endif
#if SLOTS > 1 && defined(M_TOO_MANY)
       :: d_step { taken[0] && taken[1] && !taken[2] -> taken[2] = 1; s = 2 }
#endif
       fi;
       d_step { use[s] = use[s] % USES + 1; use_of[i] = use[s]; slot_of[i] = s; request_of[me] = i; s = 0 };
       d_step { t = tail; tail++ };  // Q3
       if  // Q4
       :: store_first(i, t);
          if
          :: writes(i, t) -> store_second(i, t)
          :: else
          fi
       :: writes(i, t) -> store_second(i, t); store_first(i, t)
       fi;
       t = 0;
#ifdef M_RELEASE_EARLY
       holders--;
#endif
#ifdef M_LOOK_ONCE
       if
       :: launch_next()
       :: !has_left
       fi;
       completed(i) -> collect(i);
#else
       do  // Q5
       :: completed(i) -> collect(i); break
       :: launch_next()
#ifdef SLEEPS
       :: watched[me] = 1;
          if
          :: monitor_asleep -> d_step { !monitor_lock -> monitor_in_futex = 0 }
          :: else
          fi;
          d_step { delivered[me] -> delivered[me] = 0 };
          break
#endif
       od;
#endif
next:
       atomic { i = 0; calls++ }
    od;
    over++
}

#ifdef SLEEPS
#define ripe(c) (watched[c] && (completed(request_of[c]) || has_left))

inline attend(c)
{
    if
    :: watched[c] && completed(request_of[c]) ->
       watched[c] = 0;
       collect(request_of[c]);
       delivered[c] = 1
    :: d_step { watched[c] && has_left -> current++ }
    :: else
    fi
}

proctype monitor()
{
    do
    :: atomic { over == CALLERS -> break }
    :: ripe(0) -> attend(0)
    :: ripe(1) -> attend(1)
    :: !watched[0] && !watched[1] && over < CALLERS ->
#ifdef M_LOOK_FIRST
       monitor_asleep = 1;
       d_step { monitor_in_futex = 1 };
#else
       monitor_lock = 1;
       monitor_asleep = 1;
       if
       :: watched[0] || watched[1]
       :: else -> d_step { monitor_in_futex = 1; monitor_lock = 0 }
       fi;
       monitor_lock = 0;
#endif
       !monitor_in_futex || over == CALLERS;
       d_step { monitor_asleep = 0; monitor_in_futex = 0 }
    od
}
#endif

#define all_ended(b)  (ready_ended[b] == assigned[b])
#ifdef M_READY_WITHOUT_COUNT
#define is_ready(b)   (ready_launch[b] == launch)
#else
#define is_ready(b)   (ready_launch[b] == launch && all_ended(b))
#endif
#ifdef M_LEAVE_BUSY
#define may_leave     (leaves > 0)
#else
#define may_leave     (leaves > 0 && all_ended(0) && all_ended(1))
#endif

// K3: what the dispatcher has read of the request, `one` and `two`.
inline assign(b, shares)
{
    assigned[b]++;
    if
    :: d_step { mail_first[b].id = one; mail_first[b].tag = assigned[b] % MAIL_TAGS + 1; mail_shares[b] = shares };
       d_step { mail_second[b].id = two; mail_second[b].tag = assigned[b] % MAIL_TAGS + 1 }
    :: d_step { mail_second[b].id = two; mail_second[b].tag = assigned[b] % MAIL_TAGS + 1 };
       d_step { mail_first[b].id = one; mail_first[b].tag = assigned[b] % MAIL_TAGS + 1; mail_shares[b] = shares }
    fi
}

proctype dispatcher()
{
    byte launch, leaves = LEAVES, one, two;
    byte assigned[BLOCKS];
    byte next;
    bit  here;
end:
    do
    :: atomic { !here && current > launch && ended == BLOCKS + 1 ->
                ended = 0; launch++; started = launch; next = head; here = 1;
#ifdef M_COUNTS_NOT_KEPT
                assigned[0] = 0; assigned[1] = 0; ready_ended[0] = 0; ready_ended[1] = 0
#else
                assigned[0] = ready_ended[0]; assigned[1] = ready_ended[1]
#endif
              }
    :: here && first[next % SLOTS].tag == tag_of(next) && (is_ready(0) || is_ready(1)) ->  // K1, K2
       one = first[next % SLOTS].id;
#ifndef M_ONE_WORD
       if
       :: needs(one) && second[next % SLOTS].tag != tag_of(next) -> one = 0; goto end  // it looks again
       :: else
       fi;
#endif
       two = (needs(one) -> second[next % SLOTS].id : one);
       assert(two == one);  // not torn
       if
#ifdef SHARES
       :: is_ready(0) && is_ready(1) ->
          d_step { shares_left[slot_of[one]] = 2; shares_of[one] = 2 };
          assign(0, 2);
          assign(1, 2)
       :: !(is_ready(0) && is_ready(1)) && is_ready(0) -> shares_of[one] = 1; assign(0, 1)
       :: !(is_ready(0) && is_ready(1)) && is_ready(1) -> shares_of[one] = 1; assign(1, 1)
#else
       :: is_ready(0) -> shares_of[one] = 1; assign(0, 1)
       :: is_ready(1) -> shares_of[one] = 1; assign(1, 1)
#endif
       fi;
       atomic { one = 0; two = 0; next++ }
#ifdef OWN
    :: here && first[next % SLOTS].tag == tag_of(next) ->  // K1, K5
       one = first[next % SLOTS].id;
#ifndef M_OWN_ONE_WORD
       if
       :: needs(one) && second[next % SLOTS].tag != tag_of(next) -> one = 0; goto end
       :: else
       fi;
#endif
       two = (needs(one) -> second[next % SLOTS].id : one);
#ifdef M_OWN_EARLY
       d_step { done_id[slot_of[one]] = one; done_use[slot_of[one]] = use_of[one] };
#endif
       d_step { assert(two == one);                    // not torn
                assert(row == version_of[one]);        // B2
                shares_of[one] = 1; runs[one]++; assert(runs[one] == 1) };
       d_step { done_id[slot_of[one]] = one; done_use[slot_of[one]] = use_of[one] };  // B4
       atomic { one = 0; two = 0;
#ifndef M_OWN_KEEPS_HEAD
                next++
#endif
              }
#endif
    :: here && may_leave ->  // K4
       d_step { leaves--; head = next };
       left = launch;
       d_step { gone = launch; next = 0 };
       d_step { here = 0; ended++ }
    od
}

#ifdef M_MAIL_ONE_WORD
#define has_share  (mail_first[me].tag == (count + 1) % MAIL_TAGS + 1)
#else
#define has_share  (mail_first[me].tag == (count + 1) % MAIL_TAGS + 1 && \
                    mail_second[me].tag == (count + 1) % MAIL_TAGS + 1)
#endif

proctype block(byte me)
{
    byte launch, count, id;
    bit last;
end:
    do
    :: atomic { started > launch -> launch++; count = ready_ended[me] };
       ready_launch[me] = launch;  // B5
end_mail:
       do
       :: has_share ->  // B1
          d_step { id = mail_first[me].id;
                   assert(mail_second[me].id == id);     // not torn
                   assert(row == version_of[id]);        // B2
                   runs[id]++; assert(runs[id] <= shares_of[id]) };
          if  // B4
          :: mail_shares[me] == 1 -> last = 1
          :: else -> d_step { shares_left[slot_of[id]]--; last = shares_left[slot_of[id]] == 0 }
          fi;
          if
          :: last -> d_step { done_id[slot_of[id]] = id; done_use[slot_of[id]] = use_of[id] }
          :: else
          fi;
          d_step { last = 0; id = 0; count++ };
          ready_ended[me] = count  // B5
       :: left == launch -> break
       od;
       ended++
    od
}

proctype unloader()
{
    byte i;
    do
    :: i < UNLOADS ->
#ifndef M_NO_CLOSE
       is_open = 0;  // U1
#endif
#ifndef M_NO_WAIT
       holders == 0;  // U2
#endif
       version++;  // U3
       row = version;
       is_open = 1;
       i++
    :: else -> break
    od
}

init {
    atomic {
        run dispatcher(); run block(0); run block(1);
        run caller(0); run caller(1);
#if UNLOADS
        run unloader();
#endif
#ifdef SLEEPS
        run monitor()
#endif
    }
}
