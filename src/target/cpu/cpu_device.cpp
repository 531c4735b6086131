// SPDX-License-Identifier: Apache-2.0
// The CPU device as the host sees it: cpu::device behind the interface of target/device.h. Memory that both sides
// address is ordinary memory; device memory is the device's own region.
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <list>
#include <mutex>
#include <system_error>

#include "genesys/detail/target/cpu.h"
#include "target/cpu/cpu_mapper.h"
#include "target/cpu/futex_word.h"
#include "target/device.h"

namespace genesys::detail {
namespace {

cpu::dims dims_of(dim d) { return {d.x, d.y, d.z}; }

class cpu_launches final : public launches {
 public:
  cpu_launches(cpu::device& on, void* stream) : on_(on), stream_(stream) {}
  void launched() override {}
  bool are_under_way() override { return first_under_way() != nullptr; }
  bool hold_back(void*) override { return false; }
  // Takes no memory, because the end of a run waits here and must not fail.
  void wait() override {
    while (const auto one = first_under_way()) on_.wait(*one);
  }
  progress look() override { return first_under_way() == nullptr ? progress::ended : progress::under_way; }
  std::size_t count() override {
    const std::lock_guard hold(lock_);
    return static_cast<std::size_t>(
        std::count_if(started_.begin(), started_.end(), [this](const auto& one) { return !on_.done(*one); }));
  }
  void start(dim blocks, dim threads, std::size_t shared_bytes, std::function<void()> body,
             const aborts::launch_context* abort) override {
    try {
      std::list<std::shared_ptr<cpu::launch_state>> entry(1);
      entry.front() = on_.launch(dims_of(blocks), dims_of(threads), shared_bytes, stream_, std::move(body), abort);
      const std::lock_guard hold(lock_);
      started_.remove_if([this](const auto& one) { return on_.done(*one); });
      started_.splice(started_.end(), entry);
    } catch (const std::invalid_argument& wrong) {
      throw error(error_code::launch_failed, wrong.what());
    }
  }

 private:
  std::shared_ptr<cpu::launch_state> first_under_way() {
    const std::lock_guard hold(lock_);
    for (const auto& one : started_) {
      if (!on_.done(*one)) return one;
    }
    return nullptr;
  }

  cpu::device& on_;
  void* stream_;
  std::mutex lock_;
  std::list<std::shared_ptr<cpu::launch_state>> started_;
};

class cpu_interrupt final : public interrupt {
 public:
  cpu_interrupt(u32& word, producer_state* producers, u32 queues)
      : word_(word), producers_(producers), queues_(queues) {}

  bool arm(launches& kernels, u64* tails) override {
    if (ended_.load(std::memory_order_relaxed) || !kernels.are_under_way()) return false;
    std::atomic_ref(word_).store(0, std::memory_order_seq_cst);
    cpu::allow_device_memory();
    for (u32 q = 0; q < queues_; ++q)
      tails[q] = std::atomic_ref<u64>(producers_[q].tail).fetch_or(armed_mark, std::memory_order_acq_rel);
    cpu::deny_device_memory();
    return true;
  }
  void wait() override { cpu::wait_for_word(word_); }
  void raise() override { cpu::raise_word(word_); }
  void end() override {
    ended_.store(true, std::memory_order_relaxed);
    raise();
  }

 private:
  std::atomic<bool> ended_{false};
  u32& word_;
  producer_state* const producers_;
  const u32 queues_;
};

// Finds the read-only segment of the program that an address lies in. Here such segments hold a kernel's string
// literals; on a GPU these are in device memory.
address_info constants_at(u64 address) {
  struct search {
    u64 address;
    address_info found;
  } wanted{address, {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* into) {
        auto& w = *static_cast<search*>(into);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
          const auto& segment = object->dlpi_phdr[i];
          const u64 begin = object->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0 || w.address < begin ||
              w.address >= begin + segment.p_memsz)
            continue;
          w.found = {pointer_kind::stage, begin, segment.p_memsz};
          return 1;
        }
        return 0;
      },
      &wanted);
  return wanted.found;
}

class cpu_device final : public device {
 public:
  explicit cpu_device(const options& chosen)
      : device_({.resident_threads_max = chosen.resident_threads_max,
                 .stack_bytes = chosen.stack_bytes,
                 .seed = chosen.seed}) {}

