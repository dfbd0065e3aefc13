/* SPDX-License-Identifier: MIT */
/* A button sets the backlight: the driver may take a second in the write. */
#include "../loops.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int set_brightness(int value)
{
    char b[16];
    int n = snprintf(b, sizeof b, "%d", value);
    int fd = open("/sys/class/backlight/acpi/brightness", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    n = (int)write(fd, b, (size_t)n); /* LEAF */
    close(fd);
    return n;
}

static int on_key(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    (void)s;
    (void)fd;
    (void)revents;
    set_brightness(*(int *)arg); // EXPECT: awaitc-blocking-call
    return 0;
}

int keys_start(sd_event *e, int fd, int *value)
{
    return sd_event_add_io(e, NULL, fd, 1, on_key, value);
}
