/* SPDX-License-Identifier: MIT */
#include <sys/socket.h>
int make_pair(int sv[2]);

int make_pair(int sv[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv);
}
