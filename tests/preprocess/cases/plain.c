/* SPDX-License-Identifier: MIT */
/* Headers of the system, and a comment over lines. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
int main(void)
{
    printf("%d\n", errno); /* a comment
                              over lines */
    return EOF;
}
