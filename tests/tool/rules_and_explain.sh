#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Does `awaitc rules` list the messages and the checks, and does `awaitc explain` know each of them?
set -euo pipefail
awaitc=$1
catalogue=$AWAITC_SOURCE/analyzer/diag/diag_catalog.def
checks=$AWAITC_SOURCE/rules/rules.def
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# expect STATUS COMMAND...: runs it, output in $work/out and $work/err.
expect() {
    local wanted=$1 status=0
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "exit status $status instead of $wanted: $*"
}

expect 0 "$awaitc" rules
sed -n 's/^DIAG([A-Z_]*, "\([^"]*\)".*/\1/p' "$catalogue" >"$work/ids"
sed -n 's/^\(OTHER_\)\{0,1\}RULE([a-z_]*, "\([^"]*\)".*/\2/p' "$checks" >"$work/check_ids"
[ -s "$work/ids" ] && [ -s "$work/check_ids" ] || fail "no ids in the tables"
cat "$work/ids" "$work/check_ids" | awk '!seen[$0]++' >"$work/all_ids"
cut -d' ' -f1 "$work/out" | diff -u "$work/all_ids" - || fail "rules lists something else than the catalogue"
expect 2 "$awaitc" rules extra
expect 0 "$awaitc" rules --help
grep -q '^Usage: awaitc rules' "$work/out" || fail "rules --help says nothing of its use"

while read -r id; do
    for name in "$id" "${id#awaitc-}"; do
        expect 0 "$awaitc" explain "$name"
        for folder in docs/errors rules/docs; do
            page=$AWAITC_SOURCE/$folder/${id#awaitc-}.md
            [ ! -f "$page" ] || grep -qF "$(sed -n '/^[A-Z].*\.$/p' "$page" | head -1)" "$work/out" ||
                fail "explain $name lacks its page in $folder"
        done
        [ -s "$work/out" ] || fail "explain $name says nothing"
    done
done <"$work/all_ids"

expect 2 "$awaitc" explain
expect 2 "$awaitc" explain defer setjmp
expect 2 "$awaitc" explain missing-awiat
grep -q "did you mean 'awaitc-missing-await'" "$work/err" || fail "no proposal for a slip: $(cat "$work/err")"
expect 2 "$awaitc" explain awaitc-nothing-of-the-kind-exists-here-or-anywhere-else-in-the-whole-tree
grep -q "lists them" "$work/err" || fail "an unknown rule is not answered"
expect 2 "$awaitc" explain ""
expect 0 "$awaitc" explain --help

# The pages are inside the binary: it works where the tree is not.
cp "$awaitc" "$work/awaitc"
(cd / && expect 0 "$work/awaitc" explain defer)
echo "all pages are there"
