// SPDX-License-Identifier: Apache-2.0
// memcached-load: asks a memcached server by UDP, and checks its replies. A request without a reply within 100 ms is
// lost: another one takes its place, or, while the values are stored, the same again, at most 30 times.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "load_values.h"
#include "support/server.h"
#include "support/threads.h"

namespace {

using namespace memcached;
using application::address_of;
using application::descriptor;
using application::fail;
using clock_type = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr auto lost_after = std::chrono::milliseconds(100);
constexpr u32 attempts_max = 30;  // to store a value

struct figures {
  u64 done = 0, lost = 0, misses = 0, wrong = 0;
  std::vector<u32> latencies_ns;
};

// Has up to `window` requests under way on one socket.
class client {
 public:
  client(const load_settings& chosen, const values& all, u32 number)
      : chosen_(chosen), all_(all), socket_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)), random_(number + 1) {
    const sockaddr_in to = address_of(chosen.address, chosen.port);
    if (socket_.get() < 0 || ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0)
      fail(chosen.address + ", port " + std::to_string(chosen.port));
    const timeval limit{0, 20'000};
    const int large = 8 << 20;
    (void)::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &large, sizeof large);
    requests_.resize(chosen.window);
    for (under_way& each : requests_) each.data.resize(all.request_bytes_max());
    received_.resize(receives_max * datagram_bytes_max);
  }

  // Stores the keys from `key` on, each `step`-th.
  void store(u32 key, u32 step) {
    u64 next = key;
    run(
        [&](under_way& r) {
          if (next >= chosen_.keys) return false;
          r.is_set = true;
          r.key = static_cast<u32>(next);
          next += step;
          return true;
        },
        true);
  }

  // Gets random keys, and stores some.
  void ask(clock_type::time_point end) {
    got = {};
    run(
        [&](under_way& r) {
          if (clock_type::now() >= end) return false;
          r.key = static_cast<u32>(random_() % chosen_.keys);
          r.is_set = random_() % 100 < chosen_.sets;
          return true;
        },
        false);
  }

  figures got;

 private:
  static constexpr u32 receives_max = 32;

  struct under_way {
    std::vector<u8> data;
    u32 bytes = 0, id = 0, key = 0, parts = 0, turn = 0;
    u32 attempts = 0;  // in a row
    bool is_set = false, is_busy = false;
    clock_type::time_point since;
    std::string wanted;
  };

  // `next` fills a request, or returns false: there is none any more.
  template <class Next>
  void run(const Next& next, bool repeats) {
    std::vector<under_way*> to_send;
    u32 busy = 0;
    const auto begin = [&](under_way& r) {
      r.is_busy = next(r);
      if (!r.is_busy) return;
      r.attempts = 0;
      prepare(r);
      to_send.push_back(&r);
      ++busy;
    };
    for (under_way& each : requests_) begin(each);
    auto looked = clock_type::now();
    while (busy > 0) {
      send(to_send);
      to_send.clear();
      mmsghdr heads[receives_max];
      iovec parts[receives_max];
      for (u32 i = 0; i < receives_max; ++i) {
        parts[i] = {received_.data() + i * datagram_bytes_max, datagram_bytes_max};
        heads[i] = {};
        heads[i].msg_hdr.msg_iov = &parts[i];
        heads[i].msg_hdr.msg_iovlen = 1;
      }
      const int count = ::recvmmsg(socket_.get(), heads, receives_max, MSG_WAITFORONE, nullptr);
      if (count < 0 && errno != EAGAIN && errno != EINTR)
        fail(chosen_.address + ", port " + std::to_string(chosen_.port));
      const auto now = clock_type::now();
      for (int i = 0; i < count; ++i) {
        under_way* const r = take(received_.data() + u64(i) * datagram_bytes_max, heads[i].msg_len);
        if (r == nullptr) continue;
        got.latencies_ns.push_back(
            static_cast<u32>(std::min<std::int64_t>(nanoseconds(now - r->since).count(), ~u32{0})));
        ++got.done;
        --busy;
        begin(*r);
      }
      if (now - looked < lost_after / 4) continue;
      looked = now;
      for (under_way& each : requests_) {
        if (!each.is_busy || now - each.since < lost_after) continue;
        ++got.lost;
        if (repeats) {
          if (++each.attempts == attempts_max) throw std::runtime_error("the server does not answer");
          prepare(each);
          to_send.push_back(&each);
        } else {
          --busy;
          begin(each);
        }
      }
    }
  }

  void prepare(under_way& r) {
    const u32 window = static_cast<u32>(requests_.size()), slot = static_cast<u32>(&r - requests_.data());
    r.id = (++r.turn * window + slot) % (65536 / window * window);
    r.parts = 0;
    r.bytes = r.is_set ? all_.write_set(r.data.data(), r.id, r.key) : all_.write_get(r.data.data(), r.id, r.key);
    if (!r.is_set) r.wanted = all_.reply_of_get(r.id, r.key);
    r.since = clock_type::now();
  }

  void send(const std::vector<under_way*>& which) {
    std::vector<mmsghdr> heads(which.size());
    std::vector<iovec> parts(which.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
      parts[i] = {which[i]->data.data(), which[i]->bytes};
      heads[i].msg_hdr.msg_iov = &parts[i];
      heads[i].msg_hdr.msg_iovlen = 1;
    }
    for (std::size_t sent = 0; sent < which.size();) {
      const int n = ::sendmmsg(socket_.get(), heads.data() + sent, static_cast<unsigned>(which.size() - sent), 0);
      if (n < 0 && errno != EINTR && errno != ENOBUFS) fail(chosen_.address + ", port " + std::to_string(chosen_.port));
      if (n > 0) sent += static_cast<std::size_t>(n);
    }
  }

  // Returns the request that this datagram completes, or null.
  under_way* take(const u8* datagram, u32 bytes) {
    if (bytes < frame_bytes) return ++got.wrong, nullptr;
    const u32 id = static_cast<u32>(load_big(datagram, 2)), sequence = static_cast<u32>(load_big(datagram + 2, 2)),
              count = static_cast<u32>(load_big(datagram + 4, 2));
    under_way& r = requests_[id % requests_.size()];
    if (!r.is_busy || r.id != id) return nullptr;  // of a request that counts as lost
    const u8* const data = datagram + frame_bytes;
    const u32 data_bytes = bytes - frame_bytes;
    if (r.is_set ? !all_.is_stored(data, data_bytes)
                 : !all_.is_part_of(r.wanted, data, sequence * datagram_data_max, data_bytes)) {
      if (!r.is_set && all_.is_miss(data, data_bytes))
        ++got.misses;
      else
        ++got.wrong;
      return &r;
    }
    if (++r.parts < count) return nullptr;
    if (!r.is_set && count != datagrams_of(static_cast<u32>(r.wanted.size()))) ++got.wrong;
    return &r;
  }

  const load_settings& chosen_;
  const values& all_;
  descriptor socket_;
  std::mt19937_64 random_;
  std::vector<under_way> requests_;
  std::vector<u8> received_;
};

