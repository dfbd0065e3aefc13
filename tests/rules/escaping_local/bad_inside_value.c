/* The address goes out in a struct that is given by value. */
#include <awaitc.h>
#include <stdio.h>

struct msg {
    const char *text;
    unsigned prio;
};
async void journal(struct msg m);

async int quit(int fd, int why)
{
    char line[96];
    struct msg m = {.prio = 5};
    snprintf(line, sizeof line, "left: %d", why);
    m.text = line;
    spawn(journal(m)); // EXPECT: awaitc-escaping-local
    return (int)await aw_write(fd, "bye\n", 4);
}

async int listed(int fd)
{
    char line[96] = "x";
    struct msg m = {line, 3};
    spawn(journal(m)); // EXPECT: awaitc-escaping-local
    return (int)await aw_write(fd, "bye\n", 4);
}
