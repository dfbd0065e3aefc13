/* SPDX-License-Identifier: MIT */
/*
 * Does the whole lowering survive any text? The input is a function body, or anything else; it is
 * put behind declarations of a few async functions and goes through expansion (with a stand-in for
 * the preprocessor that only turns keywords into their marks), both parsers, the checks, the passes
 * and the emitters. Text or errors must come out, never a crash.
 */
#include <stdint.h>
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/parse/expand.h"
#include "transforms/lower.h"

static const char declarations[] =
    "typedef struct aw_task aw_task; typedef struct aw_runtime aw_runtime;\n"
    "typedef struct aw_scope { void *aw_impl[8]; } aw_scope;\n"
    "typedef struct pair { int a, b; char name[8]; } pair;\n"
    "async int leaf(int); async void tick(void); async pair make(int, int); int plain(int);\n"
    "typedef async int (*handler)(int); extern handler table[4]; extern int global;\n";

static const struct word {
    const char *keyword, *mark;
} words[] = {
    {"async", "__awaitc_async__"},
    {"await", "__awaitc_await__"},
    {"spawn", "__awaitc_spawn__"},
    {"defer", "__awaitc_defer__"},
    {"aw_all", "__awaitc_all__"},
    {"aw_try_all", "__awaitc_try_all__"},
    {"aw_race", "__awaitc_race__"},
    {"aw_timeout", "__awaitc_timeout__"},
    {"aw_blocking", "__awaitc_blocking__"},
    {"aw_block_on", "__awaitc_block_on__"},
    {"aw_scope_spawn", "__awaitc_scope_spawn__"},
};

static int is_word(int c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

struct context {
    arena *mem;
};

static void copy_word(strbuf *out, const char *at, size_t len)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].keyword) == len && memcmp(words[i].keyword, at, len) == 0) {
            strbuf_str(out, words[i].mark);
            return;
        }
    }
    strbuf_add(out, at, len);
}

/* _Pragma("awaitc ...") becomes a #pragma line, as the preprocessors write it. */
static size_t copy_pragma(strbuf *out, strview text, size_t at)
{
    const char *quote = memchr(text.at + at, '"', text.len - at);
    const char *end =
        quote == NULL ? NULL : memchr(quote + 1, '"', (size_t)(text.at + text.len - quote - 1));
    if (end == NULL || end + 1 >= text.at + text.len || end[1] != ')')
        return 0;
    strbuf_str(out, "\n#pragma ");
    strbuf_add(out, quote + 1, (size_t)(end - quote - 1));
    strbuf_str(out, "\n");
    return (size_t)(end + 2 - (text.at + at));
}

static bool stand_in(void *context, strview text, strview *output)
{
    struct context *c = context;
    strbuf out = strbuf_in(c->mem);
    for (size_t i = 0; i < text.len;) {
        size_t used = 0;
        if (!is_word((unsigned char)text.at[i])) {
            strbuf_char(&out, text.at[i++]);
            continue;
        }
        size_t end = i;
        while (end < text.len && is_word((unsigned char)text.at[end]))
            end++;
        if (end - i == 7 && memcmp(text.at + i, "_Pragma", 7) == 0)
            used = copy_pragma(&out, text, i);
        if (used == 0) {
            copy_word(&out, text.at + i, end - i);
            used = end - i;
        }
        i += used;
    }
    *output = strbuf_view(&out);
    return true;
}

static enum header_owner owner(void *context, const char *path)
{
    (void)context;
    (void)path;
    return HEADER_PLAIN;
}

static const char *const clang_args[] = {
    "-std=gnu17",
    "-D__awaitc_async__=__attribute__((annotate(\"awaitc::async\")))",
    "-Dasync=__awaitc_async__",
    "-D__awaitc_await__=__extension__",
    "-D__awaitc_spawn__(c)=((aw_task*)((void)(c),(void*)0))",
    "-D__awaitc_defer__=if(1)",
    "-D__awaitc_all__(...)=((void)(__VA_ARGS__))",
    "-D__awaitc_try_all__(...)=((void)(__VA_ARGS__),(int)0)",
    "-D__awaitc_race__(...)=((void)(__VA_ARGS__),(int)0)",
    "-D__awaitc_timeout__(m,c)=((void)((m)+0),(void)(c),(int)0)",
    "-D__awaitc_blocking__(c)=(c)",
    "-D__awaitc_block_on__(c)=(c)",
    "-D__awaitc_scope_spawn__(s,c)=((void)(aw_scope*){(s)},(void)(c),(int)0)",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct context c = {arena_create()};
    strbuf source = strbuf_in(c.mem);
    strbuf_str(&source, declarations);
    bool is_body = size > 0 && data[0] != 'F';
    if (is_body)
        strbuf_str(&source, "async int f(int n, pair p) {\n");
    strbuf_add(&source, (const char *)data + (is_body || size == 0 ? 0 : 1),
               size - (is_body || size == 0 ? 0 : 1));
    if (is_body)
        strbuf_str(&source, "\nreturn n; }\n");
    diag_sink *sink = diag_sink_new(c.mem);
    struct expand_request request = {.path = "fuzz.c",
                                     .source = strbuf_view(&source),
                                     .line_directives = true,
                                     .context = &c,
                                     .preprocess = stand_in,
                                     .owner = owner};
    expanded unit;
    if (expand_unit(c.mem, &request, sink, &unit) == EXPAND_DONE) {
        struct lower_options options = {.clang_args = clang_args,
                                        .clang_arg_count = sizeof clang_args / sizeof *clang_args,
                                        .share_slots = true,
                                        .line_directives = true};
        struct lowered lowered = {0};
        if (lower_unit(c.mem, &unit, &options, sink, &lowered))
            expand_splice(&unit, c.mem, lowered.prelude, lowered.texts);
    }
    arena_destroy(&c.mem);
    return 0;
}
