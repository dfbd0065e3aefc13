#include <awaitc.h>

struct include { char path[128]; int level; };
async int next_include(int fd, struct include *inc);
async int open_config(const char *path);

enum { MAX_NESTED = 8 };
async int load_config(struct include *from)
{
    struct include inc = { .level = from->level + 1 };
    int fd = await open_config(from->path);

    if (from->level > MAX_NESTED) {
        aw_close(fd);
        return -1;
    }
    defer { aw_close(fd); }
    while (await next_include(fd, &inc) > 0) {
        if (await load_config(&inc) < 0)
            return -1;
    }
    return 0;
}
