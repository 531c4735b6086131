// SPDX-License-Identifier: Apache-2.0
#include "fake_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

#include "schedule/classify/verdict.h"
#include "schedule/program/fatbin.h"
#include "schedule/rewrite/abort_words.h"

namespace genesys::schedule::standin::tests {
namespace {

template <class type>
type as(std::uint64_t word) {
  if constexpr (std::is_pointer_v<type>) {
    return reinterpret_cast<type>(word);
  } else {
    return static_cast<type>(word);
  }
}

// PTX of an image: as text, as a fatbin, or in a wrapper whose fatbin is its second word.
std::string ptx_of(const void* image) {
  std::uint32_t magic;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == 0x466243b1) image = static_cast<const void* const*>(image)[1];
  const std::string_view fatbin = fatbin_at(image);
  if (fatbin.empty()) return static_cast<const char*>(image);
  for (const fatbin_entry& each : entries_of(fatbin)) {
    if (each.what == fatbin_entry::kind::ptx) return each.contents;
  }
  return "";
}

}  // namespace

fake_machine::fake_machine() {
  reset();
  on_modules();
  on_memory();
  on_launches();
  using enum driver_function;
  on(cuCtxGetDevice, [](const arguments& given) { return *as<int*>(given[0]) = 0, 0U; });
  on(cuCtxGetCurrent, [](const arguments& given) { return *as<std::uint64_t*>(given[0]) = 0x1234, 0U; });
  on(cuDeviceGetAttribute, [this](const arguments& given) {
    const bool is_major = given[1] == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
    *as<int*>(given[0]) = static_cast<int>(is_major ? architecture / 10 : architecture % 10);
    return 0U;
  });
  on(cuStreamIsCapturing, [this](const arguments& given) {
    const bool is_captured = captured.count(as<CUstream>(given[0])) > 0;
    *as<int*>(given[1]) = is_captured ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
    return 0U;
  });
}

void fake_machine::on_modules() {
  using enum driver_function;
  on(cuLibraryLoadData, [this](const arguments& given) { return load(given, true); });
  for (const driver_function each : {cuModuleLoadData, cuModuleLoadDataEx, cuModuleLoadFatBinary}) {
    on(each, [this](const arguments& given) { return load(given, false); });
  }
  on(cuLibraryGetKernel, [this](const arguments& given) { return find(given); });
  on(cuModuleGetFunction, [this](const arguments& given) { return find(given); });
  on(cuKernelGetFunction, [](const arguments& given) {  // a handle of its own
    *as<std::uint64_t*>(given[0]) = given[1] + 1;
    return 0U;
  });
  on(cuLibraryGetModule, [](const arguments& given) {
    *as<std::uint64_t*>(given[0]) = given[1] + 1;
    return 0U;
  });
  const auto count = [](const arguments& given) {
    *as<unsigned*>(given[0]) = static_cast<unsigned>(as<const loaded*>(given[1] & ~std::uint64_t{1})->functions.size());
    return 0U;
  };
  const auto enumerate = [](const arguments& given) {
    const loaded& from = *as<const loaded*>(given[2] & ~std::uint64_t{1});
    for (std::size_t i = 0; i < from.functions.size() && i < static_cast<unsigned>(given[1]); ++i) {
      as<const function**>(given[0])[i] = from.functions[i].get();
    }
    return 0U;
  };
  const auto name = [](const arguments& given) {
    *as<const char**>(given[0]) = as<const function*>(given[1] & ~std::uint64_t{1})->name.c_str();
    return 0U;
  };
  on(cuLibraryGetKernelCount, count), on(cuModuleGetFunctionCount, count);
  on(cuLibraryEnumerateKernels, enumerate), on(cuModuleEnumerateFunctions, enumerate);
  on(cuKernelGetName, name), on(cuFuncGetName, name);
  on(cuKernelGetParamInfo, [this](const arguments& given) { return parameter_info(given); });
  on(cuFuncGetParamInfo, [this](const arguments& given) { return parameter_info(given); });
  on(cuFuncGetAttribute, [](const arguments& given) { return *as<int*>(given[0]) = 1024, 0U; });
  on(cuKernelSetAttribute, [this](const arguments& given) {
    const function& what = *as<const function*>(given[2] & ~std::uint64_t{1});
    attributes_set.push_back((what.has_polls ? "polls " : "own ") + std::to_string(static_cast<int>(given[0])) + " " +
                             std::to_string(static_cast<int>(given[1])));
    return 0U;
  });
  on(cuLibraryUnload, [this](const arguments&) {
    const std::lock_guard lock(changing_);
    return unloaded.push_back("library"), 0U;
  });
  on(cuModuleUnload, [this](const arguments&) { return unloaded.push_back("module"), 0U; });
}

unsigned fake_machine::load(const arguments& given, bool is_library) {
  const bool is_of_stand_in = is_library && given[4] > 0;  // it wants the compiler's messages
  if (is_of_stand_in && !compiles) return CUDA_ERROR_INVALID_PTX;
  auto made = std::make_unique<loaded>();
  made->is_library = is_library;
  made->has_polls = is_of_stand_in;
  const bool is_machine_code = std::memcmp(as<const void*>(given[1]), "\177ELF", 4) == 0;
  for (const char* name : {"machine_code", "more_machine_code"}) {
    if (!is_machine_code) break;
    made->functions.push_back(std::make_unique<function>());
    made->functions.back()->name = name;
  }
  const std::string ptx = is_machine_code ? "" : ptx_of(as<const void*>(given[1]));
  if (!refused.empty() && ptx.find(refused) != ptx.npos) return CUDA_ERROR_INVALID_PTX;
  for (const kernel_verdict& each : classify(std::string_view(ptx))) {
    auto one = std::make_unique<function>();
    one->name = each.name;
    one->has_polls = is_of_stand_in;
    one->parameters = each.parameters;
    for (const parameter& part : each.parameters) {
      one->bytes = std::max(one->bytes, static_cast<std::uint32_t>(part.offset + part.bytes));
    }
    made->functions.push_back(std::move(one));
  }
  *as<loaded**>(given[0]) = made.get();
  const std::lock_guard lock(changing_);
  modules_.push_back(std::move(made));
  return CUDA_SUCCESS;
}

