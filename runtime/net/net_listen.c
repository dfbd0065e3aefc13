/* SPDX-License-Identifier: MIT */
/*
 * aw_tcp_listen and aw_accept. A host of two addresses (every address, localhost) is tried in
 * order; the first that can be listened on is taken.
 */
#include <awaitc/plain.h>
#include <errno.h>
#include <unistd.h>

#include "runtime/leaf/io_leaf.h"
#include "runtime/net/net_addr.h"
#include "runtime/task/leaf_need.h"

static int configure(int fd, int family)
{
    int on = 1, off = 0;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0)
        return -errno;
    if (family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0)
        return -errno;
    return 0;
}

static int listen_on(const struct awi_addr *addr, int backlog)
{
    int family = addr->u.any.sa_family;
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    int rc = configure(fd, family);
    if (rc == 0 && (bind(fd, &addr->u.any, addr->len) != 0 || listen(fd, backlog) != 0))
        rc = -errno;
    if (rc != 0) {
        close(fd);
        return rc;
    }
    awi_reactor_adopt(fd);
    return fd;
}

AWI_PUBLIC int aw_tcp_listen(const char *host, uint16_t port, int backlog)
{
    int fd = -EINVAL;
    for (unsigned index = 0;; index++) {
        struct awi_addr addr;
        int rc = host != NULL ? awi_addr_parse(host, port, index, &addr)
                              : awi_addr_any(port, index, &addr);
        if (rc != 0)
            return index == 0 ? rc : fd; /* why the last address would not do */
        fd = listen_on(&addr, backlog);
        if (fd >= 0 || fd == -EMFILE || fd == -ENFILE || fd == -EADDRINUSE)
            return fd;
    }
}

AWI_LEAF_FITS(struct awi_io_leaf, aw_accept);

static const aw_site accept_site = AWI_LEAF_SITE("aw_accept", awi_io_leaf_resume, AW_SITE_CLEAN);

int awi_leaf_accept(aw_cx *c, void *fp, int listener) AWI_LEAF(aw_accept);

int awi_leaf_accept(aw_cx *c, void *fp, int listener)
{
    struct awi_io_args args = {.kind = AWI_LEAF_ACCEPT, .fd = listener, .site = &accept_site};
    return (int)awi_io_leaf_run(c, fp, &args);
}
