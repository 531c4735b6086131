// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include "schedule/standin/environment.h"
#include "schedule/standin/jumps.h"

namespace genesys::schedule::standin::tests {

fake_driver& fake() {
  static fake_driver& only = *[] {
    // The same path as in main(): the dynamic loader gives the same copy.
    void* const library = ::dlopen(GENESYS_FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library == nullptr) std::abort();
    return reinterpret_cast<decltype(&genesys_fake_driver)>(::dlsym(library, "genesys_fake_driver"))();
  }();
  return only;
}

void reset() {
  observe(nullptr);
  const std::lock_guard lock(fake().changing);
  fake().calls.clear();
  fake().behaviours.clear();
  fake().result = 0;
}

void on(driver_function which, behaviour what) {
  const std::lock_guard lock(fake().changing);
  fake().behaviours[which] = std::move(what);
}

std::vector<arguments> calls_of(driver_function which) {
  const std::lock_guard lock(fake().changing);
  std::vector<arguments> result;
  for (const fake_call& each : fake().calls) {
    if (each.which == which) result.push_back(each.values);
  }
  return result;
}

void* exported_address(driver_function which) { return exported(which); }

unsigned call(driver_function which, const arguments& values) {
  using word = std::uint64_t;
  using function =
      unsigned(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);
  const auto& v = values;
  return reinterpret_cast<function*>(exported(which))(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10],
                                                      v[11], v[12], v[13], v[14], v[15]);
}

std::string kernel_file(const std::string& name) {
  std::string path = GENESYS_SCHEDULE_KERNELS "/";
  std::ifstream from(path.append(name), std::ios::binary);
  EXPECT_TRUE(from) << name;
  const std::string text{std::istreambuf_iterator<char>(from), {}};
  if (!name.ends_with(".hex")) return text;
  std::string bytes;
  int half = -1;
  for (const char c : text) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) continue;
    if (half >= 0) bytes += static_cast<char>(half * 16 + static_cast<int>(digit));
    half = half >= 0 ? -1 : static_cast<int>(digit);
  }
  return bytes;
}

const char small_ptx[] = R"(
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .f32 bias;
.global .align 4 .f32 not_used;

.func (.param .b32 result) biased_value(.param .b32 given)
{
  .reg .f32 %f<4>;
  ld.param.f32 %f1, [given];
  ld.global.f32 %f2, [bias];
  add.f32 %f3, %f1, %f2;
  st.param.f32 [result], %f3;
  ret;
}

.visible .entry twice(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .f32 %f<3>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $L_end;
  cvta.to.global.u64 %rd3, %rd2;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  add.f32 %f2, %f1, %f1;
  cvta.to.global.u64 %rd6, %rd1;
  add.s64 %rd7, %rd6, %rd4;
  st.global.f32 [%rd7], %f2;
$L_end:
  ret;
}

.visible .entry biased(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .f32 %f<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [in];
  cvta.to.global.u64 %rd3, %rd2;
  ld.global.f32 %f1, [%rd3];
  {
    .param .b32 given;
    .param .b32 result;
    st.param.f32 [given], %f1;
    call.uni (result), biased_value, (given);
    ld.param.f32 %f2, [result];
  }
  cvta.to.global.u64 %rd4, %rd1;
  st.global.f32 [%rd4], %f2;
  ret;
}
)";

}  // namespace genesys::schedule::standin::tests

int main(int argc, char** argv) {
  // Before the first call of a function of the driver.
  ::setenv(genesys::schedule::standin::real_library_variable, GENESYS_FAKE_DRIVER, 1);
  ::unsetenv(genesys::schedule::standin::test_variable);
  ::unsetenv(genesys::schedule::standin::quiet_variable);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