unsigned fake_machine::find(const arguments& given) {
  const loaded& from = *as<const loaded*>(given[1] & ~std::uint64_t{1});
  for (const auto& each : from.functions) {
    if (each->name != as<const char*>(given[2])) continue;
    *as<function**>(given[0]) = each.get();
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

unsigned fake_machine::parameter_info(const arguments& given) const {
  const function& of = *as<const function*>(given[0] & ~std::uint64_t{1});
  if (given[1] >= of.parameters.size()) return CUDA_ERROR_INVALID_VALUE;
  *as<std::uint64_t*>(given[2]) = of.parameters[given[1]].offset;
  *as<std::uint64_t*>(given[3]) = of.parameters[given[1]].bytes;
  return CUDA_SUCCESS;
}

void fake_machine::on_memory() {
  using enum driver_function;
  on(cuMemAlloc_v2, [this](const arguments& given) {
    const std::lock_guard lock(changing_);
    memory_.push_back(std::make_unique<std::byte[]>(given[1]));
    *as<std::byte**>(given[0]) = memory_.back().get();
    return 0U;
  });
  const auto copy = [](const arguments& given) {
    std::memcpy(as<void*>(given[0]), as<const void*>(given[1]), given[2]);
    return 0U;
  };
  on(cuMemcpyHtoDAsync_v2, copy);
  on(cuMemcpyDtoHAsync_v2, copy);
}

void fake_machine::on_launches() {
  using enum driver_function;
  const auto by_words = [this](const char* by) {
    return [this, by](const arguments& given) {
      machine_launch shape;
      shape.grid = static_cast<unsigned>(given[1]);
      shape.block = static_cast<unsigned>(given[4]);
      shape.shared_bytes = static_cast<unsigned>(given[7]);
      shape.stream = as<CUstream>(given[8]);
      const bool is_cooperative = std::string(by) == "cooperative";
      return launch(by, *as<const function*>(given[0] & ~std::uint64_t{1}), shape, as<void**>(given[9]),
                    is_cooperative ? nullptr : as<void**>(given[10]));
    };
  };
  on(cuLaunchKernel, by_words("kernel"));
  on(cuLaunchKernel_ptsz, by_words("kernel of thread"));
  on(cuLaunchCooperativeKernel, by_words("cooperative"));
  on(cuLaunchKernelEx, [this](const arguments& given) {
    const CUlaunchConfig& how = *as<const CUlaunchConfig*>(given[0]);
    machine_launch shape;
    shape.grid = how.gridDimX;
    shape.block = how.blockDimX;
    shape.shared_bytes = how.sharedMemBytes;
    shape.stream = how.hStream;
    shape.attributes = how.numAttrs;
    return launch("configuration", *as<const function*>(given[1] & ~std::uint64_t{1}), shape, as<void**>(given[2]),
                  as<void**>(given[3]));
  });
}

machine_launch fake_machine::launch_of(const arguments& given, const function& what) {
  machine_launch one;
  one.kernel = what.name;
  one.has_polls = what.has_polls;
  one.grid = static_cast<unsigned>(given[1]);
  one.block = static_cast<unsigned>(given[4]);
  one.shared_bytes = static_cast<unsigned>(given[7]);
  one.stream = as<CUstream>(given[8]);
  one.arguments.resize(what.bytes);
  void** const parameters = as<void**>(given[9]);
  for (std::size_t i = 0; parameters != nullptr && i < what.parameters.size(); ++i) {
    std::memcpy(one.arguments.data() + what.parameters[i].offset, parameters[i], what.parameters[i].bytes);
  }
  return one;
}

unsigned fake_machine::launch(const char* by, const function& what, const machine_launch& shape, void** parameters,
                              void** extra) {
  machine_launch one = shape;
  one.kernel = what.name;
  one.has_polls = what.has_polls;
  one.by = by;
  one.arguments.resize(what.bytes);
  if (parameters != nullptr) {
    for (std::size_t i = 0; i < what.parameters.size(); ++i) {
      std::memcpy(one.arguments.data() + what.parameters[i].offset, parameters[i], what.parameters[i].bytes);
    }
  } else if (extra != nullptr) {
    one.by += ", extra";
    EXPECT_EQ(extra[0], CU_LAUNCH_PARAM_BUFFER_POINTER);
    const std::size_t bytes = *static_cast<std::size_t*>(extra[3]);
    std::memcpy(one.arguments.data(), extra[1], std::min(bytes, one.arguments.size()));
  }
  if (what.has_polls) {
    const std::byte* const context = one.arguments.data() + what.bytes - context_bytes;
    std::uint64_t flag, counts;
    std::uint32_t epoch;
    std::memcpy(&flag, context + context_flags, sizeof flag);
    std::memcpy(&counts, context + context_counts, sizeof counts);
    std::memcpy(&epoch, context + context_epoch, sizeof epoch);
    one.has_left = *as<const std::uint32_t*>(flag) == epoch;
    if (one.has_left) *as<std::uint64_t*>(counts + count_left_at_entry) += std::uint64_t{one.grid} * one.block;
  }
  const std::lock_guard lock(changing_);
  launches.push_back(std::move(one));
  return CUDA_SUCCESS;
}

}  // namespace genesys::schedule::standin::tests
