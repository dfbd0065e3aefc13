#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Talks to the server with curl, and with a socket of Python's where curl is too polite.
cd "$(dirname "$0")"
. ../lib_check.sh

request() {
    curl --silent --show-error --noproxy '*' --max-time 10 "$@"
}

# Sends the text (with escapes) in one piece, prints all that comes back.
raw() {
    timeout 10 python3 - "$port" "$1" <<'END'
import socket
import sys

with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10) as s:
    s.sendall(sys.argv[2].encode().decode("unicode_escape").encode())
    try:
        s.shutdown(socket.SHUT_WR)
        while piece := s.recv(65536):
            sys.stdout.write(piece.decode())
    except (ConnectionError, OSError):
        pass  # the server refuses and closes while it is still being sent to
END
}

start_server ./http_ping 0
url=http://127.0.0.1:$port
{
    echo "== ping"
    request -w '%{http_code}\n' "$url/ping"
    echo "== another path"
    request -w '%{http_code}\n' "$url/other"
    echo "== one connection for both requests"
    request -v "$url/ping" "$url/ping" 2>verbose.log
    grep -c "Re-using existing connection" verbose.log
    echo "== HTTP/1.0 closes"
    request --http1.0 "$url/ping"
    echo "== three requests sent ahead"
    ping='GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n'
    echo "$(raw "$ping$ping$ping" | grep -c '^pong') answers"
    echo "== a header that is too long"
    raw "GET /$(printf '%4096s' '' | tr ' ' x)" | head -n 1 | tr -d '\r'
    stop_server
    start_server ./http_ping --sleep 0
    echo "== with naps"
    request "http://127.0.0.1:$port/ping"
} >output.txt
compare_output output.txt
