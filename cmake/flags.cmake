# SPDX-License-Identifier: MIT
#
# How is every C file of the project compiled? Targets link with `awaitc_flags`: the language, the
# include root (includes are spelled from the root of the tree) and the warnings. Sanitizers and
# coverage apply to everything below the root, the runtime included.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
# Assertions stay on in every build: a wrong lowering is worse than a stopped one.
set(CMAKE_C_FLAGS_RELEASE "-O2" CACHE STRING "" FORCE)
set(CMAKE_C_FLAGS_DEBUG "-O0 -g3" CACHE STRING "" FORCE)

set(AWAITC_WARNINGS
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes
  -Wmissing-prototypes -Wold-style-definition -Wswitch-enum -Wvla -Wcast-qual -Wcast-align
  -Wwrite-strings -Wundef -Wimplicit-fallthrough -Wformat=2 -Wnull-dereference)
if(AWAITC_WERROR)
  list(APPEND AWAITC_WARNINGS -Werror)
endif()

add_library(awaitc_flags INTERFACE)
target_compile_definitions(awaitc_flags INTERFACE _GNU_SOURCE)
target_compile_options(awaitc_flags INTERFACE ${AWAITC_WARNINGS} -fno-common -fvisibility=hidden)
target_include_directories(awaitc_flags INTERFACE "${PROJECT_SOURCE_DIR}")

set(AWAITC_LINK_FLAGS "") # what a program needs besides to link with an instrumented libawaitc.a
if(AWAITC_SANITIZE)
  set(AWAITC_LINK_FLAGS "-fsanitize=${AWAITC_SANITIZE}")
  add_compile_options(${AWAITC_LINK_FLAGS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(${AWAITC_LINK_FLAGS})
endif()
if(AWAITC_COVERAGE)
  set(AWAITC_LINK_FLAGS --coverage)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
