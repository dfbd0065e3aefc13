#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does awaitc lint find nothing in what this project itself shows and builds: the samples, and the
# runtime with the tool?
set -euo pipefail
awaitc=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$AWAITC_SOURCE"

for folder in samples/*/; do
    "$awaitc" lint "$folder"*.c -- -std=gnu11 || exit 1
done
database=$AWAITC_STAGE/compile_commands.json
[ -f "$database" ] || exit 77
"$awaitc" lint -p "$AWAITC_STAGE" >"$work/report" 2>"$work/errors" || {
    cat "$work/report" "$work/errors"
    exit 1
}
echo "nothing found in the samples, the runtime and the tool"
