// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/launch_verdict.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace genesys::schedule {
namespace {

// CUDA maps no memory below this address, so an argument below it is a number or a null pointer.
constexpr std::uint64_t lowest_address = std::uint64_t{1} << 32;

class completion {
 public:
  completion(const kernel_verdict& kernel, const launch& how) : kernel_(kernel), how_(how) {}

  launch_verdict complete() {
    result_.is_idempotent = kernel_.is_idempotent;
    result_.is_preemptible = kernel_.is_preemptible;
    result_.is_write_set_known = kernel_.is_write_set_known;
    check_arguments();
    for (const term& each : kernel_.writes) resolve(each, writes_, unknown_write_);
    for (const term& each : kernel_.reads) resolve(each, reads_, unknown_read_);
    const bool writes_anything = !kernel_.writes.empty() || !kernel_.is_write_set_known;
    if (unknown_write_) {
      result_.is_write_set_known = false;
      refuse(reason::against::both, "it writes through an argument that points to no known allocation");
    }
    if (unknown_read_ && writes_anything) {
      refuse(reason::against::idempotence, "it reads through an argument that points to no known allocation");
    }
    check_memory(writes_anything);
    if (how_.is_cooperative) refuse(reason::against::both, "a cooperative launch is not aborted in part");
    if (how_.has_clusters) refuse(reason::against::both, "a launch with clusters is not aborted in part");
    for (std::size_t index : writes_) {
      result_.write_set.push_back({how_.allocations[index].base, how_.allocations[index].bytes});
    }
    return std::move(result_);
  }

 private:
  void refuse(reason::against what, std::string text) {
    if (what != reason::against::preemption) result_.is_idempotent = false;
    if (what == reason::against::both || what == reason::against::preemption) result_.is_preemptible = false;
    result_.reasons.push_back({what, std::move(text), kernel_.line, kernel_.name});
  }

  void check_arguments() {
    std::uint64_t last = 0;
    for (const allocation& each : how_.allocations) {
      const bool is_wrong = each.base < last || each.base + each.bytes < each.base;
      if (is_wrong) return refuse(reason::against::both, "the allocations are not sorted, or overlap");
      last = each.base + each.bytes;
    }
    for (const parameter& each : kernel_.parameters) {
      if (each.offset + each.bytes <= how_.arguments.size()) continue;
      return refuse(reason::against::both, "fewer arguments than the kernel has parameters");
    }
  }

  std::uint64_t argument(const base& of) const {
    const parameter& from = kernel_.parameters[of.index];
    std::uint64_t value = 0;
    const std::uint64_t at = from.offset + of.offset;
    if (of.offset >= from.bytes || at >= how_.arguments.size()) return ~std::uint64_t{0};
    const std::uint64_t bytes = std::min({std::uint64_t{8}, from.bytes - of.offset, how_.arguments.size() - at});
    std::memcpy(&value, how_.arguments.data() + at, bytes);
    return value;
  }

  // The allocations that a pointer may belong to. A pointer to the end of one may be the start of the next.
  std::vector<std::size_t> around(std::uint64_t pointer) const {
    std::vector<std::size_t> result;
    const auto after = std::upper_bound(how_.allocations.begin(), how_.allocations.end(), pointer,
                                        [](std::uint64_t at, const allocation& one) { return at < one.base; });
    for (auto each = after; each != how_.allocations.begin();) {
      --each;
      if (pointer > each->base + each->bytes) break;
      result.push_back(static_cast<std::size_t>(each - how_.allocations.begin()));
    }
    return result;
  }

  // An address: the sum of arguments and numbers. Every argument that may be a pointer counts, an index or not.
  void resolve(const term& address, std::set<std::size_t>& into, bool& is_unknown) {
    is_unknown |= may_be_difference(address);
    bool has_pointer = false, has_own = false, is_null = true, has_loaded = false, has_scaled_pointer = false,
         has_parameter = false;
    for (const part& each : address) {
      if (each.of.what == base::kind::loaded || each.of.what == base::kind::anything) {
        has_loaded = true;
        is_unknown |= each.how == strength::full;
      }
      has_own |= each.how == strength::full && each.of.what != base::kind::parameter &&
                 each.of.what != base::kind::loaded && each.of.what != base::kind::negated;
      if (each.of.what != base::kind::parameter || each.how == strength::half) continue;
      has_parameter = true;
      const std::uint64_t value = argument(each.of);
      const std::vector<std::size_t> found = around(value);
      into.insert(found.begin(), found.end());
      has_pointer |= !found.empty();
      is_unknown |= found.empty() && value >= lowest_address;
      has_scaled_pointer |= each.how == strength::scaled && (!found.empty() || value >= lowest_address);
      is_null &= value == 0;
    }
    is_unknown |= has_loaded && has_scaled_pointer;  // perhaps a difference
    // A null pointer alone is not used, or the kernel fails. With a number from memory it may be any address.
    if (!has_pointer && !has_own && (!is_null || !has_parameter || has_loaded)) is_unknown = true;
  }

  void check_memory(bool writes_anything) {
    using enum allocation::kind;
    const auto kind_of = [&](std::size_t index) { return how_.allocations[index].what; };
    for (std::size_t index : writes_) {
      if (kind_of(index) == host) {
        refuse(reason::against::both, "it writes memory of the host, which may have seen that");
      } else if (kind_of(index) == managed && kernel_.tells_others) {
        refuse(reason::against::both, "it writes managed memory, and tells the host or other kernels meanwhile");
      } else if (kind_of(index) == variable) {
        refuse(reason::against::idempotence, "it writes a variable of a module through a pointer");
      }
      if (reads_.count(index)) {
        refuse(reason::against::idempotence, "what it reads and what it writes is in one allocation");
      }
    }
    for (std::size_t index : reads_) {
      if (kind_of(index) == variable && !kernel_.symbols_written.empty()) {
        refuse(reason::against::idempotence, "it reads a variable of a module through a pointer, and writes variables");
      }
      if (kind_of(index) == host && writes_anything) {
        refuse(reason::against::idempotence, "it reads memory of the host, which may change that meanwhile");
      }
    }
  }

  const kernel_verdict& kernel_;
  const launch& how_;
  launch_verdict result_;
  std::set<std::size_t> reads_, writes_;
  bool unknown_read_ = false, unknown_write_ = false;
};

}  // namespace

launch_verdict complete(const kernel_verdict& kernel, const launch& how) { return completion(kernel, how).complete(); }

}  // namespace genesys::schedule
