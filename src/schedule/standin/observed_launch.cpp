// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/observed_launch.h"

#include <algorithm>
#include <cstring>

#include "schedule/standin/jump_table.h"

namespace genesys::schedule::standin {
namespace {

bool is_in_capture(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  // An error: another stream is captured, and the default stream must not be used meanwhile.
  return GENESYS_REAL(cuStreamIsCapturing)(stream, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

// The buffer of arguments in `extra`, or nothing.
std::span<const std::byte> buffer_in(void** extra) {
  const void* base = nullptr;
  std::size_t bytes = 0;
  for (void** each = extra; each != nullptr && *each != CU_LAUNCH_PARAM_END; each += 2) {
    if (*each == CU_LAUNCH_PARAM_BUFFER_POINTER) base = each[1];
    if (*each == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(each[1]);
  }
  return base != nullptr ? std::span(static_cast<const std::byte*>(base), bytes) : std::span<const std::byte>();
}

}  // namespace

observed_launch::observed_launch(std::shared_ptr<kernel> what, const given_launch& given)
    : kernel_(std::move(what)),
      function_(given.function),
      shared_bytes_(given.shared_bytes),
      stream_(given.stream),
      attributes_(given.attributes.begin(), given.attributes.end()),
      parameters_(given.parameters),
      extra_(given.extra),
      is_by_configuration_(given.is_by_configuration),
      is_cooperative_(given.is_cooperative),
      is_captured_(is_in_capture(given.stream)) {
  std::copy(std::begin(given.grid), std::end(given.grid), grid_);
  std::copy(std::begin(given.block), std::end(given.block), block_);
  if (GENESYS_REAL(cuCtxGetCurrent)(&context_) != CUDA_SUCCESS) context_ = nullptr;
  look_at_attributes();
  copy_arguments();
}

std::uint64_t observed_launch::threads() const {
  std::uint64_t result = 1;
  for (int i = 0; i < 3; ++i) result *= std::uint64_t{grid_[i]} * block_[i];
  return result;
}

void observed_launch::look_at_attributes() {
  for (const CUlaunchAttribute& each : attributes_) {
    switch (each.id) {
      case CU_LAUNCH_ATTRIBUTE_IGNORE:
      case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        break;
      case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        is_cooperative_ |= each.value.cooperative != 0;
        break;
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        has_clusters_ |= each.value.clusterDim.x * each.value.clusterDim.y * each.value.clusterDim.z > 1;
        break;
      case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
        has_clusters_ = true;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        has_ties_ |= each.value.programmaticStreamSerializationAllowed != 0;
        break;
      default:
        has_ties_ = true;
    }
  }
}

void observed_launch::copy_arguments() {
  const kernel::parameter_layout& layout = kernel_->layout();
  if (!layout.is_known) return;
  arguments_.resize(layout.bytes);
  if (parameters_ != nullptr) {
    for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
      std::memcpy(arguments_.data() + layout.parameters[i].offset, parameters_[i], layout.parameters[i].bytes);
    }
  } else {
    const std::span<const std::byte> given = buffer_in(extra_);
    if (given.size() < arguments_.size()) return;  // the driver refuses it
    std::copy_n(given.begin(), arguments_.size(), arguments_.begin());
  }
  has_arguments_ = true;
}

observed_launch observed_launch::keep() const {
  observed_launch result = *this;
  result.parameters_ = result.extra_ = nullptr;
  return result;
}

CUresult observed_launch::issue() const {
  if (parameters_ != nullptr || extra_ != nullptr || !has_arguments_) return launch(function_, parameters_, extra_);
  return launch_copied(function_, {}, 0);
}

CUresult observed_launch::issue(const kernel_variant& variant, std::span<const std::byte> context) const {
  return launch_copied(variant.function, context, variant.context_offset);
}

// With the arguments that are copied, and one more.
CUresult observed_launch::launch_copied(CUfunction function, std::span<const std::byte> appended,
                                        std::uint32_t offset) const {
  std::vector<std::byte> bytes(std::max(arguments_.size(), offset + appended.size()));
  std::copy(arguments_.begin(), arguments_.end(), bytes.begin());
  std::copy(appended.begin(), appended.end(), bytes.begin() + offset);
  std::vector<void*> addresses;
  for (const parameter& each : kernel_->layout().parameters) addresses.push_back(bytes.data() + each.offset);
  if (!appended.empty()) addresses.push_back(bytes.data() + offset);
  return launch(function, addresses.data(), nullptr);
}

CUresult observed_launch::launch(CUfunction function, void** parameters, void** extra) const {
  const auto& [gx, gy, gz] = grid_;
  const auto& [bx, by, bz] = block_;
  if (is_by_configuration_) {
    CUlaunchConfig how{};
    how.gridDimX = gx, how.gridDimY = gy, how.gridDimZ = gz;
    how.blockDimX = bx, how.blockDimY = by, how.blockDimZ = bz;
    how.sharedMemBytes = shared_bytes_;
    how.hStream = stream_;
    how.attrs = const_cast<CUlaunchAttribute*>(attributes_.data());
    how.numAttrs = static_cast<unsigned>(attributes_.size());
    return GENESYS_REAL(cuLaunchKernelEx)(&how, function, parameters, extra);
  }
  if (is_cooperative_) {
    return GENESYS_REAL(cuLaunchCooperativeKernel)(function, gx, gy, gz, bx, by, bz, shared_bytes_, stream_,
                                                   parameters);
  }
  return GENESYS_REAL(cuLaunchKernel)(function, gx, gy, gz, bx, by, bz, shared_bytes_, stream_, parameters, extra);
}

}  // namespace genesys::schedule::standin
