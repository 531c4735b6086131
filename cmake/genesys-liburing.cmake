# SPDX-License-Identifier: Apache-2.0
# Defines genesys::liburing if liburing is found, for the executor `uring`. The static library comes first, so that
# programs also run without an installed liburing. Used by this build, and by the installed package.
find_path(GENESYS_LIBURING_HEADERS liburing.h)
find_library(GENESYS_LIBURING_LIBRARY NAMES liburing.a uring)
mark_as_advanced(GENESYS_LIBURING_HEADERS GENESYS_LIBURING_LIBRARY)
if(GENESYS_LIBURING_HEADERS AND GENESYS_LIBURING_LIBRARY AND NOT TARGET genesys::liburing)
  add_library(genesys::liburing UNKNOWN IMPORTED)
  set_target_properties(genesys::liburing PROPERTIES
    IMPORTED_LOCATION "${GENESYS_LIBURING_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${GENESYS_LIBURING_HEADERS}")
endif()
