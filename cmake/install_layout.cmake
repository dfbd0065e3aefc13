# SPDX-License-Identifier: MIT
#
# What `cmake --install` puts under the prefix, and the same layout in the build folder:
#
#   bin/awaitc   include/awaitc.h   include/awaitc/*.h   lib/libawaitc.a   lib/pkgconfig/awaitc.pc

set(pkgconfig_file "${PROJECT_BINARY_DIR}/lib/pkgconfig/awaitc.pc")
configure_file("${PROJECT_SOURCE_DIR}/cmake/awaitc.pc.in" "${pkgconfig_file}" @ONLY)
if(NOT EXISTS "${PROJECT_BINARY_DIR}/include")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/runtime/include" "${PROJECT_BINARY_DIR}/include" SYMBOLIC)
endif()

if(TARGET awaitc)
  install(TARGETS awaitc RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET awaitc_runtime)
  install(TARGETS awaitc_runtime ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES "${pkgconfig_file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
