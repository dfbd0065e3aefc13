/* SPDX-License-Identifier: MIT */
/*
 * Does the region finder survive any bytes? Its ranges must lie in the text, ascend, and be
 * disjoint in written text; tokens must make progress and cover no byte twice. The reader of
 * preprocessor output gets the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/cpp_output.h"
#include "analyzer/parse/raw_lex.h"
#include "analyzer/parse/regions.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tokens(strview text, bool trigraphs)
{
    struct raw_lexer x = raw_lexer_on(text, trigraphs);
    uint32_t end = 0;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        AWC_ASSERT(t.begin >= end && t.end > t.begin && t.end <= text.len);
        end = t.end;
    }
    AWC_ASSERT(raw_next(&x).kind == RAW_END);
}

static void check_regions(arena *mem, strview text, struct region_options options)
{
    struct region_list list = regions_find(mem, text, &options);
    for (uint32_t i = 0; i < list.count; i++) {
        AWC_ASSERT(list.at[i].begin < list.at[i].end && list.at[i].end <= text.len);
        AWC_ASSERT(i == 0 || list.at[i - 1].end <= list.at[i].begin);
    }
}

static void check_output(arena *mem, strview text)
{
    struct cpp_output *out = cpp_output_read(mem, text, 3);
    for (uint32_t k = 0; k < 3; k++)
        AWC_ASSERT(!out->fences[k].ended || out->fences[k].begin <= out->fences[k].end);
    AWC_ASSERT(cpp_output_place(out, (uint32_t)text.len).file != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *mem = arena_create();
    strview text = {arena_strndup(mem, (const char *)data, size), size};
    check_tokens(text, false);
    check_tokens(text, true);
    for (int mode = 0; mode < 8; mode++) {
        struct region_options options = {.words =
                                             mode & 1 ? REGION_WORDS_MARKERS : REGION_WORDS_SOURCE,
                                         .trigraphs = (mode & 2) != 0,
                                         .every_declaration = (mode & 4) != 0};
        check_regions(mem, text, options);
    }
    regions_mention(mem, text, NULL);
    check_output(mem, text);
    arena_destroy(&mem);
    return 0;
}