  device_kind kind() const override { return device_kind::cpu; }
  std::string describe() const override {
    return "cpu: " + std::to_string(device_.os_threads()) + " OS threads, " +
           std::to_string(device_.resident_threads_max()) + " resident threads with stacks of " +
           std::to_string(device_.stack_bytes() >> 10) + " KiB, seed " + std::to_string(device_.seed());
  }
  u32 warps_resident_max() const override { return device_.warps_resident_max(); }

  void* allocate_both(std::size_t bytes) override {
    std::list<mapping> entry(1);
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw error(error_code::no_pinned_memory,
                  "cannot map " + std::to_string(bytes >> 20) + " MiB (" + std::strerror(errno) +
                      "): free memory, or make options.arena_bytes and bounce_bytes smaller");
    }
    entry.front() = {memory, bytes};
    const std::lock_guard hold(lock_);
    mapped_.splice(mapped_.end(), entry);
    return memory;
  }
  void* reserve_both(std::size_t bytes) override { return allocate_both(bytes); }
  bool provide(void*, std::size_t) override { return true; }  // Linux does so at the first use
  void free_both(void* memory) override {
    const std::lock_guard hold(lock_);
    for (auto at = mapped_.begin(); at != mapped_.end(); ++at) {
      if (at->address != memory) continue;
      ::munmap(at->address, at->bytes);
      mapped_.erase(at);
      return;
    }
  }
  void* allocate(std::size_t bytes) override {
    try {
      if (void* memory = device_.allocate_device(bytes == 0 ? 1 : bytes)) return memory;
    } catch (const std::system_error& caught) {
      throw error(error_code::no_memory, caught.what());
    }
    throw error(error_code::no_memory,
                "the CPU device has no " + std::to_string(bytes) + " bytes of device memory left");
  }
  void free(void* memory) override {
    if (memory != nullptr && !device_.free_device(memory)) {
      throw error(error_code::bad_option, "free_device of an address that allocate_device did not return");
    }
  }
  void copy_to_device(void* device, const void* host, std::size_t bytes) override { copy(device, host, bytes); }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override { copy(host, device, bytes); }
  void fill(void* device, int byte, std::size_t bytes) override {
    cpu::allow_device_memory();
    std::memset(device, byte, bytes);
  }
  void load_words(u64* into, const void* device, u32 words, u32 rows, std::size_t apart) override {
    cpu::allow_device_memory();
    for (u32 r = 0; r < rows; ++r) {
      const auto* row = reinterpret_cast<const u64*>(static_cast<const unsigned char*>(device) + r * apart);
      for (u32 w = 0; w < words; ++w) *into++ = std::atomic_ref<const u64>(row[w]).load(std::memory_order_relaxed);
    }
  }
  void store_words(void* device, u32 value, u32 rows, std::size_t apart) override {
    cpu::allow_device_memory();
    for (u32 r = 0; r < rows; ++r) {
      auto* word = reinterpret_cast<u32*>(static_cast<unsigned char*>(device) + r * apart);
      std::atomic_ref<u32>(*word).store(value, std::memory_order_relaxed);
    }
  }

  address_info ask(u64 address) override {
    void* begin = nullptr;
    std::size_t bytes = 0;
    if (device_.device_range(reinterpret_cast<const void*>(address), &begin, &bytes)) {
      return {pointer_kind::stage, reinterpret_cast<u64>(begin), bytes};
    }
    return constants_at(address);
  }
  mapper& memory_mapper() override { return mapper_; }
  std::unique_ptr<launches> attach(void* stream) override { return std::make_unique<cpu_launches>(device_, stream); }
  void enter_serving_thread() override { cpu::deny_device_memory(); }
  std::unique_ptr<interrupt> make_interrupt(interrupt_words& words, producer_state* producers, u32 queues) override {
    return std::make_unique<cpu_interrupt>(words.raised, producers, queues);
  }

 private:
  struct mapping {
    void* address;
    std::size_t bytes;
  };
  static void copy(void* to, const void* from, std::size_t bytes) {
    cpu::allow_device_memory();
    std::memcpy(to, from, bytes);
  }

  cpu::device device_;
  cpu_mapper mapper_;
  std::mutex lock_;
  std::list<mapping> mapped_;
};

}  // namespace

std::unique_ptr<device> open_cpu_device(const options& chosen) {
  try {
    return std::make_unique<cpu_device>(chosen);
  } catch (const std::system_error& caught) {
    throw error(error_code::system, std::string("the CPU device cannot be set up: ") + caught.what());
  } catch (const std::invalid_argument& wrong) {
    throw error(error_code::bad_option, wrong.what());
  }
}

}  // namespace genesys::detail
