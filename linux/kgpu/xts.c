// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cipher xts-aes-kgpu of the crypto API: xts(aes), by the daemon. The crypto API calls it from any context but a
 * hard interrupt.
 *
 * A request goes to the daemon in pieces of at most KGPU_DATA_BYTES_MAX, one after the other. A piece is a whole XTS
 * request: the module computes the initialization vector with which the next piece continues the last one. What the
 * daemon does not do, the kernel's own cipher (the fallback) does: from the first byte, if no daemon takes the first
 * piece, else from the first piece that came back. So source and target may be the same memory.
 *
 * No memory is allocated for a request, because dm-crypt writes pages out to free memory.
 */
#include <crypto/aes.h>
#include <crypto/gf128mul.h>
#include <crypto/internal/skcipher.h>
#include <crypto/scatterwalk.h>
#include <linux/module.h>

#include "module.h"

int kgpu_priority = 5000;

struct tfm_context {
  struct crypto_skcipher* fallback;
  struct crypto_aes_ctx tweak; /* the second half of the key */
  struct kgpu_key key;
  bool is_served; /* the daemon knows keys of this size */
  bool is_check;  /* admit.c's: the fallback is not used */
};

struct request_context {
  struct kgpu_job job;
  struct skcipher_request* request;
  struct work_struct rest;
  struct scatterlist source[2], target[2]; /* of the rest */
  struct skcipher_request fallback;        /* the last member: the fallback's context follows it */
};

static atomic64_t key_numbers;

static struct tfm_context* context_of(struct skcipher_request* request) {
  return crypto_skcipher_ctx(crypto_skcipher_reqtfm(request));
}

static int setkey(struct crypto_skcipher* tfm, const u8* key, unsigned int bytes) {
  struct tfm_context* context = crypto_skcipher_ctx(tfm);
  int error;

  context->is_served = false;
  crypto_skcipher_clear_flags(context->fallback, CRYPTO_TFM_REQ_MASK);
  crypto_skcipher_set_flags(context->fallback, crypto_skcipher_get_flags(tfm) & CRYPTO_TFM_REQ_MASK);
  error = crypto_skcipher_setkey(context->fallback, key, bytes); /* also checks for weak keys */
  if (error || (bytes != 2 * AES_KEYSIZE_128 && bytes != 2 * AES_KEYSIZE_256)) return error;
  error = aes_expandkey(&context->tweak, key + bytes / 2, bytes / 2);
  if (error) return error;
  memcpy(context->key.bytes, key, bytes);
  context->key.count = bytes;
  context->key.number = atomic64_inc_return(&key_numbers);
  context->is_served = true;
  return 0;
}

static int run_fallback(struct request_context* of, u32 operation) {
  atomic64_inc(&kgpu_counts.by_kernel);
  return operation == KGPU_XTS_ENCRYPT ? crypto_skcipher_encrypt(&of->fallback)
                                       : crypto_skcipher_decrypt(&of->fallback);
}

static void rest_is_done(struct crypto_async_request* fallback, int error) {
  struct skcipher_request* request = fallback->data;

  if (error == -EINPROGRESS) return; /* it has left the fallback's backlog */
  skcipher_request_complete(request, error);
}

/* The kernel's own cipher does what is left, on a worker: some ciphers are faster there, and take long. */
static void do_rest(struct work_struct* work) {
  struct request_context* of = container_of(work, struct request_context, rest);
  struct skcipher_request* request = of->request;
  struct tfm_context* context = context_of(request);
  u32 done = of->job.offset;
  int error;

  skcipher_request_set_tfm(&of->fallback, context->fallback);
  skcipher_request_set_callback(&of->fallback, CRYPTO_TFM_REQ_MAY_BACKLOG, rest_is_done, request);
  skcipher_request_set_crypt(&of->fallback, scatterwalk_ffwd(of->source, request->src, done),
                             scatterwalk_ffwd(of->target, request->dst, done), request->cryptlen - done, of->job.iv);
  error = run_fallback(of, of->job.operation);
  if (error == -EINPROGRESS || error == -EBUSY) return;
  local_bh_disable();
  skcipher_request_complete(request, error);
  local_bh_enable();
}

/* The vector whose encryption is the tweak of the block behind this piece: XTS doubles the tweak for each block. */
static void advance_iv(const struct tfm_context* context, u8 iv[16], u32 blocks) {
  le128 tweak;

  aes_encrypt(&context->tweak, (u8*)&tweak, iv);
  while (blocks-- != 0) gf128mul_x_ble(&tweak, &tweak);
  aes_decrypt(&context->tweak, iv, (u8*)&tweak);
}

