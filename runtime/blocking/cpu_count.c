/* SPDX-License-Identifier: MIT */
/*
 * How many CPUs may this process use? The affinity mask (sched_setaffinity(2), taskset) says how
 * many there are; a quota of the control group (cgroups(7), version 2: cpu.max of the group and of
 * those above it) says how many of them may be busy at a time, rounded up.
 */
#include "runtime/blocking/blocking_pool.h"

#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CPUS = 1 << 16, PATH_BYTES = 512 };

/* CPUs in the affinity mask; 0: not known. */
static unsigned affinity_count(void)
{
    /* The call fails with EINVAL while the set is smaller than the kernel's. */
    for (size_t cpus = CPU_SETSIZE; cpus <= MAX_CPUS; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        size_t bytes = CPU_ALLOC_SIZE(cpus);
        if (set == NULL)
            return 0;
        int rc = sched_getaffinity(0, bytes, set);
        int count = rc == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (rc == 0)
            return (unsigned)count;
    }
    return 0;
}

/* Reads a small file as text; false: there is none. */
static bool read_text(const char *path, char *buf, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, buf, size - 1);
    close(fd);
    buf[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* The quota in the file: CPUs, rounded up; 0: none. */
static unsigned quota_of(const char *path)
{
    char text[64];
    unsigned long quota_us, period_us;
    if (!read_text(path, text, sizeof text) ||
        sscanf(text, "%lu %lu", &quota_us, &period_us) != 2 || period_us == 0 ||
        quota_us / period_us >= MAX_CPUS) /* "max 100000": no quota */
        return 0;
    return (unsigned)((quota_us + period_us - 1) / period_us);
}

/* The lowest quota of our group and those above it; 0: none. */
static unsigned quota_count(void)
{
    char text[PATH_BYTES], path[PATH_BYTES + 64];
    unsigned least = 0;
    if (!read_text("/proc/self/cgroup", text, sizeof text))
        return 0;
    char *group = strstr(text, "0::/");
    if (group == NULL)
        return 0;
    group += 3;
    group[strcspn(group, "\n")] = '\0';
    for (;;) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        unsigned quota = quota_of(path);
        if (quota != 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

unsigned awi_cpu_count(void)
{
    unsigned cpus = affinity_count(), quota = quota_count();
    if (quota != 0 && (cpus == 0 || quota < cpus))
        cpus = quota;
    return cpus != 0 ? cpus : 1;
}
