// SPDX-License-Identifier: Apache-2.0
// Sorts numbers and writes them to one file in four ways. One of these writes them in the wrong order.
#include <fcntl.h>
#include <genesys/genesys.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

constexpr unsigned threads = 128, blocks = 16, count = threads * blocks;
enum class way { write_by_thread, pwrite_by_thread, pwrite_by_block, write_by_grid };
constexpr const char* names[] = {"write by thread", "pwrite64 by thread", "pwrite64 by block", "write by grid"};

struct sort_and_write {
  way how;

  GENESYS_KERNEL void operator()(genesys::os os, int fd, const int* numbers, int* sorted) const {
    using namespace genesys;
    auto& part = shared<int[threads]>();  // the numbers of this block's part of the file
    for (unsigned i = thread_rank(); i < count; i += threads) {
      unsigned rank = 0;
      for (unsigned k = 0; k < count; ++k) rank += numbers[k] < numbers[i] || (numbers[k] == numbers[i] && k < i);
      if (rank / threads == block_rank()) part[rank % threads] = numbers[i];
    }
    sync_block();
    const unsigned first = block_rank() * threads, me = first + thread_rank();
    const int mine = sorted[me] = part[thread_rank()];
    if (how == way::write_by_thread) os.write(fd, &mine, sizeof mine);  // at the file's present position
    if (how == way::pwrite_by_thread) os.pwrite64(fd, &mine, sizeof mine, me * sizeof mine);
    if (how == way::pwrite_by_block) os.on(block()).pwrite64(fd, part, sizeof part, first * sizeof mine);
    if (how == way::write_by_grid)
      os.on(grid()).relaxed().write(fd, sorted, count * sizeof mine);  // the last block makes it
  }
};

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--help") == 0) {
    std::puts("usage: sort FILE\nWrites sorted numbers to FILE in four ways, and prints the result of each.");
    return argc != 2 ? 2 : 0;
  }
  genesys::runtime rt;
  const int fd = open(argv[1], O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) {
    std::perror(argv[1]);
    return 1;
  }
  std::vector<int> numbers(count);
  std::generate(numbers.begin(), numbers.end(), [draw = std::mt19937(2018)]() mutable { return int(draw() >> 1); });
  auto* unsorted = static_cast<int*>(rt.allocate_arena(count * sizeof(int)));
  auto* sorted = static_cast<int*>(rt.allocate_device(count * sizeof(int)));
  std::copy(numbers.begin(), numbers.end(), unsorted);
  std::sort(numbers.begin(), numbers.end());
  bool are_all_there = true;
  for (const way how : {way::write_by_thread, way::pwrite_by_thread, way::pwrite_by_block, way::write_by_grid}) {
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) return std::perror(argv[1]), 1;
    const auto before = rt.stats().completed;
    genesys::launch(rt, {.blocks = {blocks}, .threads = {threads}}, sort_and_write{how}, fd, unsorted, sorted).drain();
    std::vector<int> read(count);
    const bool whole = pread(fd, read.data(), count * sizeof(int), 0) == ssize_t{count * sizeof(int)};
    std::printf("%-19s %s, %llu calls\n", names[static_cast<int>(how)],
                !whole            ? "numbers are missing"
                : read == numbers ? "sorted"
                                  : "in the wrong order",
                static_cast<unsigned long long>(rt.stats().completed - before));
    are_all_there = are_all_there && whole;
  }
  return are_all_there ? 0 : 1;
}
