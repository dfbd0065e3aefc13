#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Talks to the server with nc and with sockets of Python's: nothing of ours on the other side.
cd "$(dirname "$0")"
. ../lib_check.sh

start_server ./tcp_echo 0
{
    echo "one line" | timeout 10 nc -N 127.0.0.1 "$port"
    printf 'three\nlines at\nonce\n' | timeout 10 nc -N 127.0.0.1 "$port"
    timeout 60 python3 - "$port" <<'END'
import socket
import sys
import threading

port = int(sys.argv[1])


def echoed(data):
    """What comes back for `data`, sent and received at the same time."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as s:
        def send():
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
        sender = threading.Thread(target=send)
        sender.start()
        received = b""
        while piece := s.recv(65536):
            received += piece
        sender.join()
        return received


data = bytes(i * 7 % 256 for i in range(1000000))
if echoed(data) == data:
    print(f"{len(data)} bytes came back unchanged")

connections = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(50)]
for number, connection in enumerate(connections):
    connection.sendall(b"%d\n" % number)
answers = [connection.recv(100) for connection in reversed(connections)]
right = sum(answer == b"%d\n" % (49 - k) for k, answer in enumerate(answers))
print(f"{len(connections)} connections at once: {right} answers")
END
} >output.txt
compare_output output.txt