// Runs `work` for each client, in a thread each. Throws what the first one throws.
template <class Work>
void each_client(std::vector<std::unique_ptr<client>>& clients, const Work& work) {
  const auto one = [&](u32 i) { work(*clients[i], i); };
  application::thread_group(static_cast<unsigned>(clients.size()), one, [] {}).join();
}

void store_all(const load_settings& chosen, std::vector<std::unique_ptr<client>>& clients) {
  each_client(clients, [&](client& one, u32 number) { one.store(number, chosen.clients); });
  u64 wrong = 0;
  for (const auto& each : clients) wrong += each->got.wrong;
  if (wrong != 0)
    throw std::runtime_error("the server does not store " + std::to_string(wrong) + " of " +
                             std::to_string(chosen.keys) + " values: is its --max-item-size large enough?");
}

int run(const load_settings& chosen) {
  const values all(chosen);
  std::vector<std::unique_ptr<client>> clients;
  for (u32 i = 0; i < chosen.clients; ++i) clients.push_back(std::make_unique<client>(chosen, all, i));
  if (!chosen.keeps) store_all(chosen, clients);
  const auto begin = clock_type::now();
  const auto length = std::chrono::duration_cast<clock_type::duration>(std::chrono::duration<double>(chosen.seconds));
  each_client(clients, [&](client& one, u32) { one.ask(begin + length); });
  const double seconds = std::chrono::duration<double>(clock_type::now() - begin).count();
  figures sum;
  for (const auto& each : clients) {
    sum.done += each->got.done, sum.lost += each->got.lost;
    sum.misses += each->got.misses, sum.wrong += each->got.wrong;
    sum.latencies_ns.insert(sum.latencies_ns.end(), each->got.latencies_ns.begin(), each->got.latencies_ns.end());
  }
  std::sort(sum.latencies_ns.begin(), sum.latencies_ns.end());
  const auto quantile_us = [&](double share) {
    if (sum.latencies_ns.empty()) return 0.0;
    return sum.latencies_ns[static_cast<std::size_t>(share * static_cast<double>(sum.latencies_ns.size() - 1))] / 1e3;
  };
  const double rate = static_cast<double>(sum.done) / seconds, p50 = quantile_us(0.5), p90 = quantile_us(0.9),
               p99 = quantile_us(0.99);
  const auto number = [](u64 value) { return static_cast<unsigned long long>(value); };
  std::printf("%.0f requests/s, latency %.1f us (p90 %.1f, p99 %.1f), %llu lost, %llu misses, %llu wrong\n", rate, p50,
              p90, p99, number(sum.lost), number(sum.misses), number(sum.wrong));
  if (!chosen.json.empty()) {
    std::FILE* const to = std::fopen(chosen.json.c_str(), "w");
    if (to == nullptr) fail(chosen.json);
    std::fprintf(to,
                 "{\"requests_per_s\": %.1f, \"latency_us\": {\"median\": %.2f, \"p90\": %.2f, \"p99\": %.2f}, "
                 "\"done\": %llu, \"lost\": %llu, \"misses\": %llu, \"wrong\": %llu}\n",
                 rate, p50, p90, p99, number(sum.done), number(sum.lost), number(sum.misses), number(sum.wrong));
    if (std::fclose(to) != 0) fail(chosen.json);
  }
  application::flush_output();
  return sum.wrong != 0 || sum.done == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) { return application::run_program("memcached-load", 1, argc, argv, parse_load, run); }
