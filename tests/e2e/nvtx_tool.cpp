// SPDX-License-Identifier: Apache-2.0
// A tool that reads NVTX, as a profiler does: NVTX loads it if NVTX_INJECTION64_PATH names it. At the end of the
// program it writes to the file NVTX_TOOL_OUTPUT how often each range of the domain "genesys" began, and how many
// ended.
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex lock;
std::map<std::string, unsigned long> begun;
unsigned long ended = 0, others = 0;

nvtxDomainHandle_t create(const char* name) {
  return reinterpret_cast<nvtxDomainHandle_t>(new std::string(name));  // lives as long as the program
}
nvtxStringHandle_t register_string(nvtxDomainHandle_t, const char* text) {
  return reinterpret_cast<nvtxStringHandle_t>(new std::string(text));
}
int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* range) {
  const std::lock_guard hold(lock);
  if (*reinterpret_cast<std::string*>(domain) != "genesys" || range->messageType != NVTX_MESSAGE_TYPE_REGISTERED)
    return ++others, 0;
  ++begun[*reinterpret_cast<const std::string*>(range->message.registered)];
  return 0;
}
int pop(nvtxDomainHandle_t) {
  const std::lock_guard hold(lock);
  ++ended;
  return 0;
}

void write_counts() {
  std::FILE* const to = std::fopen(std::getenv("NVTX_TOOL_OUTPUT"), "w");
  if (to == nullptr) return;
  for (const auto& [name, count] : begun) std::fprintf(to, "%s %lu\n", name.c_str(), count);
  std::fprintf(to, "ended %lu\nothers %lu\n", ended, others);
  std::fclose(to);
}

template <class F>
void set(NvtxFunctionTable table, unsigned index, F* function) {
  *table[index] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  set(table, NVTX_CBID_CORE2_DomainCreateA, create);
  set(table, NVTX_CBID_CORE2_DomainRegisterStringA, register_string);
  set(table, NVTX_CBID_CORE2_DomainRangePushEx, push);
  set(table, NVTX_CBID_CORE2_DomainRangePop, pop);
  std::atexit(write_counts);
  return 1;
}
