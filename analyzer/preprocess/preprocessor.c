/* SPDX-License-Identifier: MIT */
/*
 * The order of work: what the compiler defines is taken in once; a run sets these macros, prints
 * the compiler's own lines, and then all that the source's tokens become. What the run defined is
 * taken back at its end, so that the next one starts as this one did.
 */
#include "analyzer/preprocess/preprocessor.h"

#include <stdlib.h>

#include "analyzer/preprocess/pp_private.h"

static const struct {
    const char *name;
    enum pp_builtin builtin;
} own_names[] = {{"__FILE__", PP_FILE},
                 {"__LINE__", PP_LINE},
                 {"__COUNTER__", PP_COUNTER},
                 {"__DATE__", PP_HANDED_OVER},
                 {"__TIME__", PP_HANDED_OVER},
                 {"__TIMESTAMP__", PP_HANDED_OVER},
                 {"__BASE_FILE__", PP_HANDED_OVER},
                 {"__INCLUDE_LEVEL__", PP_HANDED_OVER}};

/* What a compiler may define without printing it. */
#define ASKED_NAMES(X)                                                                             \
    X("__has_attribute", PP_ASKED)                                                                 \
    X("__has_builtin", PP_ASKED)                                                                   \
    X("__has_c_attribute", PP_ASKED)                                                               \
    X("__has_cpp_attribute", PP_ASKED)                                                             \
    X("__has_declspec_attribute", PP_ASKED)                                                        \
    X("__has_extension", PP_ASKED)                                                                 \
    X("__has_feature", PP_ASKED)                                                                   \
    X("__has_include", PP_HAS_INCLUDE)                                                             \
    X("__has_include_next", PP_HAS_INCLUDE_NEXT)                                                   \
    X("__has_warning", PP_ASKED)                                                                   \
    X("__is_identifier", PP_ASKED)                                                                 \
    X("__has_constexpr_builtin", PP_HANDED_OVER)                                                   \
    X("__has_embed", PP_HANDED_OVER)                                                               \
    X("__building_module", PP_HANDED_OVER)                                                         \
    X("__FILE_NAME__", PP_HANDED_OVER)                                                             \
    X("__FLT_EVAL_METHOD__", PP_HANDED_OVER)

#define ASKED_NAME(name, builtin)    name,
#define ASKED_BUILTIN(name, builtin) builtin,
static const char *const asked_names[] = {ASKED_NAMES(ASKED_NAME) NULL};
static const enum pp_builtin asked_builtins[] = {ASKED_NAMES(ASKED_BUILTIN)};
#undef ASKED_NAME
#undef ASKED_BUILTIN

const char *const *preprocessor_asked_names(void)
{
    return asked_names;
}

/* ---- life ------------------------------------------------------------------------------------ */

preprocessor *preprocessor_create(void)
{
    static const struct {
        const char *name;
        enum pp_directive_kind kind;
    } directives[] = {
#define PP_DIRECTIVE(name) {#name, PP_DIRECTIVE_##name},
#include "analyzer/preprocess/pp_directives.def"
#undef PP_DIRECTIVE
    };
    arena *mem = arena_create();
    preprocessor *pp = ARENA_NEW(mem, preprocessor);
    pp->mem = mem;
    pp->names.mem = mem;
    pp->texts = include_search_in(mem);
    pp->file_index = word_set_in(mem);
    pp->out = strbuf_in(mem);
    for (size_t i = 0; i < COUNTOF(directives); i++) {
        strview name = sv_from(directives[i].name);
        pp_names_find(&pp->names, name, pp_hash(name))->directive = (uint8_t)directives[i].kind;
    }
    return pp;
}

void preprocessor_destroy(preprocessor **p)
{
    if (*p == NULL)
        return;
    arena *mem = (*p)->mem;
    *p = NULL;
    arena_destroy(&mem);
}

size_t preprocessor_bytes(const preprocessor *p)
{
    return arena_used_bytes(p->mem);
}

/* ---- configurations -------------------------------------------------------------------------- */

/* Takes back what a run defined. */
static void reset_names(struct pp_run *r)
{
    for (size_t i = 0; i < r->changed.count; i++)
        r->changed.at[i]->macro = NULL;
    for (size_t i = 0; i < r->contexts.count; i++) {
        if (r->contexts.at[i].macro != NULL)
            r->contexts.at[i].macro->is_disabled = false;
    }
}

