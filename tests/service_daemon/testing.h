// SPDX-License-Identifier: Apache-2.0
// What the tests of the daemon for services share: the daemon as a process, and requests to it. Called by the test's
// thread, which forks while it is the only one.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "genesys/service_client.h"
#include "services.h"
#include "support/beside_program.h"
#include "support/processes.h"

namespace daemon_testing {

using namespace daemon_services;
using genesys::service_client;
using genesys::service_client_error;

// The daemon's program.
inline std::string program() { return beside_program("tests/service_daemon"); }

// A daemon in a folder of its own.
class served {
 public:
  explicit served(std::vector<std::string> more = {}) : more_(std::move(more)) {
    char name[] = "/tmp/genesys-serve.XXXXXX";
    folder_ = ::mkdtemp(name);
    start();
  }
  ~served() {
    stop();
    std::filesystem::remove_all(folder_);
  }
  void start() {
    daemon_ = std::make_unique<child>([this] {
      std::vector<std::string> words = {program(), "--socket", socket(), "--blocks", "2", "--threads", "32"};
      words.insert(words.end(), more_.begin(), more_.end());
      std::vector<char*> argv;
      for (std::string& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      const int log = ::open((folder_ + "/log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
      ::dup2(log, STDERR_FILENO);
      ::execv(argv[0], argv.data());
      return 98;
    });
    EXPECT_TRUE(until([&] { return listens(); })) << log();
  }
  // The exit status.
  int stop(int signal = SIGTERM) {
    if (!daemon_) return 0;
    daemon_->kill(signal);
    const int status = daemon_->wait();
    daemon_.reset();
    return status;
  }
  void kill(int signal) const { daemon_->kill(signal); }
  pid_t pid() const { return daemon_->pid(); }
  std::string socket() const { return folder_ + "/sock"; }
  std::string log() const {
    std::string text;
    if (FILE* from = std::fopen((folder_ + "/log").c_str(), "r")) {
      for (int c; (c = std::fgetc(from)) != EOF;) text += static_cast<char>(c);
      std::fclose(from);
    }
    return text;
  }
  genesys::service_client_options options(std::size_t bytes = 0, unsigned slots = 0) const {
    genesys::service_client_options made;
    made.socket = socket();
    made.memory_bytes = bytes;
    made.slots = slots;
    made.timeout_ms = 10'000 * slower;
    return made;
  }
  std::string status() const { return service_client::status(socket()); }
  // The report has this text.
  bool reports(const std::string& part) const {
    return until([&] { return status().find(part) != std::string::npos; });
  }

 private:
  bool listens() const {
    try {
      return !status().empty();
    } catch (const service_client_error&) {
      return false;
    }
  }
  std::vector<std::string> more_;
  std::string folder_;
  std::unique_ptr<child> daemon_;
};

// The errno with which a client is refused; 0: it is not.
inline int refused_with(const genesys::service_client_options& options) {
  try {
    service_client made(options);
    return 0;
  } catch (const service_client_error& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
    return error.number();
  }
}

// Requests of mixed sizes by one thread, each checked. How many were wrong.
inline unsigned wrong_requests(service_client& client, unsigned count, unsigned seed, std::size_t words_max) {
  const auto masks = client.find<mask>();
  const auto nothings = client.find<nothing>();
  const auto sums = client.find<numbers>();
  std::mt19937_64 random(seed);
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) {
    const u64 key = random();
    if (i % 4 == 1) {
      wrong += client.call(nothings, {}) != 0;
      continue;
    }
    if (i % 4 == 2) {
      const auto value = static_cast<std::int64_t>(key & 0xffff'ffffu);
      wrong += client.call(sums, {1.5f, -1, 7, 2.0, value, {1, 0, 0, 2}}) != 3 - 1 + 7 + 2 + value + 3;
      continue;
    }
    const std::size_t words = 1 + random() % words_max;
    auto* const from = static_cast<u64*>(client.allocate(2 * words * sizeof(u64)));
    if (from == nullptr) {  // other threads have the memory
      --i;
      std::this_thread::yield();
      continue;
    }
    u64* const to = from + words;
    for (std::size_t w = 0; w < words; ++w) from[w] = key + w, to[w] = 0;
    const long result =
        client.call(masks, {{from, words * sizeof(u64)}, {to, words * sizeof(u64)}, key}, {.blocks = 1 + i % 3});
    bool good = result == static_cast<long>(words);
    for (std::size_t w = 0; w < words; ++w) good &= to[w] == ((key + w) ^ key);
    wrong += !good;
    client.free(from);
  }
  return wrong;
}

}  // namespace daemon_testing
