/* SPDX-License-Identifier: MIT */
/*
 * One byte a descriptor number: its kind, and whether the runtime owns it. Numbers beyond the table
 * are never remembered: each look is an fstat. The table costs the pages that are touched. All
 * accesses are relaxed: a byte says something about the descriptor, not about other memory.
 */
#include "runtime/reactor/fd_kind.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum { TABLE_SIZE = 1 << 20, OWNED = 0x80 };

static _Atomic uint8_t table[TABLE_SIZE];

static _Atomic uint8_t *byte_of(int fd)
{
    return fd >= 0 && fd < TABLE_SIZE ? &table[fd] : NULL;
}

static enum awi_fd_kind kind_of_mode(mode_t mode)
{
    if (S_ISSOCK(mode))
        return AWI_FD_SOCKET;
    if (S_ISREG(mode) || S_ISDIR(mode) || S_ISBLK(mode))
        return AWI_FD_FILE;
    return AWI_FD_STREAM; /* pipes, character devices, and what has no type: eventfd and the like */
}

int awi_fd_kind_get(int fd)
{
    _Atomic uint8_t *byte = byte_of(fd);
    uint8_t known = byte != NULL ? atomic_load_explicit(byte, memory_order_relaxed) : 0;
    if ((known & ~OWNED) != AWI_FD_UNKNOWN)
        return known & ~OWNED;
    struct stat st;
    if (fstat(fd, &st) != 0)
        return -errno;
    enum awi_fd_kind kind = kind_of_mode(st.st_mode);
    if (kind != AWI_FD_FILE) /* with a wrong hint of this kind, a call could block for ever */
        awi_fd_kind_set(fd, kind);
    return (int)kind;
}

void awi_fd_kind_set(int fd, enum awi_fd_kind kind)
{
    _Atomic uint8_t *byte = byte_of(fd);
    if (byte == NULL)
        return;
    uint8_t old = atomic_load_explicit(byte, memory_order_relaxed);
    if (!(old & OWNED)) /* an owned one is a socket, and stays one */
        atomic_store_explicit(byte, (uint8_t)kind, memory_order_relaxed);
}

void awi_fd_own(int fd)
{
    _Atomic uint8_t *byte = byte_of(fd);
    if (byte != NULL)
        atomic_store_explicit(byte, OWNED | AWI_FD_SOCKET, memory_order_relaxed);
}

bool awi_fd_owned(int fd)
{
    _Atomic uint8_t *byte = byte_of(fd);
    return byte != NULL && (atomic_load_explicit(byte, memory_order_relaxed) & OWNED);
}

void awi_fd_clear(int fd)
{
    _Atomic uint8_t *byte = byte_of(fd);
    if (byte != NULL)
        atomic_store_explicit(byte, AWI_FD_UNKNOWN, memory_order_relaxed);
}
