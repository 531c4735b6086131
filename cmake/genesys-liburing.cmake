# SPDX-License-Identifier: Apache-2.0
# genesys::liburing, if liburing is there: for the executor `uring`. The static library is preferred, so that programs
# run where liburing is not installed. Used by our own build, and by the installed package.
find_path(GENESYS_LIBURING_HEADERS liburing.h)
find_library(GENESYS_LIBURING_LIBRARY NAMES liburing.a uring)
mark_as_advanced(GENESYS_LIBURING_HEADERS GENESYS_LIBURING_LIBRARY)
if(GENESYS_LIBURING_HEADERS AND GENESYS_LIBURING_LIBRARY AND NOT TARGET genesys::liburing)
  add_library(genesys::liburing UNKNOWN IMPORTED)
  set_target_properties(genesys::liburing PROPERTIES
    IMPORTED_LOCATION "${GENESYS_LIBURING_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${GENESYS_LIBURING_HEADERS}")
endif()