static void piece_is_done(struct kgpu_job* job, int error) {
  struct request_context* of = container_of(job, struct request_context, job);
  struct skcipher_request* request = of->request;
  struct tfm_context* context = context_of(request);

  if (!error) {
    u32 done = job->offset + job->bytes;

    if (done == request->cryptlen) {
      skcipher_request_complete(request, 0);
      return;
    }
    advance_iv(context, job->iv, job->bytes / AES_BLOCK_SIZE);
    job->offset = done;
    job->bytes = min(request->cryptlen - done, KGPU_DATA_BYTES_MAX);
    error = kgpu_submit(job, context->is_check);
    if (!error) return;
  }
  if (context->is_check) {
    skcipher_request_complete(request, -EIO);
    return;
  }
  INIT_WORK(&of->rest, do_rest);
  queue_work(kgpu_workers, &of->rest);
}

static int crypt(struct skcipher_request* request, u32 operation) {
  struct request_context* of = skcipher_request_ctx(request);
  struct tfm_context* context = context_of(request);

  if (request->cryptlen < AES_BLOCK_SIZE) return -EINVAL;
  if (context->is_served && request->cryptlen % AES_BLOCK_SIZE == 0) {
    of->request = request;
    of->job = (struct kgpu_job){.source = request->src,
                                .target = request->dst,
                                .offset = 0,
                                .bytes = min(request->cryptlen, KGPU_DATA_BYTES_MAX),
                                .operation = operation,
                                .key = &context->key,
                                .done = piece_is_done};
    memcpy(of->job.iv, request->iv, sizeof(of->job.iv));
    if (kgpu_submit(&of->job, context->is_check) == 0) return -EINPROGRESS;
  }
  if (context->is_check) return -EIO;
  skcipher_request_set_tfm(&of->fallback, context->fallback);
  skcipher_request_set_callback(&of->fallback, request->base.flags, request->base.complete, request->base.data);
  skcipher_request_set_crypt(&of->fallback, request->src, request->dst, request->cryptlen, request->iv);
  return run_fallback(of, operation);
}

static int encrypt(struct skcipher_request* request) { return crypt(request, KGPU_XTS_ENCRYPT); }
static int decrypt(struct skcipher_request* request) { return crypt(request, KGPU_XTS_DECRYPT); }

static int init_tfm(struct crypto_skcipher* tfm) {
  struct tfm_context* context = crypto_skcipher_ctx(tfm);

  /* Not this cipher itself, and none that dm-crypt would not take. */
  context->fallback = crypto_alloc_skcipher("xts(aes)", 0, CRYPTO_ALG_NEED_FALLBACK | CRYPTO_ALG_ALLOCATES_MEMORY);
  if (IS_ERR(context->fallback)) return PTR_ERR(context->fallback);
  crypto_skcipher_set_reqsize(tfm, sizeof(struct request_context) + crypto_skcipher_reqsize(context->fallback));
  return 0;
}

static void exit_tfm(struct crypto_skcipher* tfm) {
  struct tfm_context* context = crypto_skcipher_ctx(tfm);

  crypto_free_skcipher(context->fallback);
}

static struct skcipher_alg xts = {.setkey = setkey,
                                  .encrypt = encrypt,
                                  .decrypt = decrypt,
                                  .init = init_tfm,
                                  .exit = exit_tfm,
                                  .min_keysize = 2 * AES_MIN_KEY_SIZE,
                                  .max_keysize = 2 * AES_MAX_KEY_SIZE,
                                  .ivsize = AES_BLOCK_SIZE,
                                  .base = {.cra_name = "xts(aes)",
                                           .cra_driver_name = "xts-aes-kgpu",
                                           .cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK,
                                           .cra_blocksize = AES_BLOCK_SIZE,
                                           .cra_ctxsize = sizeof(struct tfm_context),
                                           .cra_module = THIS_MODULE}};

int kgpu_register_xts(void) {
  xts.base.cra_priority = kgpu_priority;
  return crypto_register_skcipher(&xts);
}

void kgpu_unregister_xts(void) { crypto_unregister_skcipher(&xts); }

struct crypto_skcipher* kgpu_alloc_for_check(void) {
  struct crypto_skcipher* tfm = crypto_alloc_skcipher("xts-aes-kgpu", 0, 0);

  if (!IS_ERR(tfm)) ((struct tfm_context*)crypto_skcipher_ctx(tfm))->is_check = true;
  return tfm;
}
