/* As bad_arguments.c, of an image. */
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

async int check_image(const unsigned char *image, size_t n)
{
    return await aw_compute(crc_of(image, n)) == 0 ? 0 : -1;
}

async int check_page(const unsigned char *page)
{
    return await aw_compute(crc_of(page, 4096)) == 0 ? 0 : -1;
}
