/* SPDX-License-Identifier: MIT */
#include <netdb.h>
#include <string.h>
int far_resolve(const char *host, unsigned *out);

static int by_name(const char *host, unsigned *out)
{
    struct hostent *h = gethostbyname(host); /* LEAF */
    if (!h)
        return -1;
    memcpy(out, h->h_addr_list[0], 4);
    return 0;
}

int far_resolve(const char *host, unsigned *out)
{
    return by_name(host, out);
}
