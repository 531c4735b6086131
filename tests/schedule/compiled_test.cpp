// SPDX-License-Identifier: Apache-2.0
// Kernels as nvcc compiles them (tests/schedule/kernels): our adversarial ones, the access patterns of the paper's
// Table 2, and, if GENESYS_RODINIA names a folder with Rodinia's CUDA kernels as PTX, those.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "schedule/classify/verdict.h"

namespace genesys::schedule {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream from(file, std::ios::binary);
  EXPECT_TRUE(from) << file;
  return {std::istreambuf_iterator<char>(from), {}};
}

std::string kept(const char* name) { return text_of(std::filesystem::path(GENESYS_SCHEDULE_KERNELS) / name); }

std::string told(const kernel_verdict& kernel) {
  std::string text;
  for (const reason& each : kernel.reasons) text += "line " + std::to_string(each.line) + ": " + each.text + "\n";
  return text;
}

// `again_reduce` in `_Z12again_reducePfPKfi`.
bool is_named(const std::string& mangled, const std::string& name) {
  return mangled == name || mangled.find("_Z" + std::to_string(name.size()) + name) == 0;
}

// The name of an adversarial kernel begins with its verdict.
TEST(Compiled, Adversarial) {
  const std::string text = kept("adversarial.ptx");
  const auto kernels = classify(std::string_view(text));
  EXPECT_EQ(kernels.size(), 38U);
  for (const kernel_verdict& kernel : kernels) {
    const char* verdict = !kernel.is_preemptible ? "let_end" : kernel.is_idempotent ? "again" : "restore";
    EXPECT_NE(kernel.name.find(verdict), std::string::npos) << kernel.name << ": " << verdict << "\n" << told(kernel);
  }
}

struct row {
  const char* paper;    // the paper's names
  const char* ours;     // in kernels/table2.cu
  const char* rodinia;  // in Rodinia's CUDA version; null: it has no such kernel
  bool is_idempotent;
};

const row table2[] = {
    {"NearestNeighbor", "nn", "euclid", true},
    {"bpnn_layerforward_ocl", "bp_forward", "bpnn_layerforward_CUDA", false},
    {"bpnn_adjust_weights_ocl", "bp_adjust", "bpnn_adjust_weights_cuda", false},
    {"dynproc_kernel", "pf", "dynproc_kernel", true},
    {"BFS_1", "bfs_1", "Kernel", false},
    {"BFS_2", "bfs_2", "Kernel2", false},
    {"kmeans_kernel_c", "km_nearest", nullptr, true},
    {"kmeans_swap", "km_swap", "invert_mapping", true},
    {"hotspotOpt1", "hotspot3d", "hotspotOpt1", true},
    {"lud_diagonal", "lud_diagonal", "lud_diagonal", false},
    {"lud_perimeter", "lud_perimeter", "lud_perimeter", false},
    {"lud_internal", "lud_internal", "lud_internal", false},
    {"nw_kernel1", "nw_1", "needle_cuda_shared_1", false},
    {"nw_kernel2", "nw_2", "needle_cuda_shared_2", false},
    {"Fan1", "fan_1", "Fan1", true},
    {"Fan2", "fan_2", "Fan2", false},
    {"kernel_gpu_opengl", "myocyte", nullptr, true},
    {"memset_kernel", "cfd_memset", nullptr, true},
    {"initialize_variables", "cfd_initialize", "cuda_initialize_variables", true},
    {"compute_step_factor", "cfd_step_factor", "cuda_compute_step_factor", true},
    {"compute_flux", "cfd_flux", "cuda_compute_flux", true},
    {"time_step", "cfd_time_step", "cuda_time_step", true},
};

TEST(Compiled, Table2) {
  const std::string text = kept("table2.ptx");
  const auto kernels = classify(std::string_view(text));
  EXPECT_EQ(kernels.size(), std::size(table2));
  for (const row& each : table2) {
    int found = 0;
    for (const kernel_verdict& kernel : kernels) {
      if (!is_named(kernel.name, each.ours)) continue;
      ++found;
      EXPECT_EQ(kernel.is_idempotent, each.is_idempotent) << each.ours << "\n" << told(kernel);
      EXPECT_TRUE(kernel.is_preemptible && kernel.is_write_set_known) << each.ours;
    }
    EXPECT_EQ(found, 1) << each.ours;
  }
}

// Rodinia's own kernels: a kernel that the paper calls not idempotent is never idempotent here.
TEST(Compiled, Rodinia) {
  const char* folder = std::getenv("GENESYS_RODINIA");
  if (!folder) GTEST_SKIP() << "GENESYS_RODINIA names no folder with PTX of Rodinia's CUDA kernels";
  std::map<std::string, int> found;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".ptx") continue;
    const std::string text = text_of(file.path());
    for (const kernel_verdict& kernel : classify(std::string_view(text))) {
      for (const row& each : table2) {
        if (!each.rodinia || !is_named(kernel.name, each.rodinia)) continue;
        ++found[each.rodinia];
        EXPECT_EQ(kernel.is_idempotent, each.is_idempotent) << file.path() << ": " << kernel.name << "\n"
                                                            << told(kernel);
      }
    }
  }
  for (const row& each : table2) {
    if (each.rodinia && found[each.rodinia] == 0) std::printf("not found: %s\n", each.rodinia);
  }
  EXPECT_FALSE(found.empty()) << folder << " has no PTX of these kernels";
}

}  // namespace
}  // namespace genesys::schedule
