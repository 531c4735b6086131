# SPDX-License-Identifier: Apache-2.0
# Installs the library, its headers, the command, the pages, and packages for find_package(genesys) and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(genesys_package "${CMAKE_INSTALL_LIBDIR}/cmake/genesys")
install(TARGETS genesys EXPORT genesys-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# genesys::scheduler, and what it is made of.
set_target_properties(genesys_scheduler PROPERTIES EXPORT_NAME scheduler)
set_target_properties(genesys_service PROPERTIES EXPORT_NAME service)
set_target_properties(genesys_service_client PROPERTIES EXPORT_NAME service_client)
set_target_properties(genesys_service_client_shared PROPERTIES EXPORT_NAME service_client_shared)
set_target_properties(genesys_service_daemon PROPERTIES EXPORT_NAME service_daemon)
set(genesys_further_libraries
  genesys_service genesys_services genesys_service_client genesys_service_client_shared genesys_service_daemon
  genesys_scheduler genesys_schedule_driver genesys_schedule_daemon genesys_schedule_abort genesys_schedule_policy
  genesys_schedule)
install(TARGETS ${genesys_further_libraries} EXPORT genesys-targets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/genesys" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
if(TARGET genesys_command)
  install(TARGETS genesys_command RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  configure_file("${PROJECT_SOURCE_DIR}/command/systemd/genesys-scheduled.service.in"
    "${PROJECT_BINARY_DIR}/genesys-scheduled.service" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/genesys-scheduled.service" DESTINATION lib/systemd/system)
  install(PROGRAMS "$<TARGET_FILE:genesys_serve>" DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL)
  configure_file("${PROJECT_SOURCE_DIR}/command/systemd/genesys-serve.service.in"
    "${PROJECT_BINARY_DIR}/genesys-serve.service" @ONLY)
  install(FILES
    "${PROJECT_BINARY_DIR}/genesys-serve.service" "${PROJECT_SOURCE_DIR}/command/systemd/genesys-serve.socket"
    DESTINATION lib/systemd/system)
endif()
if(TARGET genesys_schedule_cuda)
  # In a folder of its own, because only programs under `genesys schedule run` must find it.
  install(TARGETS genesys_schedule_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/genesys")
  install(FILES "${PROJECT_BINARY_DIR}/src/schedule/standin/libcuda.so.1" DESTINATION "${CMAKE_INSTALL_LIBDIR}/genesys")
endif()
# What `cmake --install` copies: tests, samples and benches need not be built before.
add_custom_target(genesys_installed DEPENDS genesys ${genesys_further_libraries})
foreach(optional IN ITEMS genesys_command genesys_serve genesys_schedule_cuda)
  if(TARGET ${optional})
    add_dependencies(genesys_installed ${optional})
  endif()
endforeach()
install(EXPORT genesys-targets NAMESPACE genesys:: DESTINATION "${genesys_package}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/genesys-config.cmake.in"
  "${PROJECT_BINARY_DIR}/genesys-config.cmake" INSTALL_DESTINATION "${genesys_package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/genesys-config-version.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/genesys-config.cmake"
  "${PROJECT_BINARY_DIR}/genesys-config-version.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/genesys-cxx20.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/genesys-liburing.cmake"
  DESTINATION "${genesys_package}")
include(pkg-config)
# The pages link to each other and to README, so they keep their folders.
foreach(page IN ITEMS LICENSE README.md CHANGELOG.md)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
