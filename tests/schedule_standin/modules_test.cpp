// SPDX-License-Identifier: Apache-2.0
// Loaded modules: their PTX in each form, the handles of their kernels, and their variants with polls.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fake_machine.h"
#include "schedule/program/fatbin.h"
#include "schedule/rewrite/module_variables.h"
#include "schedule/standin/environment.h"
#include "schedule/standin/kernel_registry.h"
#include "schedule/standin/shared_text.h"

namespace genesys::schedule::standin::tests {
namespace {

struct wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* fatbin = nullptr;
  const void* prelinked = nullptr;
};

// The PTX or the machine code of a fatbin that has both.
std::string contents_of_small(fatbin_entry::kind what) {
  for (const fatbin_entry& each : entries_of(kernel_file("small.plain.hex"))) {
    if (each.what == what) return each.contents;
  }
  return "";
}

std::shared_ptr<kernel> loaded_as_library(const void* image, const std::string& name) {
  CUlibrary library = nullptr;
  EXPECT_EQ(PROGRAM(cuLibraryLoadData)(&library, image, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_SUCCESS);
  CUkernel found = nullptr;
  EXPECT_EQ(PROGRAM(cuLibraryGetKernel)(&found, library, name.c_str()), CUDA_SUCCESS);
  return kernel_registry::only().find(found);
}

TEST(Modules, FatbinsOfEachCompression) {
  for (const char* file : {"small.plain.hex", "small.lz4.hex", "small.zstd.hex"}) {
    SCOPED_TRACE(file);
    fake_machine machine;
    const std::string fatbin = kernel_file(file);
    const std::string ptx = contents_of_small(fatbin_entry::kind::ptx);
    const std::string name = classify(std::string_view(ptx)).at(0).name;
    const wrapper wrapped{.fatbin = fatbin.data()};
    for (const void* image : {static_cast<const void*>(fatbin.data()), static_cast<const void*>(&wrapped)}) {
      const auto known = loaded_as_library(image, name);
      ASSERT_NE(known, nullptr);
      EXPECT_EQ(known->image().problem(), "");
      ASSERT_NE(known->verdict(), nullptr);
      EXPECT_TRUE(known->verdict()->is_idempotent);
      EXPECT_TRUE(known->layout().is_known);
      EXPECT_EQ(known->layout().parameters.size(), known->verdict()->parameters.size());
    }
  }
}

TEST(Modules, WhatHasNoPtxSaysSo) {
  const std::string cubin = contents_of_small(fatbin_entry::kind::cubin);
  ASSERT_FALSE(cubin.empty());
  EXPECT_EQ(module_image::of_memory(cubin.data())->problem(), "it is machine code without PTX");

  // A fatbin whose PTX is for a newer GPU than there is.
  fake_machine machine;
  const std::string fatbin = kernel_file("small.plain.hex");
  machine.architecture = 80;
  EXPECT_EQ(module_image::of_memory(fatbin.data())->problem(), "it has no PTX for this GPU");

  // An empty container: only machine code was in it.
  std::string empty = fatbin.substr(0, 16);
  empty.replace(8, 8, 8, '\0');
  EXPECT_EQ(module_image::of_memory(empty.data())->problem(), "it is machine code without PTX");
  const wrapper linked{.version = 2, .fatbin = empty.data()};
  EXPECT_NE(module_image::of_memory(&linked)->problem().find("-rdc=true"), std::string::npos);

  EXPECT_EQ(module_image::of_memory("BC\xC0\xDE and more")->problem(), "its format is not known");
  EXPECT_EQ(module_image::of_memory(nullptr)->problem(), "its format is not known");
}

TEST(Modules, ArchitecturesOfPtx) {
  fake_machine machine;
  const auto problem_on = [&](const char* target, unsigned architecture) {
    std::string ptx = small_ptx;
    ptx.replace(ptx.find("sm_80"), 5, target);
    std::string fatbin(16 + 64, '\0');  // a container with one entry, not compressed
    const std::uint64_t payload = (ptx.size() + 8) / 8 * 8;
    const auto put = [&](std::size_t at, auto value) { std::memcpy(fatbin.data() + at, &value, sizeof value); };
    put(0, std::uint32_t{0xBA55ED50}), put(4, std::uint16_t{1}), put(6, std::uint16_t{16}), put(8, 64 + payload);
    put(16, std::uint16_t{1}), put(20, std::uint32_t{64}), put(24, payload);
    fatbin += ptx;
    fatbin.resize(16 + 64 + payload);
    machine.architecture = architecture;
    return module_image::of_memory(fatbin.data())->problem();
  };
  EXPECT_EQ(problem_on("sm_80", 90), "");
  EXPECT_EQ(problem_on("sm_90a", 90), "");
  EXPECT_NE(problem_on("sm_90a", 100), "");
  EXPECT_EQ(problem_on("sm_100f", 103), "");
  EXPECT_NE(problem_on("sm_100f", 120), "");
  EXPECT_NE(problem_on("sm_103f", 100), "");
}

TEST(Modules, FilesAndModules) {
  fake_machine machine;
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "genesys_standin_test.ptx";
  std::ofstream(file) << small_ptx;
  EXPECT_EQ(module_image::of_file(file.c_str())->problem(), "");
  EXPECT_NE(module_image::of_file(file.c_str())->verdict_of("twice"), nullptr);
  std::filesystem::remove(file);
  EXPECT_EQ(module_image::of_file("/nowhere")->problem(), "its format is not known");

  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(PROGRAM(cuModuleLoadDataEx)(&module, small_ptx, 0, nullptr, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(PROGRAM(cuModuleGetFunction)(&function, module, "twice"), CUDA_SUCCESS);
  const auto known = kernel_registry::only().find(function);
  ASSERT_NE(known, nullptr);
  ASSERT_NE(known->verdict(), nullptr);
  EXPECT_TRUE(known->verdict()->is_preemptible);
  PROGRAM(cuModuleUnload)(module);
  EXPECT_EQ(kernel_registry::only().find(function), nullptr);
}

TEST(Modules, HandlesOfOneKernelAreOneKernel) {
  fake_machine machine;
  CUlibrary library = nullptr;
  CUkernel found = nullptr;
  CUfunction function = nullptr, of_module = nullptr;
  CUmodule module = nullptr;
  PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  PROGRAM(cuLibraryGetKernel)(&found, library, "twice");
  PROGRAM(cuKernelGetFunction)(&function, found);
  kernel_registry& registry = kernel_registry::only();
  const auto known = registry.find(found);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(registry.find(function), known);
  EXPECT_NE(reinterpret_cast<void*>(function), reinterpret_cast<void*>(found));

  // The module of the library has the same image.
  PROGRAM(cuLibraryGetModule)(&module, library);
  PROGRAM(cuModuleGetFunction)(&of_module, module, "biased");
  ASSERT_NE(registry.find(of_module), nullptr);
  EXPECT_EQ(&registry.find(of_module)->image(), &known->image());

  // A second request gives the same entry.
  PROGRAM(cuLibraryGetKernel)(&found, library, "twice");
  EXPECT_EQ(registry.find(found), known);

  PROGRAM(cuLibraryUnload)(library);
  EXPECT_EQ(registry.find(found), nullptr);
  EXPECT_EQ(registry.find(function), nullptr);
  EXPECT_EQ(registry.find(of_module), nullptr);
}

TEST(Modules, UnknownKernelsAreKnownAsSuch) {
  fake_machine machine;
  on(driver_function::cuFuncGetName, [](const arguments& given) {
    *reinterpret_cast<const char**>(given[0]) = "strange";
    return 0U;
  });
  on(driver_function::cuFuncGetParamInfo, [](const arguments&) { return unsigned{CUDA_ERROR_INVALID_HANDLE}; });
  const auto known = kernel_registry::only().find_or_add(reinterpret_cast<CUfunction>(0x5550));
  EXPECT_EQ(known->name(), "strange");
  EXPECT_EQ(known->verdict(), nullptr);
  EXPECT_FALSE(known->layout().is_known);
  EXPECT_NE(known->image().problem().find("does not see"), std::string::npos);
}

TEST(Modules, KernelsWithVariables) {
  const std::string text = small_ptx;
  EXPECT_EQ(kernels_with_variables(parse_ptx(text)), std::set<std::string>{"biased"});
  const std::string others = R"(
.version 8.0
.target sm_80
.address_size 64
.const .align 4 .f32 factor;
.shared .align 4 .f32 tile[32];
.visible .entry by_constant() { .reg .f32 %f<2>; ld.const.f32 %f1, [factor]; ret; }
.visible .entry by_address() { .reg .b64 %rd<2>; mov.u64 %rd1, factor; ret; }
.visible .entry by_shared() { .reg .f32 %f<2>; ld.shared.f32 %f1, [tile]; ret; }
.visible .entry without() { ret; }
)";
  EXPECT_EQ(kernels_with_variables(parse_ptx(others)), (std::set<std::string>{"by_address", "by_constant"}));
}

TEST(Modules, VariantsAreLoadedBeside) {
  fake_machine machine;
  const auto twice = loaded_as_library(small_ptx, "twice");
  ASSERT_NE(twice, nullptr);
  twice->set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1000);
  const kernel_variant* const with_polls = twice->variant_of(variant::loops);
  ASSERT_NE(with_polls, nullptr) << twice->why_no_variant();
  EXPECT_EQ(with_polls->context_offset, 24U);
  EXPECT_EQ(with_polls->threads_max, 1024);
  EXPECT_EQ(twice->variant_of(variant::loops), with_polls);
  EXPECT_EQ(calls_of(driver_function::cuLibraryLoadData).size(), 2U);
  EXPECT_EQ(machine.attributes_set, std::vector<std::string>{"polls 8 1000"});
  twice->set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2000);
  EXPECT_EQ(machine.attributes_set.back(), "polls 8 2000");
}

TEST(Modules, NoVariantWithACopyOfVariables) {
  fake_machine machine;
  const auto biased = loaded_as_library(small_ptx, "biased");
  ASSERT_NE(biased, nullptr);
  EXPECT_EQ(biased->variant_of(variant::loops), nullptr);
  EXPECT_NE(biased->why_no_variant().find("variables of its module"), std::string::npos);
  EXPECT_EQ(calls_of(driver_function::cuLibraryLoadData).size(), 1U);
}

TEST(Modules, NoVariantThatTheDriverRefuses) {
  fake_machine machine;
  machine.compiles = false;
  const auto twice = loaded_as_library(small_ptx, "twice");
  EXPECT_EQ(twice->variant_of(variant::entry), nullptr);
  EXPECT_NE(twice->why_no_variant().find("error 218"), std::string::npos) << twice->why_no_variant();
  EXPECT_EQ(twice->variant_of(variant::entry), nullptr);
  EXPECT_EQ(calls_of(driver_function::cuLibraryLoadData).size(), 2U);  // it is not tried again
}

TEST(Modules, VariantsEndWithTheirModule) {
  fake_machine machine;
  CUlibrary library = nullptr;
  CUkernel found = nullptr;
  PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  PROGRAM(cuLibraryGetKernel)(&found, library, "twice");
  ASSERT_NE(kernel_registry::only().find(found)->variant_of(variant::loops), nullptr);
  const std::size_t before = machine.unloaded.size();
  PROGRAM(cuLibraryUnload)(library);
  EXPECT_EQ(machine.unloaded.size(), before + 2);  // the variant, and then the program's
}

TEST(Modules, AttributesOfThePrograms) {
  fake_machine machine;
  CUlibrary library = nullptr;
  CUkernel found = nullptr;
  PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  PROGRAM(cuLibraryGetKernel)(&found, library, "twice");
  PROGRAM(cuKernelSetAttribute)(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100, found, 0);
  PROGRAM(cuFuncSetAttribute)
  (reinterpret_cast<CUfunction>(found), CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
  ASSERT_NE(kernel_registry::only().find(found)->variant_of(variant::loops), nullptr);
  EXPECT_EQ(machine.attributes_set, (std::vector<std::string>{"own 8 100", "polls 8 100", "polls 9 50"}));
}

// Kernels with variables, in one module with the program's.
class Shared : public testing::Test {
 protected:
  void SetUp() override { ::setenv(shared_variable, "1", 1); }
  void TearDown() override { ::unsetenv(shared_variable); }
  fake_machine machine;
};

TEST_F(Shared, TheTextHasBoth) {
  const std::string before = small_ptx;
  const shared_text both = text_with_both(before, variant::loops, {"biased"});
  ASSERT_EQ(both.kernels.size(), 1U);
  EXPECT_EQ(both.kernels.begin()->second.context_offset, 24U);
  EXPECT_TRUE(both.ptx.starts_with(before));
  std::vector<std::string> names;
  for (const kernel_verdict& each : classify(std::string_view(both.ptx))) {
    names.push_back(each.name + " " + std::to_string(each.parameters.size()));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"twice 3", "biased 3", "biased__genesys_with_polls 4"}));
  EXPECT_TRUE(parse_ptx(both.ptx).problems.empty());
  EXPECT_EQ(text_with_both(before, variant::loops, {}).ptx, "");
  EXPECT_EQ(text_with_both(both.ptx, variant::loops, {"biased"}).ptx, "");
}

