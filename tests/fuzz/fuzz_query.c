/* SPDX-License-Identifier: MIT */
/*
 * Do queries survive any bytes, as a source and as a rule? Findings must lie in the source. The
 * input is cut at the first NUL: before it a rule (none: the built-in ones), behind it a source.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/query/query_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static query_rules *load_text(arena *mem, const uint8_t *text, size_t len)
{
    static char path[] = "fuzz_query_rule_XXXXXX";
    static int fd = -1;
    if (fd < 0)
        fd = mkstemp(path);
    AWC_ASSERT(fd >= 0 && ftruncate(fd, 0) == 0);
    AWC_ASSERT(pwrite(fd, text, len, 0) == (ssize_t)len);
    const char *folder = path;
    struct query_options options = {.folders = &folder, .folder_count = 1};
    return query_rules_load(&options, diag_sink_new(mem));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static query_rules *built_in;
    arena *mem = arena_create();
    if (built_in == NULL)
        built_in = query_rules_load(&(struct query_options){.built_in = true}, diag_sink_new(mem));
    const uint8_t *nul = size > 0 ? memchr(data, '\0', size) : NULL;
    query_rules *rules = nul == NULL ? built_in : load_text(mem, data, (size_t)(nul - data));
    size_t start = nul == NULL ? 0 : (size_t)(nul - data) + 1;
    strview source = {(const char *)data + start, size - start};
    finding_list list = {.mem = mem};
    query_rules_run(rules, QUERY_FALLBACK, "fuzz.c", source, &list);
    for (size_t i = 0; i < list.all.count; i++) {
        const struct finding *f = list.all.at[i];
        AWC_ASSERT(f->place.line > 0 && f->place.column > 0);
        for (size_t k = 0; k < f->fixes.count; k++) {
            const struct finding_edit *edit = &f->fixes.at[k].edits.at[0];
            AWC_ASSERT(edit->begin <= edit->end && edit->end <= source.len);
        }
    }
    if (rules != built_in)
        query_rules_free(&rules);
    arena_destroy(&mem);
    return 0;
}
