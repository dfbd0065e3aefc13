#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds a sample by its own Makefile and runs its check: run_sample.sh FOLDER COMPILER
# Works on a copy; awaitc comes from AWAITC_STAGE/bin.
set -euo pipefail

folder=$1
compiler=$2
copy=$PWD/$compiler
command -v "$compiler" >/dev/null || exit 77

mkdir -p "$copy"
cp "$folder/../lib_check.sh" "$copy/"
rm -rf "${copy:?}/$(basename "$folder")"
cp -r "$folder" "$copy/"
cd "$copy/$(basename "$folder")"

PATH="$AWAITC_STAGE/bin:$PATH"
make CC="awaitc cc $compiler" CFLAGS="-O2 -g -Wall -Wextra -Werror"
exec bash check.sh
