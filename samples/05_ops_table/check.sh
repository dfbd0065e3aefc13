#!/bin/bash
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")"
. ../lib_check.sh

timeout 20 ./ops_table >output.txt
compare_output output.txt
