// SPDX-License-Identifier: Apache-2.0
#include "service/loader.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "schedule/program/function_file.h"
#include "schedule/rewrite/text_parts.h"
#include "service/jit_linker.h"
#include "service/loaded_text.h"
#include "trace/clock.h"

namespace genesys::detail::services {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw error(error_code::bad_option, why); }

void compare(const loadable_description& about, const wanted_service& wanted) {
  const auto bytes = [](u32 count) { return std::to_string(count) + " bytes"; };
  if (about.field_count > loadable_fields_max || about.member_count > loadable_members_max ||
      about.argument_bytes > argument_bytes_max)
    refuse("the description of " + wanted.symbol + " is malformed");
  if (!wanted.any_arguments && about.argument_bytes != wanted.argument_bytes) {
    refuse("the arguments of " + wanted.symbol + " have " + bytes(about.argument_bytes) + " in the file, and " +
           bytes(wanted.argument_bytes) + " in the program: compile both with the same structure");
  }
  if (wanted.any_arguments && about.object_bytes != 0)
    refuse("the functor of " + wanted.symbol + " has members, which only a program can give: make them arguments");
  if (about.object_bytes != wanted.object_bytes) {
    refuse("the functor of " + wanted.symbol + " has " + bytes(about.object_bytes) + " in the file, and " +
           bytes(wanted.object_bytes) + " in the program: pass a functor of the same type");
  }
  if (wanted.is_quiet && about.quiet == 0)
    refuse("the program says that " + wanted.symbol + " is quiet, and the file does not");
}

bool is_identifier(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// As many as a block of so many threads can have.
unsigned registers_for(unsigned threads) {
  constexpr unsigned of_a_multiprocessor = 65'536, of_a_thread = 255, step = 8;
  return std::min(of_a_thread, of_a_multiprocessor / threads / step * step);
}

}  // namespace

void loader::check(const wanted_service& wanted) const {
  if (!program_.has_loadable)
    refuse("the server's kernel cannot run loaded services: put genesys::loadable_services into its service_list");
  if (!is_identifier(wanted.symbol)) refuse("'" + wanted.symbol + "' is no symbol: it is an identifier of C");
}

loadable_description loader::load(const service_file& from, const wanted_service& wanted, u32& row, u32& version) {
  check(wanted);
  const bool is_gpu = !on_.target().kernel.empty();
  if (is_gpu && from.gpu.empty()) refuse("a GPU loads PTX or a fatbin: set service_file.gpu");
  if (!is_gpu && from.cpu.empty()) refuse("the CPU device loads a shared object: set service_file.cpu");
  service_bytes read;
  if (is_gpu) read.gpu = read_file(from.gpu);
  if (!from.cpu.empty()) read.cpu = read_file(from.cpu);
  return load(read, wanted, row, version);
}

loadable_description loader::load(const service_bytes& from, const wanted_service& wanted, u32& row, u32& version) {
  check(wanted);
  const std::lock_guard one_at_a_time(loading_);
  const link_target to = on_.target();
  loadable_description about{};
  entry made = open(from, wanted.symbol, to, about);
  compare(about, wanted);
  u32 taken = rows_max, of_version = 0;
  if (!rows_.reserve(taken, of_version)) refuse("64 services are loaded: unload one");
  try {
    const u64 began = now_ns();
    const kernel_image image = link(made, taken, to);
    link_us_.store((now_ns() - began) / 1000, std::memory_order_relaxed);
    on_.exchange(image, wanted.drain_ms);
  } catch (...) {
    rows_.give_back(taken);
    throw;
  }
  {
    const std::lock_guard hold(lock_);
    made.is_loaded = true;
    entries_[taken] = std::move(made);
  }
  ++count_;
  rows_.open_reserved(taken, loaded_codes + taken, wanted.object, wanted.object_bytes);  // X5
  row = taken;
  version = of_version;
  return about;
}

void loader::forget(u32 row) {
  const std::lock_guard hold(lock_);
  entries_[row] = {};
}

// The files, with what the device of the server needs.
loader::entry loader::open(const service_bytes& from, const std::string& symbol, const link_target& to,
                           loadable_description& about) const {
  entry made;
  made.symbol = symbol;
  const bool is_gpu = !to.kernel.empty();
  if (is_gpu && from.gpu.bytes.empty()) refuse("a GPU loads PTX or a fatbin, and no file is one");
  if (!is_gpu && from.cpu.bytes.empty()) refuse("the CPU device loads a shared object, and no file is one");
  if (!from.cpu.bytes.empty()) {
    made.library = std::make_shared<const loaded_library>(from.cpu, symbol);
    about = made.library->about();
    made.twin = made.library->twin();
  }
  if (is_gpu) {
    made.ptx = std::make_shared<const loaded_ptx>(from.gpu, symbol, to.architecture);
    if (made.library != nullptr && std::memcmp(&about, &made.ptx->about(), sizeof about) != 0)
      refuse(from.gpu.name + " and " + from.cpu.name + " describe " + symbol +
             " differently: compile both from one source");
    about = made.ptx->about();
  }
  return made;
}

// The kernel with all services that are loaded now, and one more.
kernel_image loader::link(const entry& added, u32 row, const link_target& to) {
  kernel_image image;
  std::vector<link_input> inputs;
  const auto add = [&](const entry& each, u32 of_row) {
    image.functions.push_back({of_row, each.symbol, each.library != nullptr ? each.library->path() : ""});
    image.kept.push_back(each.library);
    if (each.ptx != nullptr) inputs.push_back({each.symbol, with_one_function(each.ptx->text(), each.symbol, of_row)});
  };
  {
    const std::lock_guard hold(lock_);
    for (u32 r = 0; r < rows_max; ++r) {
      if (entries_[r].is_loaded) add(entries_[r], r);
    }
  }
  add(added, row);
  if (to.kernel.empty()) return image;
  const std::string& kernel = kernel_text(to);
  inputs.push_back({"the program's kernel", kernel});
  inputs.push_back({"the table of functions", table_text(image.functions, to.architecture, kernel)});
  image.cubin = link_cubin(inputs, to.architecture, registers_for(on_.threads_in_block()));
  return image;
}

// The kernel's PTX from the program's file, for the architecture that is next below the GPU's.
const std::string& loader::kernel_text(const link_target& to) {
  if (!kernel_text_.empty()) return kernel_text_;
  const schedule::fatbin_entry* best = nullptr;
  const auto entries = schedule::entries_of_file(schedule::file_of_function(program_.on_cuda));
  std::string problem;
  for (const schedule::fatbin_entry& each : entries) {
    if (each.what != schedule::fatbin_entry::kind::ptx || each.architecture > to.architecture) continue;
    if (!each.problem.empty()) problem = " (" + each.problem + ")";
    if (best != nullptr && best->architecture >= each.architecture) continue;
    if (each.contents.find(".entry " + to.kernel + "(") != each.contents.npos) best = &each;
  }
  if (best == nullptr) {
    const std::string number = std::to_string(to.architecture);
    refuse("the program has no PTX of its non-stop kernel" + problem +
           ": compile it for a virtual architecture, too (nvcc "
           "-gencode arch=compute_" +
           number + ",code=[compute_" + number + ",sm_" + number + "], or CMAKE_CUDA_ARCHITECTURES=" + number +
           "), and without -rdc=true");
  }
  kernel_text_ = schedule::text_parts(best->contents).with_only(to.kernel);
  return kernel_text_;
}

}  // namespace genesys::detail::services
