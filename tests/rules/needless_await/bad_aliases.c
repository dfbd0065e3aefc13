#include <awaitc.h>

struct req {
    int id;
};
async int fetch(int id, char *out);
async void notify(struct req *r);
async ssize_t pull(int fd, void *buf, size_t len);
async int handle(struct req *r, int flags);
async const char *name_of(int id);
async int nothing_given(void);

async int get(int id, char *out)
{
    return await fetch(id, out); // EXPECT: awaitc-needless-await
}

async void tell(struct req *r)
{
    await notify(r); // EXPECT: awaitc-needless-await
}

/* A leaf. */
static async ssize_t my_read(int fd, void *buf, size_t len)
{
    return await aw_read(fd, buf, len); // EXPECT: awaitc-needless-await
}

async int process(struct req *r, int flags)
{
    return (await handle(r, flags)); // EXPECT: awaitc-needless-await
}

async const char *title(int id)
{
    return await name_of(id); // EXPECT: awaitc-needless-await
}

async int run(void)
{
    return await nothing_given(); // EXPECT: awaitc-needless-await
}

async ssize_t use(int fd, void *buf, size_t len)
{
    ssize_t n = await my_read(fd, buf, len);

    return n < 0 ? n : await pull(fd, buf, len);
}
