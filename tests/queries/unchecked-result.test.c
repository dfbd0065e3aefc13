#include <awaitc.h>

async void f(int fd, char *b)
{
    await aw_write_all(fd, b, 3); // EXPECT: awaitc-unchecked-result
    (void)await aw_write_all(fd, b, 3);
    ssize_t n = await aw_read(fd, b, 3);
    if (await aw_write(fd, b, (size_t)n) < 0)
        return;
    await aw_yield();
    await aw_sleep_ms(3);
    await aw_timeout(5, n = aw_read(fd, b, 3)); // EXPECT: awaitc-unchecked-result
    await aw_all(g(1), g(2));
}
