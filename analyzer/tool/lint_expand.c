/* SPDX-License-Identifier: MIT */
/*
 * A set of flags is taken in once; sources of the same flags share it. What the preprocessor of
 * this process does not take goes to the compiler.
 */
#include "analyzer/tool/lint_expand.h"

#include <limits.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/tool/lint_probe.h"

enum { MOST_BYTES = 512 * 1024 * 1024 };

struct flag_set {
    const char *key;   /* working directory and command */
    pp_config *config; /* NULL: not understood */
};

struct lint_expand {
    arena *mem;
    preprocessor *pp;
    VEC(struct flag_set) sets;
    struct lint_probes probes;
    strview held; /* of the compiler's last run */
    preprocess run;
};

lint_expand *lint_expand_create(void)
{
    arena *mem = arena_create();
    lint_expand *e = ARENA_NEW(mem, lint_expand);
    e->mem = e->probes.mem = mem;
    e->pp = preprocessor_create();
    return e;
}

void lint_expand_destroy(lint_expand **e)
{
    if (*e == NULL)
        return;
    preprocess_release(&(*e)->run, (*e)->held);
    preprocessor_destroy(&(*e)->pp);
    arena *mem = (*e)->mem;
    *e = NULL;
    arena_destroy(&mem);
}

/* Starts anew when too much is kept. */
static void bound_memory(lint_expand *e)
{
    if (preprocessor_bytes(e->pp) < MOST_BYTES)
        return;
    preprocessor_destroy(&e->pp);
    e->pp = preprocessor_create();
    e->sets.count = 0;
}

/* ---- sets of flags --------------------------------------------------------------------------- */

static pp_config *configure(lint_expand *e, arena *mem, const struct lint_source *source,
                            const char *cwd)
{
    struct lint_probe *probe = lint_probe_of(&e->probes, mem, source->cmd, cwd, source->awaitc_dir);
    if (probe == NULL || !probe->is_understood)
        return NULL;
    strbuf predefined = strbuf_in(mem);
    strbuf_sv(&predefined, probe->predefined);
    strbuf_sv(&predefined, lint_probe_definitions(mem, source->cmd));
    struct pp_setup setup = {.working_directory = cwd,
                             .predefined = strbuf_view(&predefined),
                             .directories = probe->directories.at,
                             .directory_count = (unsigned)probe->directories.count,
                             .quote_count = probe->quote_count,
                             .has_trigraphs = source->cmd->trigraphs,
                             .shortens_paths = !probe->is_clang,
                             .is_asked_name = probe->is_asked_name,
                             .ask = lint_probe_ask,
                             .context = probe};
    return preprocessor_configure(e->pp, &setup);
}

static pp_config *config_of(lint_expand *e, arena *mem, const struct lint_source *source)
{
    char cwd[PATH_MAX];
    if (getcwd(cwd, sizeof cwd) == NULL)
        return NULL;
    const char *key = lint_probe_key(mem, source->cmd, cwd, source->awaitc_dir);
    for (size_t i = 0; i < e->sets.count; i++) {
        if (strcmp(e->sets.at[i].key, key) == 0)
            return e->sets.at[i].config;
    }
    struct flag_set set = {arena_printf(e->mem, "%s", key), configure(e, mem, source, cwd)};
    VEC_PUSH(e->mem, &e->sets, set);
    return set.config;
}

/* ---- one source ------------------------------------------------------------------------------ */

/* The source with its name in front, as the compiler reads it from a descriptor. */
static strview named_text(arena *mem, const struct lint_source *source)
{
    strbuf out = strbuf_in(mem);
    strbuf_str(&out, "#line 1 \"");
    for (const char *c = lint_source_name(source); *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            strbuf_char(&out, '\\');
        strbuf_char(&out, *c);
    }
    strbuf_str(&out, "\"\n");
    strbuf_sv(&out, source->text);
    return strbuf_view(&out);
}

static bool by_compiler(lint_expand *e, arena *mem, const struct lint_source *source,
                        struct lint_expanded *out)
{
    preprocess_release(&e->run, e->held);
    e->held = (strview){"", 0};
    e->run = lint_probe_run(mem, source->cmd, source->path, source->awaitc_dir);
    if (preprocess_run(&e->run, named_text(mem, source), &e->held)) {
        out->text = e->held;
        return true;
    }
    out->failed = e->run.started ? LINT_UNPARSED : LINT_BROKEN;
    out->message = e->run.errors.len != 0
                       ? arena_printf(mem, "%.*s", SV_ARG(e->run.errors))
                       : arena_printf(mem,
                                      "%s: error: its compiler, '%s', failed without a message "
                                      "[awaitc-input]\n",
                                      source->shown, source->cmd->compiler[0]);
    return false;
}

bool lint_expand_source(lint_expand *e, arena *mem, const struct lint_source *source,
                        struct lint_expanded *out)
{
    bound_memory(e);
    *out = (struct lint_expanded){.message = NULL};
    pp_config *config = config_of(e, mem, source);
    out->message = "the compiler's answers are not understood";
    if (config != NULL)
        out->message = preprocessor_run(e->pp, config, mem, lint_source_name(source), source->text,
                                        &out->text);
    return out->message == NULL || by_compiler(e, mem, source, out);
}
