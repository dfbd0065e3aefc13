/* SPDX-License-Identifier: MIT */
/*
 * Entries are written beside their final name and renamed, so that several runs may share a folder.
 */
#include "analyzer/tool/lint_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/tool/process.h"

uint64_t lint_cache_hash(uint64_t hash, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    if (hash == 0)
        hash = 14695981039346656037U; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ at[i]) * 1099511628211U;
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return lint_cache_hash(hash, text, strlen(text) + 1);
}

static const char *entry_path(arena *mem, const struct lint_cache *cache,
                              const struct lint_file *file)
{
    uint64_t hash = hash_text(cache->settings, file->shown);
    hash = hash_text(hash, file->directory != NULL ? file->directory : ".");
    hash = hash_text(hash, file->path);
    for (uint32_t i = 0; i < file->cmd->compiler_count; i++)
        hash = hash_text(hash, file->cmd->compiler[i]);
    for (size_t i = 0; i < file->cmd->args.count; i++) {
        hash = hash_text(hash, file->cmd->args.at[i].text);
        if (file->cmd->args.at[i].separate != NULL)
            hash = hash_text(hash, file->cmd->args.at[i].separate);
    }
    return arena_printf(mem, "%s/%016llx.facts", cache->dir, (unsigned long long)hash);
}

static bool stamp_of(const char *path, long long *bytes, long long *time_ns)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return false;
    *bytes = (long long)st.st_size;
    *time_ns = (long long)st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
    return true;
}

const char *lint_cache_tool_stamp(arena *mem)
{
    long long bytes = 0, time_ns = 0;
    stamp_of("/proc/self/exe", &bytes, &time_ns);
    return arena_printf(mem, "%lld %lld", bytes, time_ns);
}

/* Reads a `cache` line and compares; false if the file is not what it was. */
static bool is_unchanged(arena *mem, strview line)
{
    const char *name = line.at + strlen("cache\t");
    const char *tab = memchr(name, '\t', line.len - strlen("cache\t"));
    long long bytes, time_ns, now_bytes, now_time;
    if (tab == NULL || sscanf(tab, "\t%lld\t%lld", &bytes, &time_ns) != 2)
        return false;
    const char *path = arena_strndup(mem, name, (size_t)(tab - name));
    return stamp_of(path, &now_bytes, &now_time) && bytes == now_bytes && time_ns == now_time;
}

strview lint_cache_find(arena *mem, const struct lint_cache *cache, const struct lint_file *file)
{
    const strview none = {NULL, 0};
    int fd = open(entry_path(mem, cache, file), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return none;
    strview text = process_read_all(mem, fd);
    close(fd);
    while (text.at != NULL && sv_starts(text, "cache\t")) {
        const char *end = memchr(text.at, '\n', text.len);
        if (end == NULL || !is_unchanged(mem, (strview){text.at, (size_t)(end - text.at)}))
            return none;
        text.len -= (size_t)(end + 1 - text.at);
        text.at = end + 1;
    }
    /* Whole, also after a full disk or a crash of the machine. */
    bool is_whole =
        text.at != NULL && sv_starts(text, "awaitc-facts\t") && sv_ends(text, "\nend\n");
    return is_whole ? text : none;
}

void lint_cache_keep(arena *mem, const struct lint_cache *cache, const struct lint_file *file,
                     const char *const *depends, size_t depend_count, strview facts)
{
    strbuf out = strbuf_in(mem);
    long long bytes, time_ns;
    for (size_t i = 0; i < depend_count; i++) {
        if (!stamp_of(depends[i], &bytes, &time_ns))
            return; /* standard input, or gone already */
        strbuf_fmt(&out, "cache\t%s\t%lld\t%lld\n", depends[i], bytes, time_ns);
    }
    strbuf_sv(&out, facts);
    if (mkdir(cache->dir, 0777) != 0 && errno != EEXIST)
        return;
    process_write_file(mem, entry_path(mem, cache, file), strbuf_view(&out));
}
