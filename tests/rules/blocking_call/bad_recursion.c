/* SPDX-License-Identifier: MIT */
/* A tree is walked by recursion, through two functions that call each other. */
#include "../loops.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

static int walk_dir(const char *path, int depth);

static int visit(const char *dir, const char *name, int depth)
{
    char p[512];
    snprintf(p, sizeof p, "%s/%s", dir, name);
    return walk_dir(p, depth + 1);
}

static int walk_dir(const char *path, int depth)
{
    DIR *d = depth > 8 ? NULL : opendir(path); /* LEAF */
    struct dirent *e;
    int n = 0;
    while (d && (e = readdir(d)) != NULL) {
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            n += visit(path, e->d_name, depth);
        n++;
    }
    if (d)
        closedir(d);
    return n;
}

static gboolean rescan(gpointer data)
{
    return walk_dir(data, 0) > 0; // EXPECT: awaitc-blocking-call
}

void scan_start(char *path)
{
    g_timeout_add_seconds(60, rescan, path);
}
