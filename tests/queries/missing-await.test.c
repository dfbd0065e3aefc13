#include <awaitc.h>

async void f(int fd, char *b)
{
    aw_sleep_ms(5); // EXPECT: awaitc-missing-await
    await aw_sleep_ms(5);
    spawn(aw_sleep_ms(5));
    int rc = await aw_timeout(5, aw_read(fd, b, 3));
    aw_timeout(5, rc = aw_read(fd, b, 3)); // EXPECT: awaitc-missing-await
    aw_close(fd);
}
