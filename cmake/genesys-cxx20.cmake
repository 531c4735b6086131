# SPDX-License-Identifier: Apache-2.0
# genesys_requires_cxx20(TARGET): targets that link TARGET compile C++ and CUDA as C++20. Used by this build, and,
# installed with the package, by projects that find it.
#
# A compile feature is the right way, because it raises a lower CMAKE_CXX_STANDARD. But CMake 3.25 (Debian 12) does not
# know C++20 for nvcc, and refuses the feature for both languages; then this sets a plain option.

function(genesys_requires_cxx20 target)
  if(NOT GENESYS_WITH_CUDA OR "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    set(known TRUE)
  elseif(NOT CMAKE_CUDA_COMPILER_LOADED AND CMAKE_VERSION VERSION_GREATER_EQUAL 3.26)
    set(known TRUE)  # CUDA may be enabled later, and then has the feature
  else()
    set(known FALSE)
  endif()
  if(known)
    target_compile_features(${target} INTERFACE cxx_std_20)
  else()
    target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX,CUDA>:-std=c++20>)
  endif()
endfunction()
