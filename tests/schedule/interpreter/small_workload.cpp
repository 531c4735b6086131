// SPDX-License-Identifier: Apache-2.0
#include "small_workload.h"

#include <bit>

namespace genesys::schedule::interpreter {
namespace {

// Parameters as CUDA lays them out.
class arguments {
 public:
  template <class type>
  arguments& add(type value) {
    bytes_.resize((bytes_.size() + sizeof value - 1) / sizeof value * sizeof value + sizeof value);
    std::memcpy(bytes_.data() + bytes_.size() - sizeof value, &value, sizeof value);
    return *this;
  }
  std::vector<std::uint8_t> bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

class arrays {
 public:
  explicit arrays(machine& on) : on_(on) {}

  std::uint64_t ints(std::size_t count, unsigned below) {
    return made(count, [&] { return next() % below; });
  }
  std::uint64_t floats(std::size_t count) {
    return made(count, [&] { return std::bit_cast<std::uint32_t>(static_cast<float>(next() % 1000 + 1) / 256); });
  }
  std::uint64_t same(std::size_t count, std::uint32_t value) {
    return made(count, [&] { return value; });
  }
  std::uint64_t counting(std::size_t count, std::uint32_t step, std::uint32_t modulus) {
    std::uint32_t i = 0;
    return made(count, [&] { return i++ * step % modulus; });
  }
  void set(std::uint64_t array, std::size_t index, std::uint32_t value) {
    on_.global().store(array + 4 * index, 4, value);
  }

 private:
  template <class maker>
  std::uint64_t made(std::size_t count, maker make) {
    const std::uint64_t array = on_.global().allocate(4 * count);
    for (std::size_t i = 0; i < count; ++i) on_.global().store(array + 4 * i, 4, make());
    return array;
  }
  std::uint32_t next() { return state_ = state_ * 1664525U + 1013904223U, state_ >> 8; }