// ptxas takes the text: names of parameters and labels may be there twice. Skipped without ptxas.
TEST_F(Shared, TheTextIsValidPtx) {
  const char* const chosen = std::getenv("GENESYS_PTXAS");
  const std::string ptxas = chosen != nullptr ? chosen : "/usr/local/cuda/bin/ptxas";
  if (::access(ptxas.c_str(), X_OK) != 0) GTEST_SKIP() << "no ptxas: set GENESYS_PTXAS";
  for (const std::string& text : {std::string(small_ptx), kernel_file("workloads.ptx")}) {
    std::set<std::string> all;
    for (const kernel_verdict& each : classify(std::string_view(text))) all.insert(each.name);
    const shared_text both = text_with_both(text, variant::loops, all);
    EXPECT_GE(both.kernels.size(), 2U);
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("genesys-standin-" + std::to_string(::getpid()) + ".ptx");
    std::ofstream(file) << both.ptx;
    const std::string command = "'" + ptxas + "' -arch=sm_90 -O1 '" + file.string() + "' -o /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << both.kernels.size() << " kernels";
    std::filesystem::remove(file);
  }
}

TEST_F(Shared, KernelsWithVariablesHaveVariants) {
  const auto biased = loaded_as_library(small_ptx, "biased");
  ASSERT_NE(biased, nullptr);
  const kernel_variant* const with_polls = biased->variant_of(variant::loops);
  ASSERT_NE(with_polls, nullptr) << biased->why_no_variant();
  EXPECT_EQ(with_polls->context_offset, 24U);
  EXPECT_EQ(calls_of(driver_function::cuLibraryLoadData).size(), 1U);
  EXPECT_NE(calls_of(driver_function::cuLibraryLoadData)[0][1], reinterpret_cast<std::uint64_t>(&small_ptx));
}

