/* SPDX-License-Identifier: MIT */
/*
 * Does any text break what reads users' files for a report: NOLINT comments, their written form,
 * configurations, baselines, and quoted source lines? What suppress_write() wrote must be read
 * back.
 */
#include <stdint.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/config/lint_config.h"
#include "analyzer/diag/snippet.h"
#include "analyzer/report/baseline.h"
#include "analyzer/report/suppress.h"

static void check_suppressions(arena *mem, strview text)
{
    suppressions *collected = suppress_new(mem), *read = suppress_new(mem);
    strbuf written = strbuf_in(mem), again = strbuf_in(mem);
    suppress_collect(collected, "a.c", text);
    suppress_matches(collected, "a.c", 1, "awaitc-blocking-call");
    suppress_write(collected, "a.c", &written);
    for (const char *line = strbuf_text(&written); *line != '\0'; line = strchr(line, '\n') + 1)
        AWC_ASSERT(
            suppress_read_line(read, "a.c", (strview){line, (size_t)(strchr(line, '\n') - line)}));
    suppress_write(read, "a.c", &again);
    AWC_ASSERT(sv_equal(strbuf_view(&written), strbuf_view(&again)));
    suppress_read_line(read, "a.c", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    arena *mem = arena_create();
    strview text = {(const char *)bytes, size};
    FILE *to = fopen("/dev/null", "w");
    struct snippet s = {text, 1, size > 0 ? bytes[0] : 0, size > 1 ? bytes[1] : 0};
    snippet_print(to, &s, true);
    check_suppressions(mem, text);
    lint_config_parse(mem, "c.yaml", text, diag_sink_new(mem));
    baseline_parse(mem, "b.json", text, diag_sink_new(mem));
    fclose(to);
    arena_destroy(&mem);
    return 0;
}
