/* As bad_inside_value.c, of what stays. */
#include <awaitc.h>
#include <stdio.h>

struct msg {
    const char *text;
    char own[96];
    unsigned prio;
};
async void journal(struct msg m);

async int quit(int fd, int why)
{
    struct msg m = {.prio = 5};
    m.text = "left";
    snprintf(m.own, sizeof m.own, "left: %d", why);
    spawn(journal(m));
    return (int)await aw_write(fd, "bye\n", 4);
}

async int waited(int fd)
{
    char line[96] = "x";
    struct msg m = {.text = line};
    int r = 0;
    await aw_all(r = aw_write(fd, "bye\n", 4), journal(m));
    return r;
}