/* Some compilers print what others know without printing it. */
static void define_builtin(struct pp_run *r, const char *name, enum pp_builtin builtin)
{
    struct pp_macro *m = pp_macro_builtin(r->pp, name, builtin);
    if (m->name->macro == NULL)
        pp_macro_set(r, m->name, m);
}

static void define_builtins(struct pp_run *r, const struct pp_setup *setup)
{
    for (size_t i = 0; i < COUNTOF(own_names); i++)
        define_builtin(r, own_names[i].name, own_names[i].builtin);
    for (size_t i = 0; asked_names[i] != NULL; i++) {
        if (setup->is_asked_name[i])
            define_builtin(r, asked_names[i], asked_builtins[i]);
    }
}

/* The #define and #undef lines of the compiler. */
static void define_printed(struct pp_run *r, strview text)
{
    struct pp_file file = {0};
    pp_lex_file(&r->pp->names, r->mem, text, false, &file);
    for (size_t i = 0; i < file.directives.count && r->why == NULL; i++) {
        const struct pp_directive *d = &file.directives.at[i];
        const struct pp_token *at = file.tokens + d->operand, *end = file.tokens + d->end;
        bool is_undef = d->kind == PP_DIRECTIVE_undef && at < end && at->kind == PP_NAME;
        struct pp_macro *m = d->kind == PP_DIRECTIVE_define ? pp_macro_read(r, at, end) : NULL;
        if (m != NULL || is_undef)
            pp_macro_set(r, m != NULL ? m->name : at->name, m);
    }
}

static void keep_predefined(struct pp_run *r, pp_config *config)
{
    for (size_t i = 0; i < r->changed.count; i++) {
        struct pp_name *name = r->changed.at[i];
        if (name->macro == NULL)
            continue;
        VEC_PUSH(r->pp->mem, &config->predefined, (struct pp_definition){name, name->macro});
        name->macro = NULL;
    }
}

static struct pp_directory *copied_directories(arena *mem, const struct pp_setup *setup)
{
    struct pp_directory *copy = ARENA_ARRAY(mem, struct pp_directory, setup->directory_count + 1);
    for (unsigned i = 0; i < setup->directory_count; i++) {
        copy[i] = setup->directories[i];
        copy[i].path = arena_printf(mem, "%s", setup->directories[i].path);
    }
    return copy;
}

pp_config *preprocessor_configure(preprocessor *p, const struct pp_setup *setup)
{
    arena *scratch = arena_create(), *mem = p->mem;
    pp_config *config = ARENA_NEW(mem, pp_config);
    config->owner = p;
    config->setup = *setup;
    config->setup.working_directory = arena_printf(mem, "%s", setup->working_directory);
    config->setup.predefined.at = arena_strndup(mem, setup->predefined.at, setup->predefined.len);
    config->setup.directories = copied_directories(mem, setup);
    config->setup.is_asked_name = NULL;
    config->headers = word_set_in(mem);
    config->answers = word_set_in(mem);
    struct pp_run r = {.pp = p, .config = config, .mem = scratch};
    define_printed(&r, config->setup.predefined);
    define_builtins(&r, setup);
    keep_predefined(&r, config);
    reset_names(&r);
    arena_destroy(&scratch);
    return r.why == NULL ? config : NULL;
}

/* ---- a run ----------------------------------------------------------------------------------- */

const char *preprocessor_run(preprocessor *p, pp_config *config, arena *mem, const char *name,
                             strview text, strview *out)
{
    struct pp_run r = {.pp = p, .config = config, .mem = mem, .print = {.is_at_start = true}};
    struct pp_header own = {.path = name, .directory = -1};
    struct pp_file file = {0};
    p->out.len = 0;
    for (size_t i = 0; i < config->predefined.count; i++)
        config->predefined.at[i].name->macro = config->predefined.at[i].macro;
    strbuf_sv(&p->out, config->setup.predefined);
    pp_lex_file(&p->names, mem, (strview){arena_strndup(mem, text.at, text.len), text.len},
                config->setup.has_trigraphs, &file);
    pp_enter_file(&r, &own, &file, NULL);
    for (struct pp_token t = pp_next(&r); t.kind != PP_END; t = pp_next(&r))
        pp_print_token(&r, &t);
    pp_print_end_line(&r);
    reset_names(&r);
    for (size_t i = 0; i < config->predefined.count; i++)
        config->predefined.at[i].name->macro = NULL;
    *out = strbuf_view(&p->out);
    return r.why;
}
