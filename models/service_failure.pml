// SPDX-License-Identifier: Apache-2.0
//
// service_failure.pml: an isolated server, whose child process dies or is killed up to FAILS times, at any moment
// (docs/service-failures.md, src/service/isolate.cpp). CALLERS threads make CALLS requests each, of a service that has
// a twin. A caller attends its request itself. If it has a ticket, the monitor attends it, too.
// service.pml has the words, the blocks and the launches; here the child takes a request whole, writes its memory, and
// completes it.
//
// R1 the child fails   R2 kill it, wait until it is dead   R3 it is lost: requests without a completion go to the twin
// R4 another child   R5 hold all completion slots   R6 begin the memory again   R7 up, give the slots back

#ifndef CALLERS
#define CALLERS 2
#endif
#ifndef CALLS
#define CALLS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef FAILS
#define FAILS 1
#endif
#define IDS   (CALLERS * CALLS + 1)  // request 0 is none
#define TAGS  3

#define tag_of(t)    (((t) / SLOTS + 1) % TAGS)
#define next_use(u)  ((u) + 1)  // of 32 bits

mtype = { up, failing, lost };

// Shared memory.
byte queue_tag[SLOTS], queue_id[SLOTS];
byte done_use[SLOTS], done_id[SLOTS];

// The child.
bit  alive = 1, killed, launched;
byte head;

// The host.
mtype side = up;
byte tail;
bit  taken[SLOTS], in_flight[SLOTS];
byte use[SLOTS], request_of[SLOTS];
bit  watched[SLOTS];
byte over, fails = FAILS;

// Ghosts.
byte results[IDS], begun[IDS], slot_of[IDS], use_of[IDS], generation_of[IDS], generation;

inline give_result(i) { results[i]++; assert(results[i] == 1) }

// The twin results. The child that had the request writes nothing any more, and has not completed it.
inline redo(i, s, u)
{
    d_step {
        assert(!alive || generation_of[i] != generation);
        assert(done_use[s] != u || done_id[s] != i);
        give_result(i);
        took = 0
    }
}

// Q6, Q7 by a caller or the monitor. It has read the use of the slot and the request that has it.
inline read_completion(s, u)
{
    d_step {
        completed = (done_use[s] == u);
#ifndef M_COMPLETION_FIRST
        // J4: without a completion the slot has the use before.
        assert(completed || now == lost || use[s] != u || done_use[s] == u - 1)
#endif
    }
}

inline look(s, u, i)
{
#ifdef M_COMPLETION_FIRST
    read_completion(s, u);
    now = side;
#else
    now = side;
    read_completion(s, u);
#endif
    if
    :: completed || now == lost ->
       d_step {
           took = (in_flight[s] && use[s] == u);
           if
           :: took -> in_flight[s] = 0; watched[s] = 0
           :: else
           fi;
#ifdef M_REDO_UNTAKEN
           took = 1
#endif
       };
       if
       :: took && completed -> d_step { assert(done_id[s] == i); give_result(i); took = 0; completed = 0; taken[s] = 0 }
       :: took && !completed -> taken[s] = 0; redo(i, s, u)
       :: !took -> completed = 0
       fi
    :: else
    fi
}