  machine& on_;
  std::uint32_t state_ = 27;
};

using maker = small_workload (*)(arrays&);
constexpr int n = 1000;

small_workload one(launch all) { return {all.kernel, {std::move(all)}}; }

const std::map<std::string, maker>& makers() {
  static const std::map<std::string, maker> all = {
      {"add_in_place",
       [](arrays& a) {
         return one({"add_in_place", {3}, {64}, 0, arguments().add(a.floats(n)).add(a.floats(n)).add(n).bytes()});
       }},
      {"copy",
       [](arrays& a) {
         return one(
             {"copy", {2}, {64}, 0, arguments().add(a.ints(4 * n, 99)).add(a.same(4 * n, 0)).add(long{n}).bytes()});
       }},
      {"reduce",
       [](arrays& a) {
         return one({"reduce", {3}, {256}, 0, arguments().add(a.ints(9 * n, 99)).add(a.same(3, 0)).add(9 * n).bytes()});
       }},
      {"sgemm",
       [](arrays& a) {
         return one({"sgemm",
                     {1, 2},
                     {256},
                     0,
                     arguments()
                         .add(a.floats(256 * 32))
                         .add(a.floats(32 * 128))
                         .add(a.same(256 * 128, 0))
                         .add(128)
                         .add(32)
                         .bytes()});
       }},
      {"tight_loop",
       [](arrays& a) {
         return one({"tight_loop", {3}, {32}, 0, arguments().add(a.same(96, 0)).add(300).add(0.5F).bytes()});
       }},
      {"long_atomics",
       [](arrays& a) {
         return one({"long_atomics", {4}, {32}, 0, arguments().add(a.same(64, 5)).add(63).add(200).bytes()});
       }},
      {"stencil",
       [](arrays& a) {
         return one(
             {"stencil",
              {3, 3},
              {16, 16},
              0,
              arguments().add(a.floats(900)).add(a.floats(900)).add(a.same(900, 0)).add(30).add(30).add(3).bytes()});
       }},
      {"histogram",
       [](arrays& a) {
         return one(
             {"histogram", {9}, {256}, 0, arguments().add(a.ints(n, ~0U)).add(a.same(256, 3)).add(4 * n).bytes()});
       }},
      {"bfs_level",
       [](arrays& a) {
         const std::uint64_t distance = a.same(256, ~0U), first = a.counting(257, 8, ~0U), edges = a.ints(8 * 256, 256);
         a.set(distance, 0, 0);
         small_workload result{"bfs_level", {}};
         const std::uint64_t changed = a.same(1, 0);
         for (int level = 0; level < 3; ++level) {
           result.launches.push_back(
               {"bfs_level",
                {4},
                {64},
                0,
                arguments().add(first).add(edges).add(distance).add(changed).add(256).add(level).bytes()});
         }
         return result;
       }},
      {"wavefront",
       [](arrays& a) {
         const std::uint64_t table = a.ints(49 * 49, 9), score = a.ints(49 * 49, 20);
         small_workload result{"wavefront", {}};
         for (int diagonal = 0; diagonal < 5; ++diagonal) {
           const int first = std::max(0, diagonal - 2), last = std::min(2, diagonal);
           result.launches.push_back(
               {"wavefront",
                {static_cast<unsigned>(last - first + 1)},
                {16},
                0,
                arguments().add(table).add(score).add(49).add(10).add(diagonal).add(first).bytes()});
         }
         return result;
       }},
      {"eliminate",
       [](arrays& a) {
         const std::uint64_t matrix = a.floats(12 * 12), factors = a.same(12 * 12, 0), right = a.floats(12);
         small_workload result{"eliminate", {}};
         for (int column = 0; column < 11; ++column) {
           result.launches.push_back(
               {"eliminate_factors", {2}, {8}, 0, arguments().add(factors).add(matrix).add(12).add(column).bytes()});
           result.launches.push_back({"eliminate_rows",
                                      {3, 3},
                                      {4, 4},
                                      0,
                                      arguments().add(factors).add(matrix).add(right).add(12).add(column).bytes()});
         }
         return result;
       }},
      {"scan",
       [](arrays& a) {
         return one(
             {"scan", {2}, {256}, 0, arguments().add(a.ints(6 * 256, 99)).add(a.same(6 * 256, 0)).add(6).bytes()});
       }},
      {"rows_by_warps",
       [](arrays& a) {
         return one({"rows_by_warps",
                     {3},
                     {64},
                     0,
                     arguments().add(a.ints(20 * 70, 99)).add(a.same(20, 0)).add(20).add(70).bytes()});
       }},
      {"async_tiles",
       [](arrays& a) {
         return one({"async_tiles",
                     {3},
                     {256},
                     0,
                     arguments().add(a.ints(24 * 1024, ~0U)).add(a.same(3 * 256, 0)).add(24).bytes()});
       }},
      {"by_mbarrier",
       [](arrays& a) {
         return one({"by_mbarrier",
                     {3},
                     {256},
                     0,
                     arguments().add(a.ints(24 * 256, ~0U)).add(a.same(3 * 256, 0)).add(24).bytes()});
       }},
      {"early_exit",
       [](arrays& a) {
         return one({"early_exit",
                     {3},
                     {64},
                     256,
                     arguments().add(a.ints(150, ~0U)).add(a.same(150, 0)).add(150).add(12).bytes()});
       }},
      {"indices",
       [](arrays& a) {
         return one({"indices",
                     {3},
                     {128},
                     0,
                     arguments().add(a.counting(128, 5, 128)).add(a.same(3 * 128, 0)).add(24).bytes()});
       }},
      {"leaders",
       [](arrays& a) {
         return one({"leaders",
                     {3},
                     {128},
                     0,
                     arguments().add(a.counting(128, 5, 128)).add(a.same(3 * 128, 0)).add(8).bytes()});
       }},
      {"count_calls",
       [](arrays&) {
         return one({"count_calls", {5}, {32}, 0, {}});
       }},
  };
  return all;
}

}  // namespace

small_workload make_workload(machine& on, const std::string& name) {
  arrays made(on);
  return makers().at(name)(made);
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const auto& each : makers()) names.push_back(each.first);
  return names;
}

}  // namespace genesys::schedule::interpreter
