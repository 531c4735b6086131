// SPDX-License-Identifier: Apache-2.0
// csv2bin: converts a CSV file of numbers to binary rows. The blocks take pieces of the file in turn; a block reads its
// piece by one call, its threads convert the lines that begin there, and one call writes all rows of the piece.
#include <fcntl.h>
#include <genesys/genesys.h>
#include <genesys/stdio.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "row.h"

namespace posix = genesys::posix;
template <class T>
using atomic = genesys::atomic<T>;

constexpr int threads = 256, share = 100;  // bytes of a thread; 25 words: no bank conflicts
constexpr long piece_bytes = threads * share, line_max = 4096, types_max = 64;

struct progress {         // of the grid, in device memory
  unsigned long taken;    // pieces
  unsigned long counted;  // pieces whose rows are counted
  unsigned long rows;     // of these
  unsigned long ended;    // blocks
  unsigned long fault;    // ~(line << 24 | column << 8 | row::fault) of the first fault; 0: there is none
};

struct csv2bin {
  char types[types_max];

  GENESYS_KERNEL void operator()(genesys::os os, const char* name, const char* into, progress* all, int* status) const {
    posix::library c(os);
    const auto io = os.on(genesys::block());
    const auto once = os.on(genesys::grid()).relaxed(genesys::consumer());
    const int me = static_cast<int>(genesys::thread_rank());
    const int in = posix::open(once, name, O_RDONLY);
    if (in < 0) return fail(name, status);
    struct stat about, to;
    if (posix::fstat(io, in, &about) == 0 && !S_ISREG(about.st_mode)) errno = S_ISDIR(about.st_mode) ? EISDIR : ESPIPE;
    if (errno != 0) return fail(name, status);
    const int out = posix::open(once, into, O_WRONLY | O_CREAT, 0666);
    if (out < 0) return fail(into, status);
    if (posix::fstat(io, out, &to) == 0 && !S_ISREG(to.st_mode)) errno = ESPIPE;
    if (to.st_dev == about.st_dev && to.st_ino == about.st_ino) errno = EINVAL;
    if (errno != 0 || posix::ftruncate(once, out, 0) != 0) return fail(into, status);
    const long bytes = about.st_size, row_bytes = row::bytes_of(types);
    constexpr long room = 4 * piece_bytes + 8 * types_max;  // 2 bytes of text make 8 at most
    char* const rows = static_cast<char*>(posix::malloc(io, room));
    if (rows == nullptr) fail(name, status);
    auto& text = genesys::shared<char[1 + piece_bytes + line_max + 1]>();  // from the byte before the piece, to a null
    auto& starts = genesys::shared<int[threads]>();
    auto& first = genesys::shared<unsigned long>();
    while (rows != nullptr) {
      if (me == 0) first = atomic(all->taken).fetch_add(1);
      genesys::sync_block();
      const long piece = static_cast<long>(first), from = piece * piece_bytes, skipped = from == 0;
      if (from >= bytes) break;
      const long left = bytes - from, wanted = left < piece_bytes + line_max ? left : piece_bytes + line_max;
      if (posix::pread(io, in, text + skipped, static_cast<size_t>(1 - skipped + wanted), from - 1 + skipped) !=
          1 - skipped + wanted)
        fail(name, status);
      if (me == 0 && from == 0) text[0] = '\n';
      if (me == 0) text[1 + wanted] = 0;
      genesys::sync_block();
      const char *const mine = text + 1 + me * share, *const end = text + 1 + wanted;
      starts[me] = 0;
      for (int i = 0; i < share && mine + i < end; ++i) starts[me] += mine[i - 1] == '\n';
      genesys::sync_block();
      long at = 0, count = 0;  // the number of my first row, and of the piece's rows
      for (int i = 0; i < threads; ++i) at += i < me ? starts[i] : 0, count += starts[i];
      if (me == 0) {
        // The piece before was taken before, so its block runs and gets here.
        while (atomic(all->counted).load() != static_cast<unsigned long>(piece)) genesys::pause();
        first = all->rows;
        all->rows += static_cast<unsigned long>(count);
        atomic(all->counted).store(static_cast<unsigned long>(piece) + 1);
      }
      genesys::sync_block();
      const auto line = first;
      for (int i = 0; i < share && mine + i < end; ++i) {
        if (mine[i - 1] != '\n') continue;
        const char* place = mine + i;
        const auto wrong = row::convert_line(place, end, left == wanted, types, rows + at++ * row_bytes, rows + room);
        if (wrong == row::none) continue;
        const auto column = static_cast<unsigned long>(place - mine - i + 1);
        atomic(all->fault).fetch_max(~((line + static_cast<unsigned long>(at)) << 24 | column << 8 | wrong));
      }
      genesys::sync_block();
      const long made = count * row_bytes < room ? count * row_bytes : room;
      if (posix::pwrite(io, out, rows, static_cast<size_t>(made), static_cast<long>(line) * row_bytes) != made)
        fail(into, status);
    }
    if (me == 0 && atomic(all->ended).fetch_add(1) + 1 == genesys::blocks_in_grid()) finish(name, into, *all, status);
  }

  // One message is enough.
  GENESYS_KERNEL static void fail(const char* name, int* status) {
    if (genesys::thread_rank() != 0 || genesys::atomic<int, genesys::thread_scope::system>(*status).exchange(1) != 0)
      return;
    posix::fprintf(posix::standard_error(), "csv2bin: %s: %m\n", name);
  }

  // By one thread, when all pieces are done.
  GENESYS_KERNEL static void finish(const char* name, const char* into, const progress& all, int* status) {
    const char* const texts[] = {
        "", "not a number", "out of range", "too few fields", "too many fields", "line too long"};
    if (const auto place = ~all.fault; all.fault != 0 && *status == 0) {
      posix::fprintf(posix::standard_error(), "%s:%lu:%lu: %s\n", name, place >> 24, place >> 8 & 0xffff,
                     texts[place & 0xff]);
      *status = 1;
    }
    if (*status != 0 && posix::truncate(into, 0) == 0) posix::unlink(into);
  }
};

int main(int argc, char** argv) {
  csv2bin program{};
  const std::size_t columns = argc == 4 ? std::strspn(argv[1], "iqfd") : 0;
  if (columns == 0 || columns >= sizeof program.types || argv[1][columns] != 0) {
    const bool is_help = argc == 2 && std::strcmp(argv[1], "--help") == 0;
    std::fputs(
        "usage: csv2bin TYPES IN OUT\nConverts a CSV file of numbers to rows without padding, little-endian.\n"
        "TYPES has a letter for each column: i, q: integers of 4, 8 bytes; f, d: floating-point numbers of 4, 8.\n",
        is_help ? stdout : stderr);
    return is_help ? 0 : 2;
  }
  std::strcpy(program.types, argv[1]);
  genesys::runtime rt;
  const genesys::run kept = rt.attach();
  auto* const all = static_cast<progress*>(rt.allocate_device(sizeof(progress)));
  rt.fill_device(all, 0, sizeof *all);
  auto* const status = static_cast<int*>(rt.allocate_arena(sizeof(int)));
  *status = 0;
  std::error_code none;
  const auto pieces = std::filesystem::file_size(argv[2], none) / piece_bytes + 1;
  genesys::launch(rt, {.blocks = {none ? 1 : pieces > 528 ? 528 : static_cast<unsigned>(pieces)}, .threads = {threads}},
                  program, kept.copy(argv[2]), kept.copy(argv[3]), all, status)
      .drain();
  rt.free_device(all);
  return *status;
}
