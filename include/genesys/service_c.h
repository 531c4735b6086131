// SPDX-License-Identifier: Apache-2.0
// Calls the services of a daemon, `genesys serve`, from C (docs/service-daemon.md). It needs no CUDA: link
// libgenesys_service_client. genesys/service_client.h is the same for C++, and says more of each function.
//
//   genesys_service_client* client = genesys_service_connect(NULL, 0);
//   int sum = genesys_service_find(client, "sum");
//   float* numbers = genesys_service_allocate(client, 4096 * sizeof *numbers);
//   struct { genesys_buffer from; } with = {{numbers, 4096 * sizeof *numbers}};
//   int64_t result = genesys_service_call(client, sum, &with, sizeof with, 1);
//
// Any thread may call these functions, several at once. After fork() only the parent may.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct genesys_service_client genesys_service_client;

// A buffer among the arguments, in memory of genesys_service_allocate().
typedef struct genesys_buffer {
  void* data;
  uint64_t bytes;
} genesys_buffer;

// `socket`: of the daemon; NULL: the default one. `memory_bytes`: for buffers; 0: what the daemon gives. NULL and errno
// if it fails: ENOENT or ECONNREFUSED (no daemon), EACCES (not allowed), EDQUOT (over a quota), EAGAIN (too many
// clients), EPROTO (another version), ETIMEDOUT, ENOMEM. genesys_service_error() has words for it.
genesys_service_client* genesys_service_connect(const char* socket, size_t memory_bytes);
// Waits for no request. NULL is allowed. No thread may use the client any more.
void genesys_service_close(genesys_service_client* client);
// Why the last function of this thread failed, in words. Never NULL.
const char* genesys_service_error(void);

// The number of a service; -ENOENT.
int genesys_service_find(genesys_service_client* client, const char* name);

// Aligned to 256 bytes, with undefined content. NULL and ENOMEM: there is not so much left.
void* genesys_service_allocate(genesys_service_client* client, size_t bytes);
void genesys_service_free(genesys_service_client* client, void* memory);

// Calls the service and waits. `arguments`: the structure that the service takes, `bytes` long. Its result, or a
// negative errno: -ECONNRESET (the daemon has ended), -EFAULT (a buffer is not in this client's memory), -EINVAL (wrong
// arguments), -ECHILD (after fork()), or what the service and the server say. After -ETIMEDOUT, -EBADMSG, -EIO and
// -ECANCELED a block may still use the request's memory: do not use it again (docs/service-buffers.md).
int64_t genesys_service_call(genesys_service_client* client, int service, const void* arguments, size_t bytes,
                             unsigned blocks);

// A request under way.
typedef struct genesys_service_ticket {
  uint32_t slot, use;
} genesys_service_ticket;

// Does not wait. 0, or a negative errno; -EAGAIN: as many requests are under way as the client may have. Each ticket is
// waited for once, or dropped.
int genesys_service_submit(genesys_service_client* client, int service, const void* arguments, size_t bytes,
                           unsigned blocks, genesys_service_ticket* ticket);
// The result. The ticket is gone.
int64_t genesys_service_wait(genesys_service_client* client, genesys_service_ticket ticket);
// 1: the request has ended, `*result` is set, and the ticket is gone. 0: it has not.
int genesys_service_poll(genesys_service_client* client, genesys_service_ticket ticket, int64_t* result);
// The request goes on, and nobody gets its result.
void genesys_service_drop(genesys_service_client* client, genesys_service_ticket ticket);

// What the daemon tells of its services. The strings live as long as the client.
typedef struct genesys_service_description {
  const char* name;
  uint32_t argument_bytes;
  uint32_t members;
  uint32_t is_described;  // 1: the members are all of the arguments. 0: they are the buffers among them
} genesys_service_description;
typedef struct genesys_service_member {
  const char* name;  // empty: a buffer that the service does not name
  uint32_t offset;
  uint32_t kind;       // 0 buffer, 1 u8, 2 i8, 3 u16, 4 i16, 5 u32, 6 i32, 7 u64, 8 i64, 9 float, 10 double
  uint32_t count;      // more than 1: an array
  uint32_t direction;  // of a buffer: 0 input, 1 output, 2 both
} genesys_service_member;

unsigned genesys_service_count(genesys_service_client* client);
// 0, or -ENOENT.
int genesys_service_describe(genesys_service_client* client, unsigned service, genesys_service_description* into);
int genesys_service_describe_member(genesys_service_client* client, unsigned service, unsigned member,
                                    genesys_service_member* into);
// Of the client's memory.
void* genesys_service_memory(genesys_service_client* client, size_t* bytes);

#ifdef __cplusplus
}
#endif
