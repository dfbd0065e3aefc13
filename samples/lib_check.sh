# SPDX-License-Identifier: MIT
#
# For the check.sh of the samples, which source it in the folder of a built sample.

set -euo pipefail
server=

stop_server() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
}
trap stop_server EXIT

# Starts a server that prints "listening on 127.0.0.1:PORT"; sets $port.
start_server() {
    : >server.log # it must be there, and not an earlier server's, when it is read
    "$@" >server.log 2>&1 &
    server=$!
    port=
    for _ in $(seq 200); do
        port=$(sed -n 's/^listening on 127\.0\.0\.1:\([1-9][0-9]*\)$/\1/p' server.log)
        [ -z "$port" ] || return 0
        sleep 0.05
    done
    echo "the server did not start:" >&2
    cat server.log >&2
    return 1
}

# Compares what was printed with expected.txt.
compare_output() {
    diff -u expected.txt "$1"
}