TEST_F(Shared, TheProgramDoesNotSeeWhatIsAdded) {
  CUlibrary library = nullptr;
  PROGRAM(cuLibraryLoadData)(&library, small_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0);
  unsigned count = 0;
  PROGRAM(cuLibraryGetKernelCount)(&count, library);
  EXPECT_EQ(count, 2U);
  CUkernel kernels[4] = {};
  PROGRAM(cuLibraryEnumerateKernels)(kernels, 4, library);
  EXPECT_NE(kernels[1], nullptr);
  EXPECT_EQ(kernels[2], nullptr);
  EXPECT_EQ(kernel_registry::only().find(kernels[0])->name(), "twice");
  EXPECT_EQ(kernel_registry::only().find(kernels[1])->name(), "biased");
  CUmodule module = nullptr;
  CUfunction functions_of_module[4] = {};
  PROGRAM(cuLibraryGetModule)(&module, library);
  PROGRAM(cuModuleGetFunctionCount)(&count, module);
  EXPECT_EQ(count, 2U);
  PROGRAM(cuModuleEnumerateFunctions)(functions_of_module, 1, module);
  EXPECT_NE(functions_of_module[0], nullptr);
  EXPECT_EQ(functions_of_module[1], nullptr);
}

TEST_F(Shared, WhatTheDriverRefusesIsLoadedAsItIs) {
  machine.refused = shared_suffix;
  const auto biased = loaded_as_library(small_ptx, "biased");
  ASSERT_NE(biased, nullptr);
  EXPECT_EQ(biased->variant_of(variant::loops), nullptr);
  ASSERT_EQ(calls_of(driver_function::cuLibraryLoadData).size(), 2U);
  EXPECT_EQ(calls_of(driver_function::cuLibraryLoadData)[1][1], reinterpret_cast<std::uint64_t>(&small_ptx));
}

}  // namespace
}  // namespace genesys::schedule::standin::tests
