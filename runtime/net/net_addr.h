/* SPDX-License-Identifier: MIT */
/*
 * Which address does a host mean, without asking a name server? Numeric IPv4 and IPv6 addresses (a
 * zone as in "fe80::1%eth0" too) and "localhost", which is both loopback addresses.
 */
#ifndef AWAITC_RUNTIME_NET_ADDR_H
#define AWAITC_RUNTIME_NET_ADDR_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

struct awi_addr {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } u;
    socklen_t len;
};

/* The `index`th address of host:port, from 0. 0; -ENOENT: there is no such one; -EINVAL: `host` is
 * not of those forms. */
int awi_addr_parse(const char *host, uint16_t port, unsigned index, struct awi_addr *out);

/* Every address: IPv6, which takes IPv4 too (index 0), or IPv4 where there is no IPv6 (1). */
int awi_addr_any(uint16_t port, unsigned index, struct awi_addr *out);

#endif
