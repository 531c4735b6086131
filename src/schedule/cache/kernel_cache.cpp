// SPDX-License-Identifier: Apache-2.0
#include "schedule/cache/kernel_cache.h"

#if GENESYS_WITH_CACHE

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "genesys_rewriter_digest.h"  // made by digest.cmake

namespace genesys::schedule {
namespace {

using json = nlohmann::json;

// Each member stands at its place in an array.
json of(const term& one) {
  json made = json::array();
  for (const part& each : one) {
    made.push_back({static_cast<int>(each.of.what), each.of.index, each.of.offset, static_cast<int>(each.how)});
  }
  return made;
}
term term_of(const json& from) {
  term made;
  for (const json& each : from) {
    part one;
    one.of.what = static_cast<base::kind>(each.at(0).get<int>());
    one.of.index = each.at(1).get<std::int32_t>();
    one.of.offset = each.at(2).get<std::uint32_t>();
    one.how = static_cast<strength>(each.at(3).get<int>());
    made.push_back(one);
  }
  return made;
}

json of(const kernel_verdict& one) {
  json made = {{"name", one.name},
               {"line", one.line},
               {"symbols_read", one.symbols_read},
               {"symbols_written", one.symbols_written},
               {"is_idempotent", one.is_idempotent},
               {"is_preemptible", one.is_preemptible},
               {"is_write_set_known", one.is_write_set_known},
               {"tells_others", one.tells_others}};
  for (const char* list : {"parameters", "uses", "separate", "reasons", "reads", "writes"}) made[list] = json::array();
  for (const parameter& each : one.parameters) made["parameters"].push_back({each.name, each.offset, each.bytes});
  for (const pointer_use& each : one.uses) {
    made["uses"].push_back({each.parameter, each.offset, each.is_read, each.is_read_back, each.is_written,
                            each.has_atomics, each.is_index});
  }
  for (const separate& each : one.must_be_separate) made["separate"].push_back({each.read, each.written});
  for (const reason& each : one.reasons) {
    made["reasons"].push_back({static_cast<int>(each.what), each.text, each.line, each.in});
  }
  for (const term& each : one.reads) made["reads"].push_back(of(each));
  for (const term& each : one.writes) made["writes"].push_back(of(each));
  return made;
}
kernel_verdict verdict_of(const json& from) {
  kernel_verdict made;
  made.name = from.at("name").get<std::string>();
  made.line = from.at("line").get<std::uint32_t>();
  made.symbols_read = from.at("symbols_read").get<std::vector<std::string>>();
  made.symbols_written = from.at("symbols_written").get<std::vector<std::string>>();
  made.is_idempotent = from.at("is_idempotent").get<bool>();
  made.is_preemptible = from.at("is_preemptible").get<bool>();
  made.is_write_set_known = from.at("is_write_set_known").get<bool>();
  made.tells_others = from.at("tells_others").get<bool>();
  for (const json& each : from.at("parameters")) {
    made.parameters.push_back(
        {each.at(0).get<std::string>(), each.at(1).get<std::uint64_t>(), each.at(2).get<std::uint64_t>()});
  }
  for (const json& each : from.at("uses")) {
    made.uses.push_back({each.at(0).get<int>(), each.at(1).get<std::uint64_t>(), each.at(2).get<bool>(),
                         each.at(3).get<bool>(), each.at(4).get<bool>(), each.at(5).get<bool>(),
                         each.at(6).get<bool>()});
  }
  for (const json& each : from.at("separate")) {
    made.must_be_separate.push_back({each.at(0).get<int>(), each.at(1).get<int>()});
  }
  for (const json& each : from.at("reasons")) {
    made.reasons.push_back({static_cast<reason::against>(each.at(0).get<int>()), each.at(1).get<std::string>(),
                            each.at(2).get<std::uint32_t>(), each.at(3).get<std::string>()});
  }
  for (const json& each : from.at("reads")) made.reads.push_back(term_of(each));
  for (const json& each : from.at("writes")) made.writes.push_back(term_of(each));
  return made;
}

json of(const kernel_text& one) {
  return {{"ptx", one.ptx},
          {"made", static_cast<int>(one.made)},
          {"context_offset", one.context_offset},
          {"times_offset", one.times_offset},
          {"why_not", one.why_not},
          {"table", one.table},
          {"variables", one.variables}};
}
kernel_text text_of(const json& from) {
  kernel_text made;
  made.ptx = from.at("ptx").get<std::string>();
  made.made = static_cast<variant>(from.at("made").get<int>());
  made.context_offset = from.at("context_offset").get<std::uint32_t>();
  made.times_offset = from.at("times_offset").get<std::uint32_t>();
  made.why_not = from.at("why_not").get<std::string>();
  made.table = from.at("table").get<std::string>();
  made.variables = from.at("variables").get<std::vector<std::string>>();
  return made;
}

std::string bytes_of(const json& one) {
  std::string made;
  json::to_cbor(one, nlohmann::detail::output_adapter<char>(made));
  return made;
}

// Whoever reads a verdict uses its indices without a check.
bool has_valid_indices(const kernel_verdict& one) {
  const auto is_in = [](int index, std::size_t size) { return index >= 0 && static_cast<std::size_t>(index) < size; };
  for (const pointer_use& each : one.uses) {
    if (!is_in(each.parameter, one.parameters.size())) return false;
  }
  for (const separate& each : one.must_be_separate) {
    if (!is_in(each.read, one.uses.size()) || !is_in(each.written, one.uses.size())) return false;
  }
  for (const auto* list : {&one.reads, &one.writes}) {
    for (const term& each : *list) {
      for (const part& of : each) {
        if (of.of.what == base::kind::parameter && !is_in(of.of.index, one.parameters.size())) return false;
      }
    }
  }
  return true;
}

std::string times_name(std::string_view gpu) { return file_name("times", gpu); }

}  // namespace

std::string packed_kernel(std::string_view text, const prepared_kernel& one) {
  return bytes_of({{"made_by", genesys_rewriter_digest},
                   {"text", std::string(text)},
                   {"verdict", of(one.verdict)},
                   {"polls", of(one.polls)},
                   {"timed", of(one.timed)}});
}

bool unpack_kernel(std::string_view packed, std::string_view text, std::string_view kernel, prepared_kernel& into) {
  try {
    const json from = json::from_cbor(packed.begin(), packed.end());
    if (from.at("made_by").get<std::string>() != genesys_rewriter_digest) return false;
    if (from.at("text").get_ref<const std::string&>() != text) return false;
    prepared_kernel made{verdict_of(from.at("verdict")), text_of(from.at("polls")), text_of(from.at("timed"))};
    if (made.verdict.name != kernel || !has_valid_indices(made.verdict)) return false;
    into = std::move(made);
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

bool prepare_or_recall(const cache_folder* in, std::string_view text, std::string_view kernel, prepared_kernel& into) {
  if (in == nullptr) return prepare(text, kernel, into);
  const std::string name = file_name("kernel", std::string(kernel) + "\n" + std::string(text));
  if (const auto known = in->read(name); known && unpack_kernel(*known, text, kernel, into)) return true;
  if (!prepare(text, kernel, into)) return false;
  (void)in->write(name, packed_kernel(text, into));
  return true;
}

std::vector<kept_times> recall_times(const cache_folder& in, std::string_view gpu) {
  std::vector<kept_times> all;
  const auto known = in.read(times_name(gpu));
  if (!known) return all;
  try {
    const json from = json::from_cbor(known->begin(), known->end());
    if (from.at("gpu").get_ref<const std::string&>() != gpu) return all;
    for (const json& each : from.at("times")) {
      if (all.size() == kept_times_max) break;
      const auto number = [&](std::size_t i) { return each.at(i).get<std::uint64_t>(); };
      all.push_back({each.at(0).get<std::string>(),
                     number(1),
                     number(2),
                     number(3),
                     number(4),
                     {number(5), number(6), number(7)}});
    }
  } catch (const json::exception&) {
    all.clear();
  }
  return all;
}

bool keep_times(const cache_folder& in, std::string_view gpu, const std::vector<kept_times>& more) {
  json list = json::array();
  std::set<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>> known;
  const auto add = [&](const kept_times& one) {
    if (list.size() == kept_times_max) return;
    if (!known.emplace(one.kernel, one.text_hash, one.blocks, one.threads, one.magnitudes).second) return;
    list.push_back({one.kernel, one.text_hash, one.blocks, one.threads, one.magnitudes, one.times.run, one.times.block,
                    one.times.abort});
  };
  std::for_each(more.begin(), more.end(), add);
  const std::vector<kept_times> before = recall_times(in, gpu);
  std::for_each(before.begin(), before.end(), add);
  return in.write(times_name(gpu), bytes_of({{"gpu", std::string(gpu)}, {"times", list}}));
}

}  // namespace genesys::schedule

#else

namespace genesys::schedule {

bool prepare_or_recall(const cache_folder*, std::string_view text, std::string_view kernel, prepared_kernel& into) {
  return prepare(text, kernel, into);
}
std::string packed_kernel(std::string_view, const prepared_kernel&) { return {}; }
bool unpack_kernel(std::string_view, std::string_view, std::string_view, prepared_kernel&) { return false; }
std::vector<kept_times> recall_times(const cache_folder&, std::string_view) { return {}; }
bool keep_times(const cache_folder&, std::string_view, const std::vector<kept_times>&) { return false; }

}  // namespace genesys::schedule

#endif
