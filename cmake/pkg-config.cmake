# SPDX-License-Identifier: Apache-2.0
# Writes genesys.pc into the build tree. The prefix in it is relative to the file, so the installed tree can be moved.
# Included by install.cmake, which knows the folders.

# Appends to genesys_pc_libs -l of the library at `path`, after -L of its folder if the linker does not search it. An
# archive has its file name: with -luring the linker takes liburing.so, of which version 2.3 lacks two functions.
function(genesys_link_flags path)
  cmake_path(GET path PARENT_PATH folder)
  cmake_path(GET path FILENAME name)
  if(name MATCHES "\\.a$")
    string(PREPEND name ":")
  else()
    string(REGEX REPLACE "^lib(.*)\\.so[.0-9]*$" "\\1" name "${name}")
  endif()
  file(REAL_PATH "${folder}" real_folder)
  set(known "")
  foreach(directory IN LISTS CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    file(REAL_PATH "${directory}" directory)
    list(APPEND known "${directory}")
  endforeach()
  if(NOT real_folder IN_LIST known)
    string(APPEND genesys_pc_libs " -L${folder}")
  endif()
  set(genesys_pc_libs "${genesys_pc_libs} -l${name}" PARENT_SCOPE)
endfunction()

# Sets `variable` to a folder of the installed tree, relative to the prefix.
function(genesys_pc_folder variable folder)
  if(NOT IS_ABSOLUTE "${folder}")
    string(PREPEND folder "\${prefix}/")
  endif()
  set(${variable} "${folder}" PARENT_SCOPE)
endfunction()

genesys_pc_folder(genesys_pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
genesys_pc_folder(genesys_pc_libdir "${CMAKE_INSTALL_LIBDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(genesys_pc_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(genesys_pc_prefix "\${pcfiledir}/${up}")
endif()

set(genesys_pc_libs "")
if(GENESYS_WITH_CPU)
  get_target_property(path Boost::context LOCATION)
  genesys_link_flags("${path}")
endif()
if(GENESYS_WITH_URING)
  genesys_link_flags("${GENESYS_LIBURING_LIBRARY}")
endif()
if(GENESYS_WITH_CUDA)
  get_target_property(path CUDA::cudart_static LOCATION)
  genesys_link_flags("${path}")
  string(APPEND genesys_pc_libs " -lrt -ldl")
endif()
string(APPEND genesys_pc_libs " -lpthread")  # not -pthread, which nvcc does not know

configure_file("${PROJECT_SOURCE_DIR}/cmake/genesys.pc.in" "${PROJECT_BINARY_DIR}/genesys.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/genesys.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
