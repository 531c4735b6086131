// SPDX-License-Identifier: Apache-2.0
#include "schedule/classify/opcodes.h"

#include <algorithm>
#include <iterator>

#include "schedule/ptx/ptx_cursor.h"

namespace genesys::schedule {
namespace {

struct named_effect {
  std::string_view name;
  effect does;
};

bool contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool computes(std::string_view opcode) {
  return contains(
      {"abs",      "add",    "addc",         "sub",   "subc",   "mul",       "mul24", "mad",   "mad24",     "madc",
       "sad",      "div",    "rem",          "min",   "max",    "neg",       "and",   "or",    "xor",       "not",
       "cnot",     "lop3",   "shl",          "shr",   "shf",    "bfe",       "bfi",   "bfind", "brev",      "clz",
       "popc",     "prmt",   "mov",          "cvt",   "cvta",   "selp",      "set",   "setp",  "slct",      "testp",
       "copysign", "rcp",    "sqrt",         "rsqrt", "sin",    "cos",       "lg2",   "ex2",   "tanh",      "fma",
       "dp4a",     "dp2a",   "szext",        "bmsk",  "fns",    "isspacep",  "vote",  "match", "redux",     "elect",
       "mma",      "wgmma",  "createpolicy", "vadd",  "vsub",   "vabsdiff",  "vmin",  "vmax",  "vshl",      "vshr",
       "vmad",     "vset",   "vadd2",        "vsub2", "vavrg2", "vabsdiff2", "vmin2", "vmax2", "vset2",     "vadd4",
       "vsub4",    "vavrg4", "vabsdiff4",    "vmin4", "vmax4",  "vset4",     "txq",   "suq",   "activemask"},
      opcode);
}

effect of_mbarrier(const instruction& one) {
  if (one.has("shared::cluster")) return effect::cluster;
  if (one.modifiers.empty()) return effect::not_understood;
  const std::string_view what = one.modifiers[0];
  if (what == "test_wait" || what == "try_wait") return effect::wait_result;
  if (contains({"init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "pending_count"}, what)) {
    return effect::barrier;
  }
  return effect::not_understood;
}

effect of_cp(const instruction& one) {
  if (one.modifiers.empty() || one.modifiers[0] == "reduce") return effect::bulk_copy;
  if (one.modifiers[0] != "async") return effect::not_understood;
  if (one.has("bulk")) return effect::bulk_copy;
  if (one.has("commit_group") || one.has("wait_group") || one.has("wait_all")) return effect::barrier;
  if (one.has("mbarrier")) return one.has("shared::cluster") ? effect::cluster : effect::barrier;
  if (one.has("shared::cluster")) return effect::cluster;
  for (std::string_view modifier : one.modifiers) {
    const bool is_known = contains({"async", "ca", "cg", "shared", "shared::cta", "global"}, modifier);
    if (!is_known && !modifier.starts_with("L2::")) return effect::not_understood;
  }
  const bool from_global_to_shared = one.has("global") && (one.has("shared") || one.has("shared::cta"));
  return from_global_to_shared ? effect::async_copy : effect::not_understood;
}

// Memory instructions with a modifier that is not in this list may do more than it seems.
bool has_known_modifiers(const instruction& one) {
  return std::all_of(one.modifiers.begin(), one.modifiers.end(), [](std::string_view modifier) {
    if (modifier.starts_with("L1::") || modifier.starts_with("L2::")) return true;
    if (size_of_type("." + std::string(modifier)).is_type) return true;
    return contains(
        {"weak",   "relaxed", "acquire",     "release", "acq_rel", "volatile", "mmio",  // order
         "cta",    "cluster", "gpu",         "sys",                                     // scope
         "global", "shared",  "shared::cta", "local",   "const",   "param",    "param::entry", "param::func", "ca",
         "cg",     "cs",      "lu",          "cv",      "wb",      "wt",       "nc",           "unified",  // caches
         "v2",     "v4",      "v8",                                                                        // vectors
         "and",    "or",      "xor",         "cas",     "exch",    "add",      "inc",          "dec",         "min",
         "max",    "noftz"},
        modifier);
  });
}

effect of_wmma(const instruction& one) {
  if (one.has("load")) return effect::load;
  if (one.has("store")) return effect::store;
  return one.has("mma") ? effect::compute : effect::not_understood;
}

}  // namespace

effect effect_of(const instruction& one) {
  const std::string_view opcode = one.opcode;
  if (opcode == "mbarrier") return of_mbarrier(one);
  if (opcode == "cp") return of_cp(one);
  if (opcode == "wmma") return of_wmma(one);
  if (opcode == "mapa" || opcode == "getctarank" || opcode == "clusterlaunchcontrol") return effect::cluster;
  if (one.has("cluster") && (opcode == "barrier" || opcode == "fence")) {
    return opcode == "fence" ? effect::barrier : effect::cluster;
  }
  if (one.has("shared::cluster") || ((opcode == "st" || opcode == "red") && one.has("async"))) return effect::cluster;
  if (opcode == "isspacep" && !one.modifiers.empty() && one.modifiers[0].starts_with("shared::"))
    return effect::cluster;
  if (opcode == "fence" && one.has("tensormap::generic")) return effect::bulk_copy;
  if (contains({"ld", "ldu", "st", "atom", "red"}, opcode) && !has_known_modifiers(one)) return effect::not_understood;
  static constexpr named_effect table[] = {
      {"ld", effect::load},
      {"ldu", effect::load},
      {"ldmatrix", effect::load},
      {"st", effect::store},
      {"stmatrix", effect::store},
      {"atom", effect::atomic},
      {"red", effect::reduction},
      {"tex", effect::texture_load},
      {"tld4", effect::texture_load},
      {"suld", effect::texture_load},
      {"sust", effect::surface_store},
      {"sured", effect::surface_store},
      {"shfl", effect::shuffle},
      {"bar", effect::barrier},
      {"barrier", effect::barrier},
      {"membar", effect::barrier},
      {"fence", effect::barrier},
      {"bra", effect::branch},
      {"brx", effect::branch},
      {"call", effect::call},
      {"ret", effect::leave},
      {"exit", effect::leave},
      {"prefetch", effect::nothing},
      {"prefetchu", effect::nothing},
      {"applypriority", effect::nothing},
      {"setmaxnreg", effect::nothing},
      {"stacksave", effect::nothing},
      {"nanosleep", effect::sleep},
      {"trap", effect::trap},
      {"brkpt", effect::trap},
      {"tensormap", effect::bulk_copy},
      {"multimem", effect::multicast},
      {"griddepcontrol", effect::dependents},
  };
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& e) { return e.name == opcode; });
  if (found != std::end(table)) return found->does;
  return computes(opcode) ? effect::compute : effect::not_understood;
}

space space_of(const instruction& one) {
  for (std::string_view modifier : one.modifiers) {
    if (modifier == "global") return space::global;
    if (modifier == "shared" || modifier == "shared::cta") return space::shared;
    if (modifier == "local") return space::local;
    if (modifier == "const" || modifier.starts_with("const[")) return space::constant;
    if (modifier == "param" || modifier == "param::entry" || modifier == "param::func") return space::param;
  }
  if (one.opcode == "ldmatrix" || one.opcode == "stmatrix") return space::shared;
  return space::generic;
}

bool is_strong(const instruction& one) {
  return one.has("volatile") || one.has("relaxed") || one.has("acquire") || one.has("release") || one.has("acq_rel") ||
         one.has("mmio") || one.has("cv") || one.has("wt");
}

unsigned element_bytes(const instruction& one) {
  for (auto modifier = one.modifiers.rbegin(); modifier != one.modifiers.rend(); ++modifier) {
    const std::string dotted = "." + std::string(*modifier);
    if (const type_size type = size_of_type(dotted); type.is_type) return type.bytes;
  }
  return 0;
}

unsigned access_bytes(const instruction& one) {
  unsigned count = 1;
  if (one.has("v2") || one.has("x2")) count = 2;
  if (one.has("v4") || one.has("x4")) count = 4;
  if (one.has("v8")) count = 8;
  return std::max(1U, count * element_bytes(one));
}

bool commutes(const instruction& one) {
  const bool is_integer =
      !one.modifiers.empty() && contains({"u32", "s32", "u64", "s64", "b32", "b64"}, one.modifiers.back());
  return is_integer &&
         (one.has("add") || one.has("min") || one.has("max") || one.has("and") || one.has("or") || one.has("xor"));
}

special kind_of_special(std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view vector = name.substr(0, dot);
  const std::string_view element = dot == name.npos ? "" : name.substr(dot + 1);
  const bool is_element = element == "x" || element == "y" || element == "z" || element == "w" || element.empty();
  if (contains({"%tid", "%ntid", "%ctaid", "%nctaid"}, vector)) {
    return is_element ? special::fixed : special::not_understood;
  }
  if (contains({"%laneid", "%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
                "%total_smem_size", "%dynamic_smem_size", "%aggr_smem_size", "WARP_SZ"},
               name)) {
    return special::fixed;
  }
  if (contains({"%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi", "%smid",
                "%nsmid", "%warpid", "%nwarpid", "%gridid"},
               name)) {
    return special::nondeterministic;
  }
  if (name.starts_with("%envreg")) return special::workspace;
  return special::not_understood;  // %clusterid, %pm0 and all that is newer
}

const char* about_external(std::string_view name) {
  struct known {
    std::string_view name;
    const char* about;
  };
  static constexpr known table[] = {
      {"vprintf", "prints: what it has printed cannot be taken back"},
      {"malloc", "allocates from the device heap, which is not restored"},
      {"free", "frees memory of the device heap, which is not restored"},
      {"__assertfail", "a failed assertion ends the whole context"},
      {"__nv_cvta_malloc", "allocates from the device heap, which is not restored"},
  };
  for (const known& one : table) {
    if (one.name == name) return one.about;
  }
  if (name.starts_with("cudaLaunchDevice") || name.starts_with("cudaGetParameterBuffer") ||
      name.starts_with("cudaGraph") || name.starts_with("__cudaCDP") || name.starts_with("cudaStream") ||
      name.starts_with("cudaEvent") || name.starts_with("cudaDevice")) {
    return "launches or controls other kernels";
  }
  return nullptr;
}

}  // namespace genesys::schedule
