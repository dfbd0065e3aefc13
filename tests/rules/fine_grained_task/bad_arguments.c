/* The call's arguments say how little is to be done. */
#include <awaitc.h>
#include <stdint.h>

static uint32_t crc_of(const unsigned char *p, size_t n)
{
    uint32_t c = 0xffffffffu;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

async int check_packet(int fd)
{
    unsigned char head[24];
    ssize_t n = await aw_read(fd, head, sizeof head);
    if (n < 24)
        return -1;
    return await aw_compute(crc_of(head, 20)) == 0 ? 0 : -1; // EXPECT: awaitc-fine-grained-task
}
