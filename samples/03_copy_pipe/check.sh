#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Copies files of several sizes and compares them with cmp.
cd "$(dirname "$0")"
. ../lib_check.sh

{
    for size in 0 1 3000000; do
        head -c "$size" /dev/urandom >from.bin
        timeout 60 ./copy_pipe from.bin to.bin
        cmp from.bin to.bin
        echo "the copy of $size bytes is the same"
    done
    status=0
    timeout 10 ./copy_pipe missing.bin to.bin 2>/dev/null || status=$?
    echo "a file that is missing: exit status $status"
    status=0
    timeout 10 ./copy_pipe from.bin /dev/full 2>/dev/null || status=$?
    echo "a full device: exit status $status"
} >output.txt
rm -f from.bin to.bin
compare_output output.txt