proctype caller(byte me)
{
    byte calls, i, s, u, t;
    bit completed, took, early, is_ticket;
    mtype now;
    do
    :: calls == CALLS -> break
    :: calls < CALLS ->
       i = me * CALLS + calls + 1;
       now = side;
       if
       :: now != up -> d_step { give_result(i) }  // the GPU never has it
       :: now == up ->
          if  // Q2
          :: d_step { !taken[0] -> taken[0] = 1; s = 0 }
#if SLOTS > 1
          :: d_step { taken[0] && !taken[1] -> taken[1] = 1; s = 1 }
#endif
          :: side != up -> d_step { give_result(i) }; goto next
          fi;
          d_step { u = next_use(use[s]); request_of[s] = i; slot_of[i] = s; use_of[i] = u;
                   generation_of[i] = generation; use[s] = u; in_flight[s] = 1 };
          d_step { t = tail; tail++ };  // Q3
          d_step { queue_id[t % SLOTS] = i; queue_tag[t % SLOTS] = tag_of(t); t = 0 };  // Q4
          if  // a ticket, which the monitor attends, too
          :: watched[s] = 1; is_ticket = 1
          :: is_ticket = 0
          fi;
          do  // Q5
          :: atomic { results[i] == 0 && side == up && !launched -> launched = 1 }
          :: results[i] == 0 && (done_use[s] == u || side == lost) -> look(s, u, i)
          :: results[i] == 0 && !early -> early = 1; look(s, u, i)  // before there is something to see
          :: results[i] != 0 -> break
          :: is_ticket -> results[i] != 0; break
          od
       fi;
next:
       atomic { i = 0; s = 0; u = 0; now = 0; took = 0; is_ticket = 0; early = 0; calls++ }
    od;
    over++
}

inline attend(s, u, i)
{
    if
    :: atomic { side == up && !launched -> launched = 1 }
    :: done_use[s] == u || side == lost -> look(s, u, i)
    :: !in_flight[s] || use[s] != u
    fi;
    atomic { s = 0; u = 0; i = 0; now = 0; took = 0 }
}

proctype monitor()
{
    byte s, u, i;
    bit completed, took;
    mtype now;
end:
    do
    :: atomic { watched[0] -> s = 0; u = use[0]; i = request_of[0] };
       attend(s, u, i)
#if SLOTS > 1
    :: atomic { watched[1] -> s = 1; u = use[1]; i = request_of[1] };
       attend(s, u, i)
#endif
    od
}

// It dies between any two steps.
proctype child()
{
    byte id;
end:
    do
    :: d_step { alive && (killed || fails > 0) ->
                if :: killed :: else -> fails-- fi;
                alive = 0; id = 0 }
    :: d_step { alive && launched && queue_tag[head % SLOTS] == tag_of(head) && id == 0 ->
                id = queue_id[head % SLOTS]; head++;
                assert(generation_of[id] == generation);  // not a request of an earlier child
                begun[id]++; assert(begun[id] == 1) }
    :: d_step { alive && id != 0 ->
                assert(results[id] == 0);  // its caller has not got its memory back
                done_id[slot_of[id]] = id; done_use[slot_of[id]] = use_of[id]; id = 0 }
    od
}

proctype supervisor()
{
    byte s;
end:
    do
    :: !alive || side == failing ->
       side = failing;  // R1
#ifdef M_LOST_BEFORE_DEAD
       side = lost;
#endif
       killed = 1;  // R2
       !alive;
       side = lost;  // R3
#ifndef M_NO_HOLD
       s = 0;
       do  // R5
       :: s < SLOTS -> d_step { !taken[s] -> taken[s] = 1; s++ }
       :: s == SLOTS -> break
       od;
#endif
       s = 0;
       d_step {  // R4, R6
           launched = 0; tail = 0; head = 0; killed = 0; generation++;
           do
           :: s < SLOTS -> queue_tag[s] = 0;
#ifndef M_COMPLETIONS_KEPT
              done_use[s] = use[s]; done_id[s] = 0;
#endif
              s++
           :: else -> break
           od;
           s = 0;
           alive = 1 };
       side = up;  // R7
#ifndef M_NO_HOLD
       do
       :: s < SLOTS -> taken[s] = 0; s++
       :: s == SLOTS -> break
       od;
#endif
       s = 0
    od
}

// A request takes too long.
proctype time_limit()
{
end:
    do
    :: d_step { side == up && fails > 0 -> fails--; side = failing }
    od
}

init {
    atomic {
        run child(); run supervisor(); run monitor(); run time_limit();
        run caller(0); run caller(1)
    }
}
