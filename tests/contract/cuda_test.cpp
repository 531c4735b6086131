// SPDX-License-Identifier: Apache-2.0
// The CUDA way: __global__ kernels, <<<>>>, streams, cooperative groups. Needs a GPU.
#include "contract.h"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#include <genesys/cooperative_groups.h>

namespace contract {
namespace {

namespace cg = cooperative_groups;

// Each thread reads its own byte. Lane 0 of the first warp has left.
__global__ void read_own_bytes(genesys::os os, int file, long* values) {
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me == 0) return;
  u8 byte = 0;
  const long n = os.pread64(file, &byte, 1, me);
  values[me] = n == 1 ? byte : n;
}

// Each block reads together, with the groups of CUDA's cooperative groups as scopes.
__global__ void read_by_groups(genesys::os os, int file, long* values) {
  __shared__ u8 bytes[256];
  const cg::thread_block block = cg::this_thread_block();
  const long n = os.on(block).pread64(file, bytes, sizeof bytes, blockIdx.x * sizeof bytes);
  const auto alone = cg::tiled_partition<1>(block);
  const long position = threadIdx.x % 2 != 0 ? os.on(alone).lseek(file, 0, SEEK_CUR) : 0;
  const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  values[me] = n == sizeof bytes && position == 0 ? bytes[threadIdx.x] : -1;
}

__global__ void nothing() {}

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!on_cuda()) GTEST_SKIP() << "no GPU";
  }
  folder in;
  std::string content = patterned(4096, 9);
  descriptor file = made_file(in, "file", content);
  void check(const on_device<long>& values, u32 from) {
    const std::vector<long> got = values.take();
    for (u32 i = from; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<u8>(content[i])) << i;
  }
};

TEST_F(Cuda, GlobalKernelsOnAStream) {
  runtime& rt = shared_runtime();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  on_device<long> first(rt, 512), second(rt, 2048);
  {
    launched run(rt, rt.attach(stream));
    read_own_bytes<<<4, 128, 0, stream>>>(run->os(), file.get(), first.get());
    read_by_groups<<<8, 256, 0, stream>>>(run->os(), file.get(), second.get());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    run.finish();
    check(first, 1);
    check(second, 0);
    second.fill(0);
    run->drain();
    read_by_groups<<<8, 256, 0, stream>>>(run->os(), file.get(), second.get());  // the run goes on after a drain
    contract::finish(rt, *run);
    check(second, 0);
  }
  cudaStreamDestroy(stream);
}

TEST_F(Cuda, GlobalKernelsOnTheDefaultStream) {
  runtime& rt = shared_runtime();
  on_device<long> values(rt, 512);
  launched run(rt, rt.attach());
  read_own_bytes<<<2, 256>>>(run->os(), file.get(), values.get());
  run.finish();
  check(values, 1);
}

struct add_one {
  GENESYS_KERNEL void operator()(genesys::os os, u32* sum) const {
    if (os.getpid() > 0) genesys::atomic<u32>(*sum).fetch_add(1);
  }
};

TEST_F(Cuda, AnErrorThatTheProgramLeftIsNotTheLaunchs) {
  runtime& rt = shared_runtime();
  on_device<u32> sum(rt, 1);
  sum.fill(0);
  nothing<<<1, 2048>>>();  // CUDA refuses it, and nothing reads the error
  EXPECT_NO_THROW(play(rt, {.threads = {64}}, add_one{}, sum.get()));
  (void)cudaGetLastError();
  EXPECT_EQ(sum.take()[0], 64u);
}

}  // namespace
}  // namespace contract
#endif
