# SPDX-License-Identifier: MIT
#
# Finds the headers of libclang 19's C interface: target ClangC::headers. Nothing is linked: the
# tool opens the library when it first needs it, since sources without async need none, and loading
# it takes longer than parsing most of them.

find_path(ClangC_INCLUDE_DIR clang-c/Index.h
  PATHS /usr/lib/llvm-19/include /usr/local/lib/llvm-19/include /opt/llvm-19/include
  NO_DEFAULT_PATH)
mark_as_advanced(ClangC_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ClangC
  REQUIRED_VARS ClangC_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libclang-19-dev, or set ClangC_INCLUDE_DIR")

if(ClangC_FOUND AND NOT TARGET ClangC::headers)
  add_library(ClangC::headers INTERFACE IMPORTED)
  target_include_directories(ClangC::headers SYSTEM INTERFACE "${ClangC_INCLUDE_DIR}")
endif()
