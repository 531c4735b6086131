// SPDX-License-Identifier: Apache-2.0
#include "schedule/standin/module_image.h"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "schedule/program/elf_sections.h"
#include "schedule/program/fatbin.h"
#include "schedule/standin/environment.h"
#include "schedule/standin/jump_table.h"
#include "schedule/standin/relaxed_capture.h"

namespace genesys::schedule::standin {
namespace {

// What nvcc places around a fatbin. The toolkit declares it in its header for the section of fatbins.
struct fatbin_wrapper {
  std::uint32_t magic, version;
  const void* fatbin;
  const void* prelinked;  // if linked: fatbins that were not linked
};
static_assert(sizeof(fatbin_wrapper) == 24);
constexpr std::uint32_t wrapper_magic = 0x466243b1, version_linked = 2;

constexpr char no_ptx[] = "it is machine code without PTX";
constexpr char not_linked[] = "it has relocatable device code (nvcc -rdc=true), whose PTX is not linked";
constexpr char not_readable[] = "its format is not known";

std::shared_ptr<module_image> of_fatbins(std::string_view fatbins, bool is_linked) {
  std::string packed = only_ptx(fatbins);
  std::string problem;
  if (packed.empty()) problem = is_linked ? not_linked : no_ptx;
  return std::make_shared<module_image>(std::move(packed), std::move(problem));
}

bool is_text(std::string_view bytes) { return bytes.find(".version") != bytes.npos; }

// The architecture of the current context's device, or of the first one: 90 for sm_90.
unsigned current_architecture() {
  CUdevice device = 0;
  if (GENESYS_REAL(cuCtxGetDevice)(&device) != CUDA_SUCCESS) device = 0;
  int major = 0, minor = 0;
  const auto ask = GENESYS_REAL(cuDeviceGetAttribute);
  if (ask(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS) return 0;
  if (ask(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS) return 0;
  return static_cast<unsigned>(major * 10 + minor);
}

// Whether a device runs PTX for this `.target`. sm_90a is for sm_90 alone, sm_100f for the 10.x family.
bool runs_on(std::string_view target, unsigned architecture, unsigned& of_target) {
  if (!target.starts_with("sm_")) return false;
  unsigned number = 0;
  std::size_t at = 3;
  for (; at < target.size() && target[at] >= '0' && target[at] <= '9'; ++at) {
    number = number * 10 + static_cast<unsigned>(target[at] - '0');
  }
  of_target = number;
  if (at < target.size() && target[at] == 'a') return number == architecture;
  if (at < target.size() && target[at] == 'f') return number / 10 == architecture / 10 && number <= architecture;
  return number <= architecture;
}

// The PTX that the driver would compile: that of the newest architecture that the device has.
std::string chosen_ptx(std::string_view packed, std::string& problem) {
  if (!is_fatbin(packed)) return std::string(packed);
  const unsigned architecture = current_architecture();
  std::string best;
  unsigned best_target = 0;
  problem = "it has no PTX for this GPU";
  for (fatbin_entry& each : entries_of(packed)) {
    if (each.what != fatbin_entry::kind::ptx) continue;
    if (!each.problem.empty()) {
      if (best.empty()) problem = "its PTX cannot be read: " + each.problem;
      continue;
    }
    unsigned target = 0;
    if (!runs_on(parse_ptx(std::string_view(each.contents)).target, architecture, target) || target < best_target)
      continue;
    best_target = target;
    best = std::move(each.contents);
  }
  if (!best.empty()) problem.clear();
  return best;
}

}  // namespace

std::shared_ptr<module_image> module_image::of_memory(const void* image) {
  if (image == nullptr) return std::make_shared<module_image>("", not_readable);
  std::uint32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  bool is_linked = false;
  if (magic == wrapper_magic) {
    fatbin_wrapper wrapper;
    std::memcpy(&wrapper, image, sizeof wrapper);
    image = wrapper.fatbin;
    is_linked = wrapper.version == version_linked;
  }
  if (const std::string_view fatbin = fatbin_at(image); !fatbin.empty()) return of_fatbins(fatbin, is_linked);
  const std::string_view four(static_cast<const char*>(image), sizeof magic);
  if (four == "\177ELF") return std::make_shared<module_image>("", no_ptx);
  const std::string_view text(static_cast<const char*>(image));
  return is_text(text) ? std::make_shared<module_image>(std::string(text), "")
                       : std::make_shared<module_image>("", not_readable);
}

std::shared_ptr<module_image> module_image::of_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (is_fatbin(bytes)) return of_fatbins(bytes, false);
  if (is_elf(bytes)) return std::make_shared<module_image>("", no_ptx);
  return is_text(bytes) ? std::make_shared<module_image>(std::string(bytes.c_str()), "")
                        : std::make_shared<module_image>("", not_readable);
}

module_image::module_image(std::string packed, std::string problem)
    : packed_(std::move(packed)), problem_(std::move(problem)) {}

module_image::~module_image() {
  for (const auto& [kind, each] : variants_) {
    if (each.library != nullptr) GENESYS_REAL(cuLibraryUnload)(each.library);
  }
}

// The mutex is held.
void module_image::read() {
  if (std::exchange(is_read_, true) || !problem_.empty()) return;
  text_ = module_text(chosen_ptx(packed_, problem_));
  packed_ = {};
}

const kernel_verdict* module_image::verdict_of(const std::string& kernel) {
  const std::lock_guard lock(changing_);
  read();
  return text_.verdict_of(kernel);
}

std::string module_image::problem() {
  const std::lock_guard lock(changing_);
  read();
  return problem_;
}

module_image::variant_of_module module_image::make(variant wanted) {
  variant_of_module result;
  result.text = text_.with_polls(wanted);
  std::array<char, 4096> log{};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  const relaxed_capture meanwhile;
  const CUresult failed = GENESYS_REAL(cuLibraryLoadData)(&result.library, result.text.ptx.c_str(), options, values,
                                                          std::size(options), nullptr, nullptr, 0);
  if (failed != CUDA_SUCCESS) {
    result.library = nullptr;
    log.back() = '\0';
    result.problem =
        "the driver does not compile its PTX with polls (error " + std::to_string(failed) + "): " + log.data();
  }
  return result;
}

bool module_image::has_text_for_variables() { return is_on(shared_variable); }

const char* module_image::text_for_variables() {
  const std::lock_guard lock(changing_);
  read();
  std::set<std::string> wanted;
  for (const std::string& name : text_.with_variables()) {
    const kernel_verdict* const verdict = text_.verdict_of(name);
    if (verdict != nullptr && verdict->is_preemptible) wanted.insert(name);
  }
  shared_ = text_with_both(text_.ptx(), variant::loops, wanted);
  return shared_.ptx.empty() ? nullptr : shared_.ptx.c_str();
}

void module_image::loaded_for_variables(CUlibrary library) {
  const std::lock_guard lock(changing_);
  shared_library_ = library;
  if (library == nullptr) shared_ = {};
}

std::size_t module_image::kernels_added() {
  const std::lock_guard lock(changing_);
  return shared_.kernels.size();
}

module_image::instrumented module_image::instrument(variant wanted, const std::string& kernel) {
  const std::lock_guard lock(changing_);
  read();
  instrumented result;
  if (!problem_.empty()) return result.problem = problem_, result;
  if (const auto both = shared_.kernels.find(kernel); both != shared_.kernels.end() && shared_library_ != nullptr) {
    return {shared_library_, kernel + shared_suffix, both->second.made, both->second.context_offset, ""};
  }
  if (text_.with_variables().count(kernel) > 0) return result.problem = text_.why_no_polls({}, kernel), result;
  auto made = variants_.find(wanted);
  if (made == variants_.end()) made = variants_.emplace(wanted, make(wanted)).first;
  const variant_of_module& from = made->second;
  result.problem = text_.why_no_polls(from.text, kernel);
  if (result.problem.empty()) result.problem = from.problem;
  if (!result.problem.empty()) return result;
  const kernel_rewrite& how = from.text.kernels.at(kernel);
  return {from.library, kernel, how.made, how.context_offset, ""};
}

}  // namespace genesys::schedule::standin
