#include <awaitc.h>

struct page { unsigned char d[4096]; };
struct ram { struct page *page; uint64_t npages; unsigned char *dirty; };
int page_is_zero(const struct page *p);
async int send_page(int fd, uint64_t n, const struct page *p);

async int migrate(struct ram *r, int fd)
{
    for (uint64_t n = 0; n < r->npages; n++) {
        if (r->dirty[n] && await send_page(fd, n, &r->page[n]) < 0)
            return -1;
    }
    for (uint64_t n = 0; n < r->npages; n++) {
        r->dirty[n] = !page_is_zero(&r->page[n]);
        if (n % 1024 == 0)
            await aw_yield();
    }
    return 0;
}
