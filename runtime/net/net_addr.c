/* SPDX-License-Identifier: MIT */
/* The addresses of net_addr.h. IPv4's loopback goes first: more programs listen there. */
#include "runtime/net/net_addr.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void set_v4(struct awi_addr *out, struct in_addr addr, uint16_t port)
{
    *out = (struct awi_addr){.len = sizeof out->u.v4};
    out->u.v4.sin_family = AF_INET;
    out->u.v4.sin_addr = addr;
    out->u.v4.sin_port = htons(port);
}

static void set_v6(struct awi_addr *out, struct in6_addr addr, uint32_t zone, uint16_t port)
{
    *out = (struct awi_addr){.len = sizeof out->u.v6};
    out->u.v6.sin6_family = AF_INET6;
    out->u.v6.sin6_addr = addr;
    out->u.v6.sin6_scope_id = zone;
    out->u.v6.sin6_port = htons(port);
}

/* The number of a zone: an interface's name or index; 0: no such one. */
static uint32_t zone_index(const char *zone)
{
    char *end;
    unsigned index = if_nametoindex(zone);
    if (index != 0)
        return index;
    unsigned long number = strtoul(zone, &end, 10);
    return *zone >= '0' && *zone <= '9' && *end == '\0' && number <= UINT32_MAX ? (uint32_t)number
                                                                                : 0;
}

static bool parse_v6(const char *host, struct in6_addr *addr, uint32_t *zone)
{
    char text[INET6_ADDRSTRLEN];
    size_t len = strcspn(host, "%");
    if (len >= sizeof text)
        return false;
    memcpy(text, host, len);
    text[len] = '\0';
    *zone = 0;
    if (inet_pton(AF_INET6, text, addr) != 1)
        return false;
    if (host[len] == '%')
        *zone = zone_index(host + len + 1);
    return host[len] == '\0' || *zone != 0;
}

int awi_addr_parse(const char *host, uint16_t port, unsigned index, struct awi_addr *out)
{
    struct in_addr v4;
    struct in6_addr v6;
    uint32_t zone;
    if (strcasecmp(host, "localhost") == 0) {
        if (index == 0)
            set_v4(out, (struct in_addr){.s_addr = htonl(INADDR_LOOPBACK)}, port);
        else if (index == 1)
            set_v6(out, in6addr_loopback, 0, port);
        return index <= 1 ? 0 : -ENOENT;
    }
    if (inet_pton(AF_INET, host, &v4) == 1)
        set_v4(out, v4, port);
    else if (parse_v6(host, &v6, &zone))
        set_v6(out, v6, zone, port);
    else
        return -EINVAL;
    return index == 0 ? 0 : -ENOENT;
}

int awi_addr_any(uint16_t port, unsigned index, struct awi_addr *out)
{
    if (index == 0)
        set_v6(out, in6addr_any, 0, port);
    else if (index == 1)
        set_v4(out, (struct in_addr){.s_addr = htonl(INADDR_ANY)}, port);
    return index <= 1 ? 0 : -ENOENT;
}
