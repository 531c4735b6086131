// SPDX-License-Identifier: Apache-2.0
//
// posted.pml: posted calls. Two lanes acquire bounce buffers, fill them, publish their requests and go on. Workers
// dequeue the requests; some calls are parked and made again later; the host returns the buffers by flipping bits
// (detail/staging/bounce_buffers.h, collect_returned). When the kernel has ended, drain() waits for all calls
// (core.cpp, wait_for_calls). The queue is abstract: an array of requests in the order of their numbers, all of them
// there at once.
//
// B1 acquire a buffer   B2 compare the flipped bits, under a lock for which no lane waits   B3 free the flipped buffers
// T1 count a request as in flight   T2 advance the cursor, if the request is still there   T3 make the call
// T4 flip the buffer's bit   T5 no longer in flight   D1 read the tail   D2 the queue is dequeued up to there
// D3 nothing is in flight

#ifndef CALLS
#define CALLS 2  // of each lane
#endif
#define LANES 2
#define BUFFERS 2
#define TOTAL (LANES * CALLS)

byte taken, returned, gathered;  // a bit for each buffer
bit  gathering;  // the lock
byte content[BUFFERS];  // what lies in each: the name of a request
byte queue_name[TOTAL], returned_buffer[TOTAL];
byte tail, head;
byte under_way, made, lanes_done;
byte ready_name[TOTAL], ready_buffer[TOTAL], ready;  // parked, and ready again

proctype lane(byte me)
{
    byte i, c, now, freed;
    do
    :: i < CALLS ->
again:
        if
        :: d_step { (taken & 1) == 0 -> taken = taken | 1; c = 0 } goto have  // B1
        :: d_step { (taken & 2) == 0 -> taken = taken | 2; c = 1 } goto have  // B1
#ifdef M_NO_LOCK
        :: taken == 3 && gathered != returned -> skip
#else
        :: d_step { taken == 3 && gathered != returned && gathering == 0 -> gathering = 1 }  // B2
#endif
        fi;
        now = returned;
        freed = now ^ gathered;
        gathered = now;
        taken = taken & ~freed;  // B3
        now = 0; freed = 0;
        gathering = 0;
        goto again;
have:
        content[c] = 1 + me * CALLS + i;
        d_step {  // C3, C4
            queue_name[tail] = 1 + me * CALLS + i; returned_buffer[tail] = c; tail++; c = 0; i++ }
    :: else -> break
    od;
    lanes_done++
}

proctype worker()
{
    byte name, c, at;
end:
    do
    :: d_step { head < tail -> at = head; name = queue_name[at]; c = returned_buffer[at] }
#ifndef M_COUNT_LATE
        under_way++;  // T1
#endif
        if
        :: d_step { head == at -> head++; at = 0 }  // T2
#ifdef M_COUNT_LATE
           under_way++;
#endif
           goto call
        :: d_step { head != at -> at = 0; name = 0; c = 0 }
#ifndef M_COUNT_LATE
           under_way--
#endif
        fi
    :: d_step { ready > 0 ->
           ready--; name = ready_name[ready]; c = ready_buffer[ready];
           ready_name[ready] = 0; ready_buffer[ready] = 0 }
#ifdef M_FORGET_PARKED
        under_way++;
#endif
        goto call
    od;
call:
    if
#ifdef M_FLIP_FIRST
    :: returned = returned ^ (1 << c); assert(content[c] == name); made++
#else
    :: assert(content[c] == name); made++  // T3
#endif
    :: d_step { ready_name[ready] = name; ready_buffer[ready] = c; ready++; name = 0; c = 0 }  // not ready yet
#ifdef M_FORGET_PARKED
       under_way--;
#endif
       goto end
    fi;
#ifndef M_FLIP_FIRST
    d_step { returned = returned ^ (1 << c); name = 0; c = 0 }  // T4
#else
    d_step { name = 0; c = 0 }
#endif
    under_way--;  // T5
    goto end
}

proctype drain()
{
    byte until;
    lanes_done == LANES;
    until = tail;  // D1
    head >= until;  // D2
    under_way == 0;  // D3
    assert(made == TOTAL)
}

init { atomic { run lane(0); run lane(1); run worker(); run worker(); run drain() } }
