/* SPDX-License-Identifier: MIT */
/* Loops over both sides of an area, and over data in pieces that each take long. */
#include <awaitc.h>
#include <stddef.h>
#include <stdint.h>

#include "../loops.h"

struct image {
    uint32_t height, width;
    uint8_t *pixels;
};
int compress_block(void *z, const void *in, size_t size);
async int answer(int fd, uint32_t value);

static gboolean on_frame(gpointer data)
{
    struct image *im = data;
    uint32_t count[256] = {0};
    for (uint32_t y = 0; y < im->height; y++) // EXPECT: awaitc-cpu-heavy-loop
        for (uint32_t x = 0; x < im->width; x++)
            count[im->pixels[y * im->width + x]]++;
    return count[0] != 0;
}

async int pack(int fd, void *z, const char *data, size_t size)
{
    size_t off = 0;
    while (off < size) { // EXPECT: awaitc-cpu-heavy-loop
        size_t n = size - off < 65536 ? size - off : 65536;
        if (compress_block(z, data + off, n) < 0)
            return -1;
        off += n;
    }
    return await answer(fd, 0);
}

void set_up(struct image *im)
{
    g_timeout_add(40, on_frame, im);
}
