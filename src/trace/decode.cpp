// SPDX-License-Identifier: Apache-2.0
// Prints calls with the generated tables (decode.h).
#include "trace/decode.h"

#include <cerrno>
#include <cstring>

#include "trace/generated/names.h"
#include "trace/print_memory.h"
#include "trace/print_value.h"

namespace genesys::trace {
namespace {

const call_names& names_of(const detail::call_plan* plan) { return names[plan - detail::plans]; }

std::string_view path_of(const decode_options& options, unsigned arg) {
  for (const descriptor_path& one : options.paths) {
    if (one.arg == arg) return one.path;
  }
  return {};
}

// A path is printed as a string is, without its quotes; < and > are escaped, too, as strace does.
std::string with_path(std::string number, std::string_view path) {
  if (path.empty()) return number;
  const byte_span bytes(reinterpret_cast<const unsigned char*>(path.data()), path.size());
  const std::string quotes = quoted(bytes, path.size(), path.size());
  std::string inside;
  for (std::size_t i = 1; i + 1 < quotes.size(); ++i) {
    const char c = quotes[i];
    const bool is_octal_next = quotes[i + 1] >= '0' && quotes[i + 1] <= '7';
    if (c == '<' || c == '>') {
      inside += formatted(is_octal_next ? "\\%03llo" : "\\%llo", static_cast<unsigned char>(c));
    } else {
      inside += c;
    }
  }
  return number + "<" + inside + ">";
}

// Whether an argument is printed, as far as other arguments say.
bool is_shown(const arg_names& arg, const std::uint64_t* args) {
  if (arg.is_hidden) return false;
  if (arg.only.on < 0) return true;
  bool has = false;
  for (unsigned i = 0; i < arg.only.count; ++i)
    has |= (args[arg.only.on] & arg.only.of[i].mask) == arg.only.of[i].value;
  return has != arg.only.is_negative;
}

std::string number_text(const memory_printer& printer, const arg_names& arg, std::uint64_t value) {
  return arg.constant != nullptr ? arg.constant : value_text(printer.resolved(arg.as), value);
}

std::string all_words(std::uint64_t number, const std::uint64_t* args) {
  std::string text = call_name(number) + "(";
  for (unsigned i = 0; i < detail::args_max; ++i) text += (i > 0 ? ", " : "") + formatted("0x%llx", args[i]);
  return text + ")";
}

std::string error_text(std::int64_t result) {
  const int error = static_cast<int>(-result);
  const char* const name = ::strerrorname_np(error);
  return "-1 " + (name != nullptr ? std::string(name) : "errno " + std::to_string(error)) + " (" +
         std::strerror(error) + ")";
}

bool is_error(std::int64_t result) { return result < 0 && result >= -4095; }

// What a call that waits for descriptors found: ([{fd=3, revents=POLLIN}]).
std::string found_text(const decoded_call& call, const detail::call_plan& plan, const decode_options& options) {
  const memory_printer printer(call, plan, options);
  const structure& ready = structures[structure_of::pollfd_ready];
  const argument_data* const data = printer.data_of(0, 0);
  if (data == nullptr) return {};
  std::string text;
  std::uint64_t events = 0, found = 0;
  for (std::size_t at = 0; load(data->bytes, at + 6, 2, events); at += ready.bytes) {
    if (events == 0) continue;
    if (!text.empty()) text += ", ";
    if (found++ == printer.elements_max()) {
      text += "...";
      break;
    }
    text += printer.object(ready, {data->bytes.subspan(at, ready.bytes), ready.bytes});
  }
  return "[" + text + "]";
}

// The sets of descriptors that select found: in [3], out [4].
std::string selected_text(const decoded_call& call, const memory_printer& printer) {
  static constexpr const char* sets_of_select[] = {"", "in", "out", "except"};
  std::string text;
  for (unsigned i = 1; i < std::size(sets_of_select); ++i) {
    const argument_data* const data = printer.data_of(i, 0);
    const std::string bits = data != nullptr ? bits_text(data->bytes, call.args[0]) : "[]";
    if (bits != "[]") text += (text.empty() ? "" : ", ") + std::string(sets_of_select[i]) + " " + bits;
  }
  return text;
}

// What strace adds to the result of a call that waits.
std::string remark_of(const decoded_call& call, const detail::call_plan& plan, const decode_options& options) {
  const std::string_view name = names_of(&plan).name;
  const bool polls = name == "poll" || name == "ppoll", selects = name == "select" || name == "pselect6";
  if (!polls && !selects) return {};
  if (call.result == 0) return " (Timeout)";
  const memory_printer printer(call, plan, options);
  std::string text = polls ? found_text(call, plan, options) : selected_text(call, printer);
  const unsigned timeout = polls ? 2 : 4;
  const argument_data* const left = name == "poll" ? nullptr : printer.data_of(timeout, 0);
  if (left != nullptr) {
    text += (text.empty() ? "left " : ", left ") +
            printer.memory(names_of(&plan).args[timeout].as, {left->bytes, left->total});
  }
  return text.empty() ? "" : " (" + text + ")";
}

}  // namespace

std::string call_name(std::uint64_t number) {
  if (!detail::is_planned(number)) return "syscall_" + std::to_string(number);
  return names[detail::by_number.place[number]].name;  // variants share it
}

std::string decode(std::uint64_t number, const std::uint64_t* args) {
  const detail::call_plan* const plan = detail::plan_of_call(number, args);
  if (plan == nullptr) return all_words(number, args);
  const decoded_call call{number, args, 0, {}};
  const decode_options options;
  const memory_printer printer(call, *plan, options);
  std::string text = call_name(number) + "(";
  for (unsigned i = 0; i < plan->args_count; ++i) {
    const arg_names& arg = names_of(plan).args[i];
    if (i > 0) text += ", ";
    text += std::string(arg.name) + "=";
    if (detail::is_pointer(plan->args[i])) {
      text += args[i] == 0 ? "null" : address_text(args[i]);
    } else {
      text += number_text(printer, arg, args[i]);
    }
  }
  return text + ")";
}

std::string decode(const decoded_call& call, const decode_options& options) {
  const detail::call_plan* const plan = detail::plan_of_call(call.number, call.args);
  if (plan == nullptr) return all_words(call.number, call.args);
  const memory_printer printer(call, *plan, options);
  std::string text;
  for (unsigned i = 0; i < plan->args_count; ++i) {
    const arg_names& arg = names_of(plan).args[i];
    if (!is_shown(arg, call.args)) continue;
    if (!text.empty()) text += ", ";
    text += detail::is_pointer(plan->args[i]) ? printer.pointer(i, arg)
                                              : with_path(number_text(printer, arg, call.args[i]), path_of(options, i));
  }
  return call_name(call.number) + "(" + text + ")";
}

std::string decode_result(const decoded_call& call, const decode_options& options) {
  if (is_error(call.result)) return error_text(call.result);
  const detail::call_plan* const plan = detail::plan_of_call(call.number, call.args);
  const auto value = static_cast<std::uint64_t>(call.result);
  if (plan == nullptr) {
    const bool is_address = call.result < 0 || call.result > 1 << 30;  // likely
    return is_address ? hexadecimal(value) : std::to_string(call.result);
  }
  const shape as = names_of(plan).result;
  if (as.as == shown::set && !sets[as.of].is_choice) {
    return hexadecimal(value) + (value != 0 ? (as.of == set_of::seals ? " (seals " : " (flags ") +
                                                  set_text(sets[as.of], value, as.bytes) + ")"
                                            : "");
  }
  if (as.as == shown::set && choice_name(sets[as.of], call.result) == nullptr) return std::to_string(call.result);
  if (as.as == shown::set && as.of == set_of::lease)
    return hexadecimal(value) + " (" + set_text(sets[as.of], value, as.bytes) + ")";
  if (as.as == shown::set) return std::to_string(call.result) + " (" + set_text(sets[as.of], value, as.bytes) + ")";
  if (as.as == shown::time) return std::to_string(call.result) + " (" + date_text(call.result, 0, 0) + ")";
  const std::string text = as.as == shown::address ? formatted("0x%llx", value) : value_text(as, value);
  return with_path(text, path_of(options, result_arg)) + remark_of(call, *plan, options);
}

}  // namespace genesys::trace
