#!/bin/bash
# SPDX-License-Identifier: MIT
# ctest-timeout: 300
#
# Do build systems work with CC="awaitc cc gcc"? Make, CMake, Meson and configure scripts, with a
# compiler cache on either side of awaitc. What is not installed is left out.
set -euo pipefail
awaitc=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="$(dirname "$awaitc"):$PATH" TMPDIR="$work"
stage=${AWAITC_STAGE:-$(dirname "$(dirname "$awaitc")")}
export CCACHE_DIR="$work/ccache"
libs=()
[ ! -f "$stage/lib/libawaitc.a" ] || libs=("$stage/lib/libawaitc.a" -lpthread)

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

write_project() {
    rm -rf "$1"
    mkdir -p "$1/src" "$1/include"
    cat >"$1/src/main.c" <<'END'
#include "part.h"
#include <stdio.h>
int main(void) { printf("%d\n", plain(NUMBER)); return 0; }
END
    cat >"$1/src/part.c" <<'END'
#include "part.h"
#include "local.h"
#include <awaitc.h>
static async int twice(int a) { return a * LOCAL; }
async int entry(int a) { return await twice(a); }
int plain(int a) { return a * LOCAL; }
END
    echo '#define LOCAL 2' >"$1/src/local.h"
    printf '#define NUMBER 21\nint plain(int a);\n' >"$1/include/part.h"
}

is_42() {
    [ "$("$1")" = 42 ] || fail "$2: the program prints something else"
}

with_make() { # $1: compiler
    write_project "$work/make"
    cat >"$work/make/Makefile" <<'END'
CFLAGS = -Wall -Iinclude -MMD -MP -g
objects = src/main.o src/part.o
prog: $(objects)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS)
-include $(objects:.o=.d)
END
    make -s -C "$work/make" -j2 CC="$1" LIBS="${libs[*]}" || fail "make with $1"
    is_42 "$work/make/prog" "make with $1"
    [ "$(make -C "$work/make" CC="$1" LIBS="${libs[*]}" -q; echo $?)" = 0 ] || fail "make with $1: not up to date"
    make -n -W src/local.h -C "$work/make" CC="$1" >"$work/log"
    grep -q 'src/part.c' "$work/log" || fail "make with $1: a header's change is not seen"
    ! grep -q 'src/main.c' "$work/log" || fail "make with $1: too much is built"
}

with_cmake() {
    write_project "$work/cmake"
    cat >"$work/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(p C)
set(CMAKE_C_STANDARD 11)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_executable(prog src/main.c src/part.c)
target_include_directories(prog PRIVATE include)
target_link_libraries(prog PRIVATE ${libs[*]:-})
END
    printf '#!/bin/sh\nexec awaitc cc %s "$@"\n' "$1" >"$work/mycc"
    chmod +x "$work/mycc"
    cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_C_COMPILER="$work/mycc" -G Ninja \
        >"$work/log" 2>&1 || fail "cmake with $1: $(cat "$work/log")"
    cmake --build "$work/cmake/build" >"$work/log" 2>&1 || fail "cmake with $1: $(cat "$work/log")"
    is_42 "$work/cmake/build/prog" "cmake with $1"
    cmake --build "$work/cmake/build" >"$work/log"
    grep -q 'no work to do' "$work/log" || fail "cmake with $1: not up to date"
    # as a launcher, too
    cmake -S "$work/cmake" -B "$work/cmake/build2" -DCMAKE_C_COMPILER="$1" -G Ninja \
        "-DCMAKE_C_COMPILER_LAUNCHER=awaitc;cc" >"$work/log" 2>&1 || fail "cmake: $(cat "$work/log")"
    cmake --build "$work/cmake/build2" >"$work/log" 2>&1 || fail "cmake launcher with $1: $(cat "$work/log")"
    is_42 "$work/cmake/build2/prog" "cmake launcher with $1"
    (cd "$work" && awaitc lower cmake/src/part.c -p cmake/build -o "$work/part.lowered.c") ||
        fail "lower with cmake's database"
}

with_meson() {
    write_project "$work/meson"
    cat >"$work/meson/meson.build" <<END
project('p', 'c')
executable('prog', 'src/main.c', 'src/part.c', include_directories: 'include',
  link_args: '${libs[*]:-}'.split())
END
    CC="awaitc cc $1" meson setup "$work/meson/build" "$work/meson" >"$work/log" 2>&1 ||
        fail "meson with $1: $(cat "$work/log")"
    ninja -C "$work/meson/build" >"$work/log" 2>&1 || fail "meson with $1: $(cat "$work/log")"
    is_42 "$work/meson/build/prog" "meson with $1"
    ninja -C "$work/meson/build" >"$work/log"
    grep -q 'no work to do' "$work/log" || fail "meson with $1: not up to date"
}

# What configure scripts do: conftest programs, compiled, linked, preprocessed, run.
with_configure() {
    mkdir -p "$work/conf"
    cd "$work/conf"
    local cc="awaitc cc $1"
    printf '#include <stdio.h>\nint main(void) { FILE *f = fopen("conftest.out", "w"); return f == 0; }\n' >conftest.c
    $cc -o conftest -g -O2 conftest.c >&2 || fail "conftest with $1"
    ./conftest && [ -f conftest.out ] || fail "conftest runs with $1"
    $cc -E conftest.c >"$work/log"
    grep -q fopen "$work/log" || fail "$cc -E"
    echo 'int main(void) { return nosuch(); }' >conftest.c
    ! $cc -o conftest conftest.c 2>/dev/null || fail "a missing function is found with $1"
    printf '#include <nosuch.h>\n' >conftest.c
    ! $cc -E conftest.c >/dev/null 2>&1 || fail "a missing header is found with $1"
    echo 'int x;' >conftest.c
    rm -f conftest.o a.out
    $cc -c conftest.c >&2 && [ -f conftest.o ] || fail "conftest.o with $1"
    cd "$work"
}

with_ccache() {
    with_make "awaitc cc ccache gcc"
    with_make "ccache awaitc cc gcc"
    ccache -z >/dev/null
    with_make "awaitc cc ccache gcc"
    ccache --print-stats >"$work/log" 2>/dev/null || ccache -s >"$work/log"
    grep -qE '^(direct|preprocessed)_cache_hit[[:space:]]+[1-9]' "$work/log" ||
        fail "a second build through ccache hits nothing"
}

for compiler in gcc clang-14 clang-19; do
    command -v "$compiler" >/dev/null || continue
    with_make "awaitc cc $compiler"
    with_configure "$compiler"
    if command -v cmake >/dev/null && command -v ninja >/dev/null; then
        with_cmake "$compiler"
    fi
    if command -v meson >/dev/null && command -v ninja >/dev/null; then
        with_meson "$compiler"
    fi
done
if command -v ccache >/dev/null; then
    with_ccache
fi
[ -z "$(ls -d "$work"/awaitc-* 2>/dev/null)" ] || fail "private directories are left"
echo "build systems: ok"
