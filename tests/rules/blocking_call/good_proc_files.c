/* SPDX-License-Identifier: MIT */
/* Files of /proc are made on the spot, and /dev/null swallows: neither waits for a disk. */
#include "../loops.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

char *g_strdup_printf(const char *format, ...);
void g_free(void *p);

struct load {
    int forwards;
    int pid;
    long pages;
    int null_fd;
};

static long resident(int pid)
{
    char path[64];
    long size = 0, rss = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return -1;
    if (fscanf(f, "%ld %ld", &size, &rss) != 2)
        rss = -1;
    fclose(f);
    return rss;
}

static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d != NULL && readdir(d) != NULL)
        n++;
    if (d != NULL)
        closedir(d);
    return n;
}

static int load_average(char *to, size_t size)
{
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    int n = fd < 0 ? -1 : (int)read(fd, to, size);
    if (fd >= 0)
        close(fd);
    return n;
}

static int first_number(const char *path)
{
    int n = 0;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return -1;
    if (fscanf(f, "%d", &n) != 1)
        n = -1;
    fclose(f);
    return n;
}

static int forwards(const char *link)
{
    char *path = g_strdup_printf("/proc/sys/net/ipv6/conf/%s/forwarding", link);
    int n = first_number(path);
    g_free(path);
    return n;
}

static gboolean on_sample(gpointer data)
{
    struct load *l = data;
    char line[80];
    l->pages = resident(l->pid) + open_files();
    l->forwards = forwards("eth0");
    if (load_average(line, sizeof line) > 0)
        l->null_fd = open("/dev/null", O_WRONLY);
    return TRUE;
}

void sample_every_second(struct load *l)
{
    g_timeout_add(1000, on_sample, l);
}
