// SPDX-License-Identifier: Apache-2.0
// How loaded services are linked with the program's kernel. It needs nvcc's files and libnvJitLink, but no GPU.
#if defined(__CUDACC__)
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "schedule/program/elf_sections.h"
#include "schedule/program/function_file.h"
#include "schedule/ptx/ptx_tokens.h"
#include "service/jit_linker.h"
#include "service/loaded_text.h"
#include "service/loader.h"
#include "service/loading/loading_testing.h"

namespace {

using namespace genesys::detail::services;
using service_loading::file;

constexpr unsigned architecture = 90;

// The name of this program's kernel with loadable services, as the driver would tell it.
std::string kernel_name() {
  const auto entries = genesys::schedule::entries_of_file("/proc/self/exe");
  for (const auto& each : entries) {
    const auto tokens = genesys::schedule::tokens_of(each.contents);
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (tokens[i - 1].text == ".entry" && tokens[i].text.find("serve_entry") != std::string_view::npos &&
          tokens[i].text.find("loadable_services") != std::string_view::npos)
        return std::string(tokens[i].text);
    }
  }
  return {};
}

// Stands for the server: it keeps what the loader has linked, and runs nothing.
class linked_only final : public loader::host {
 public:
  explicit linked_only(unsigned threads) : threads_(threads) {}
  link_target target() override { return {kernel_name(), architecture}; }
  unsigned threads_in_block() const override { return threads_; }
  void exchange(const kernel_image& image, unsigned) override { image_ = image; }
  const kernel_image& image() const { return image_; }

 private:
  unsigned threads_;
  kernel_image image_;
};

// The most registers of a function in a cubin, by what its `.nv.info` says of each.
unsigned registers_of(const std::string& cubin) {
  constexpr unsigned char format = 4, attribute = 0x2f;  // {symbol : 32 | registers : 32}
  unsigned most = 0;
  for (const auto& section : genesys::schedule::sections_of(cubin)) {
    if (section.name != ".nv.info") continue;
    for (std::size_t at = 0; at + 12 <= section.contents.size();) {
      const auto* const entry = reinterpret_cast<const unsigned char*>(section.contents.data()) + at;
      std::uint32_t registers = 0;
      std::memcpy(&registers, entry + 8, 4);
      if (entry[0] == format && entry[1] == attribute) most = std::max(most, registers);
      at += entry[0] == format ? 4u + entry[2] + 256u * entry[3] : 4u;
    }
  }
  return most;
}

wanted_service wanted(const std::string& symbol, std::uint32_t arguments, std::uint32_t object) {
  static const std::uint64_t words[15] = {};
  return {.symbol = symbol, .argument_bytes = arguments, .object = words, .object_bytes = object, .drain_ms = 1};
}

class service_linker : public testing::Test {
 protected:
  service_row rows_[rows_max] = {};
  row_table table_{rows_};
  program program_ = program_of<0, genesys::loadable_services, service_loading::mix, copy_data>();
  std::uint32_t row_ = 0, version_ = 0;
};

TEST_F(service_linker, links_two_versions_and_others_with_the_kernel) {
  linked_only server(256);
  loader loads(server, program_, table_);
  const auto print = [&](const char* what) {
    std::printf("%s: %u registers, linked in %llu us\n", what, registers_of(server.image().cubin),
                static_cast<unsigned long long>(loads.link_us()));
  };
  (void)loads.load(file("affine"), wanted("affine", 32, 8), row_, version_);
  print("one service");
  (void)loads.load(file("affine_2"), wanted("affine", 32, 8), row_, version_);
  print("two services");
  (void)loads.load(file("others"), wanted("wide", 8, 0), row_, version_);
  print("three services");
  EXPECT_EQ(server.image().functions.size(), 3u);
  const auto kernels = genesys::schedule::kernels_of_cubin(server.image().cubin);
  EXPECT_EQ(kernels, std::vector<std::string>{kernel_name()});
}

TEST_F(service_linker, leaves_a_block_the_registers_that_it_can_have) {
  for (const unsigned threads : {256u, 512u, 1024u}) {
    linked_only server(threads);
    loader loads(server, program_, table_);
    (void)loads.load(file("others"), wanted("wide", 8, 0), row_, version_);
    EXPECT_LE(registers_of(server.image().cubin) * threads, 65'536u);
    EXPECT_GT(registers_of(server.image().cubin), 16u);
  }
}

TEST_F(service_linker, leaves_out_what_is_unloaded) {
  linked_only server(256);
  loader loads(server, program_, table_);
  (void)loads.load(file("affine"), wanted("affine", 32, 8), row_, version_);
  EXPECT_EQ(table_.unload(row_, version_, 0, [&] { loads.forget(row_); }), 0);
  (void)loads.load(file("others"), wanted("wide", 8, 0), row_, version_);
  ASSERT_EQ(server.image().functions.size(), 1u);
  EXPECT_EQ(server.image().functions[0].symbol, "wide");
}

std::string changed_copy(const std::string& of, const std::string& from, const std::string& to) {
  std::ifstream in(of, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, from.size(), to);
  const std::string path = testing::TempDir() + "/genesys_changed.ptx";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST_F(service_linker, says_why_it_refuses) {
  linked_only server(256);
  loader loads(server, program_, table_);
  const auto expect_refused = [&](const std::string& path, const char* word) {
    try {
      (void)loads.load(genesys::service_file{path, ""}, wanted("affine", 32, 8), row_, version_);
      ADD_FAILURE() << path;
    } catch (const genesys::error& thrown) {
      EXPECT_NE(std::string(thrown.what()).find(word), std::string::npos) << thrown.what();
    }
  };
  expect_refused(changed_copy(file("affine").gpu, ".version 9.0", ".version 99.9"), "nvcc of CUDA 13.0");
  expect_refused(changed_copy(file("affine").gpu, "affine_description[", "affine_descriptiom["), "no service affine");
  expect_refused(file("affine").cpu, "machine code");
  EXPECT_TRUE(server.image().cubin.empty());
}

}  // namespace
#endif
