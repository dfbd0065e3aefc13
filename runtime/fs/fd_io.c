/* SPDX-License-Identifier: MIT */
/*
 * aw_read, aw_write, aw_write_all and aw_close: any kind of descriptor. The work is io_leaf.h's.
 */
#include "runtime/leaf/io_leaf.h"
#include "runtime/reactor/reactor.h"
#include "runtime/task/leaf_need.h"

AWI_LEAF_FITS(struct awi_io_leaf, aw_read);
AWI_LEAF_FITS(struct awi_io_leaf, aw_write);
AWI_LEAF_FITS(struct awi_io_leaf, aw_write_all);

static const aw_site read_site = AWI_LEAF_SITE("aw_read", awi_io_leaf_resume, AW_SITE_CLEAN);
static const aw_site write_site = AWI_LEAF_SITE("aw_write", awi_io_leaf_resume, AW_SITE_CLEAN);
static const aw_site write_all_site =
    AWI_LEAF_SITE("aw_write_all", awi_io_leaf_resume, AW_SITE_CLEAN);

ssize_t awi_leaf_read(aw_cx *c, void *fp, int fd, void *buf, size_t len) AWI_LEAF(aw_read);
ssize_t awi_leaf_write(aw_cx *c, void *fp, int fd, const void *buf, size_t len) AWI_LEAF(aw_write);
ssize_t awi_leaf_write_all(aw_cx *c, void *fp, int fd, const void *buf, size_t len)
    AWI_LEAF(aw_write_all);

ssize_t awi_leaf_read(aw_cx *c, void *fp, int fd, void *buf, size_t len)
{
    return awi_io_leaf_run(
        c, fp,
        &(struct awi_io_args){
            .kind = AWI_LEAF_READ, .fd = fd, .buf = buf, .len = len, .site = &read_site});
}

/* The engine's buffer is not const; writes leave it alone. */
static ssize_t write_from(aw_cx *c, void *fp, struct awi_io_args args, const void *buf)
{
    args.buf = (void *)(uintptr_t)buf;
    return awi_io_leaf_run(c, fp, &args);
}

ssize_t awi_leaf_write(aw_cx *c, void *fp, int fd, const void *buf, size_t len)
{
    struct awi_io_args args = {.kind = AWI_LEAF_WRITE, .fd = fd, .len = len, .site = &write_site};
    return write_from(c, fp, args, buf);
}

ssize_t awi_leaf_write_all(aw_cx *c, void *fp, int fd, const void *buf, size_t len)
{
    struct awi_io_args args = {
        .kind = AWI_LEAF_WRITE_ALL, .fd = fd, .len = len, .site = &write_all_site};
    return write_from(c, fp, args, buf);
}

AWI_PUBLIC int aw_close(int fd)
{
    return awi_reactor_close_fd(fd);
}
