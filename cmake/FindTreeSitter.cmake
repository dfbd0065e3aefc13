# SPDX-License-Identifier: MIT
#
# Finds the sources of tree-sitter's core and of its C grammar, which `npm ci` puts into
# cmake/grammar in the versions of the lock file, and compiles them: target TreeSitter::c, with
# <tree_sitter/api.h> and tree_sitter_c(). Where they are not there yet, npm is run once.

set(TreeSitter_GRAMMAR_DIR "${PROJECT_SOURCE_DIR}/cmake/grammar")
set(TreeSitter_MODULES "${TreeSitter_GRAMMAR_DIR}/node_modules")
set(TreeSitter_CORE "${TreeSitter_MODULES}/tree-sitter/vendor/tree-sitter/lib")
set(TreeSitter_C "${TreeSitter_MODULES}/tree-sitter-c/src")

if(NOT EXISTS "${TreeSitter_CORE}/src/lib.c" OR NOT EXISTS "${TreeSitter_C}/parser.c")
  find_program(NPM_COMMAND npm)
  mark_as_advanced(NPM_COMMAND)
  if(NPM_COMMAND)
    message(STATUS "Fetching tree-sitter and its C grammar")
    execute_process(COMMAND "${NPM_COMMAND}" ci --loglevel=error
      WORKING_DIRECTORY "${TreeSitter_GRAMMAR_DIR}" INPUT_FILE /dev/null)
  endif()
endif()

if(EXISTS "${TreeSitter_CORE}/src/lib.c" AND EXISTS "${TreeSitter_C}/parser.c")
  set(TreeSitter_INCLUDE_DIR "${TreeSitter_CORE}/include")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(TreeSitter
  REQUIRED_VARS TreeSitter_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run 'npm ci' in cmake/grammar (Debian's package npm), then configure again")

if(TreeSitter_FOUND AND NOT TARGET TreeSitter::c)
  add_library(tree_sitter_c STATIC "${TreeSitter_CORE}/src/lib.c" "${TreeSitter_C}/parser.c")
  target_include_directories(tree_sitter_c
    SYSTEM PUBLIC "${TreeSitter_CORE}/include"
    PRIVATE "${TreeSitter_CORE}/src" "${TreeSitter_C}")
  target_compile_definitions(tree_sitter_c PRIVATE _GNU_SOURCE)
  # Not our code: no warnings, and no check for undefined behaviour that stops the tool.
  target_compile_options(tree_sitter_c PRIVATE -w -fvisibility=hidden)
  if(AWAITC_SANITIZE MATCHES "undefined")
    target_compile_options(tree_sitter_c PRIVATE -fno-sanitize=undefined)
  endif()
  set_target_properties(tree_sitter_c PROPERTIES
    C_EXTENSIONS ON ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/internal")
  add_library(TreeSitter::c ALIAS tree_sitter_c)
endif()
