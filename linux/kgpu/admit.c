// SPDX-License-Identifier: GPL-2.0-only
/*
 * A daemon gets requests only after its answers were right. The first daemon: the cipher is registered, and the crypto
 * API tests it by its vectors. Each daemon: random requests, encrypted and decrypted, against the kernel's own cipher.
 * It runs on the module's workers, because a daemon that is killed must not interrupt the registration.
 */
#include <crypto/aes.h>
#include <crypto/skcipher.h>
#include <linux/delay.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/slab.h>

#include "module.h"

/*
 * Each size with the number of a sector as its vector, as dm-crypt has it, and with any vector: a daemon may compute
 * them in different ways. One block, less than a unit, a unit, several, a whole piece, and requests that are cut.
 */
static const u32 sizes[] = {16, 512, 4096, 4112, 3 * 4096, 65536, 65536 + 16, 2 * 65536 + 4096};
#define BYTES_MAX (2 * 65536 + 4096)

#define TRIES_MAX 10
#define PAUSE_MS 200

static DEFINE_MUTEX(admitting);
static bool is_registered;

bool kgpu_is_registered(void) { return READ_ONCE(is_registered); }

static int crypt_by(struct crypto_skcipher* tfm, bool encrypts, void* data, u32 bytes, const u8 iv[16]) {
  struct skcipher_request* request = skcipher_request_alloc(tfm, GFP_KERNEL);
  struct scatterlist list;
  u8 own_iv[16];
  DECLARE_CRYPTO_WAIT(wait);
  int error;

  if (!request) return -ENOMEM;
  memcpy(own_iv, iv, sizeof(own_iv));
  sg_init_one(&list, data, bytes);
  skcipher_request_set_callback(request, CRYPTO_TFM_REQ_MAY_BACKLOG | CRYPTO_TFM_REQ_MAY_SLEEP, crypto_req_done, &wait);
  skcipher_request_set_crypt(request, &list, &list, bytes, own_iv);
  error = crypto_wait_req(encrypts ? crypto_skcipher_encrypt(request) : crypto_skcipher_decrypt(request), &wait);
  skcipher_request_free(request);
  return error;
}

static int check_size(struct crypto_skcipher* served, struct crypto_skcipher* own, u8* plain, u8* by_daemon, u8* right,
                      u32 bytes, bool is_number) {
  u8 iv[16];
  int error;

  get_random_bytes(iv, sizeof(iv));
  if (is_number) memset(iv + 8, 0, 8);
  get_random_bytes(plain, bytes);
  memcpy(by_daemon, plain, bytes);
  memcpy(right, plain, bytes);
  error = crypt_by(own, true, right, bytes, iv);
  if (!error) error = crypt_by(served, true, by_daemon, bytes, iv);
  if (error) return error;
  if (memcmp(by_daemon, right, bytes) != 0) return -EBADMSG;
  error = crypt_by(served, false, by_daemon, bytes, iv);
  if (error) return error;
  return memcmp(by_daemon, plain, bytes) != 0 ? -EBADMSG : 0;
}

static int check_key(struct crypto_skcipher* served, struct crypto_skcipher* own, u32 key_bytes) {
  u8 key[2 * AES_KEYSIZE_256], *memory = kmalloc_array(3, BYTES_MAX, GFP_KERNEL);
  int error, i;

  if (!memory) return -ENOMEM;
  get_random_bytes(key, key_bytes);
  error = crypto_skcipher_setkey(served, key, key_bytes);
  if (!error) error = crypto_skcipher_setkey(own, key, key_bytes);
  for (i = 0; !error && i < 2 * ARRAY_SIZE(sizes); i++)
    error = check_size(served, own, memory, memory + BYTES_MAX, memory + 2 * BYTES_MAX, sizes[i / 2], i % 2 == 0);
  kfree(memory);
  return error;
}

static int check_daemon(void) {
  struct crypto_skcipher *served = kgpu_alloc_for_check(), *own;
  int error;

  if (IS_ERR(served)) return -EBADMSG; /* the crypto API's own test has failed */
  own = crypto_alloc_skcipher("xts(aes)", 0, CRYPTO_ALG_NEED_FALLBACK);
  if (IS_ERR(own)) {
    crypto_free_skcipher(served);
    return PTR_ERR(own);
  }
  error = check_key(served, own, 2 * AES_KEYSIZE_128);
  if (!error) error = check_key(served, own, 2 * AES_KEYSIZE_256);
  crypto_free_skcipher(own);
  crypto_free_skcipher(served);
  return error;
}

int kgpu_admit(struct kgpu_server* server) {
  int error = 0, tries = 0;

  mutex_lock(&admitting);
  if (!is_registered) {
    kgpu_set_admitted(server, true); /* the crypto API's test is to be answered by the daemon */
    error = kgpu_register_xts();
    if (!error) WRITE_ONCE(is_registered, true);
    kgpu_set_admitted(server, false);
  }
  /* A machine that is just too busy for the time limit is no reason to refuse the daemon for good. */
  while (!error) {
    error = check_daemon();
    if (error != -EIO || ++tries == TRIES_MAX || !kgpu_is_open(server)) break;
    error = 0;
    msleep(PAUSE_MS);
  }
  if (!error) kgpu_set_admitted(server, true);
  if (error) pr_warn("kgpu: the daemon gets no requests: error %d\n", error);
  mutex_unlock(&admitting);
  return error;
}

void kgpu_end_admission(void) {
  flush_workqueue(kgpu_workers);
  if (is_registered) kgpu_unregister_xts();
}
