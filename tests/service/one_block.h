// SPDX-License-Identifier: Apache-2.0
// A block of the non-stop kernel alone, on the CPU device, with one share in its mailbox. No server, no dispatcher.
#pragma once

#include "genesys/detail/service/serve.h"
#include "testing.h"

namespace service_testing {

namespace services = genesys::detail::services;

struct one_block {
  static constexpr u32 completion_slot = 3;

  // The share is the whole request: one block, of the service with this code and version.
  explicit one_block(u32 code = 0, u32 version = 0, u32 version_of_request = 0) {
    rows[0].head = services::pack_row_head(version, code);
    const services::request_header header{.row = 0,
                                          .version = version_of_request,
                                          .words = services::words_for(1),
                                          .quiet = 0,
                                          .blocks = 1,
                                          .completion_slot = completion_slot,
                                          .use = 1};
    const u64 argument = 41;
    for (u32 i = 0; i < services::slot_words; ++i) {
      u64 payload = 0;
      if (i == 0) payload = services::pack_word_0(header);
      if (i == 1) payload = services::pack_word_1(header);
      if (i >= services::header_words && i < header.words)
        payload = services::pack_arguments(&argument, 1, i - services::header_words);
      if (i == services::share_word) payload = services::pack_share(0, 1);
      state.mailboxes[0].words[i] = u64{1} << services::tag_shift | payload;
    }
  }

  // Until the block leaves: the launch is over, but for the share.
  void run() {
    state.left = 1;
    const services::serve_context context{.requests = nullptr,
                                          .completions = completions,
                                          .words = &words,
                                          .state = &state,
                                          .shares = nullptr,
                                          .rows = rows,
                                          .idle_ns = 1000,
                                          .stay_ns = 0,
                                          .short_ns = 0,
                                          .launch = 1,
                                          .slots_log2 = 4};
    genesys::detail::cpu::device device({.os_threads = 1});
    device.wait(*device.launch({1}, {32}, 0, nullptr,
                               [context] { services::block_server<empty, hash_of_1>(context, 0).run(); }));
  }

  services::completion_slot completions[16]{};
  services::pinned_words words{};
  services::device_state state{};
  services::service_row rows[services::rows_max]{};
};

}  // namespace service_testing
