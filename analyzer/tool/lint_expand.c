/* SPDX-License-Identifier: MIT */
/*
 * What the compiler is asked, for each set of flags: one run over
 *
 *     #pragma awaitc predefined               what is printed before is what it defines
 *     #ifdef __has_attribute                  names that it knows without defining them
 *     #pragma awaitc defined 0
 *     #endif
 *
 * with -v, whose messages list the directories in which it looks. Questions that turn up in headers
 * are runs of their own, many in one.
 */
#include "analyzer/tool/lint_expand.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/preprocess/preprocessor.h"
#include "analyzer/tool/preprocess.h"

enum { MOST_BYTES = 512 * 1024 * 1024 };

/* A compiler with the flags that decide about attributes and built-in functions. */
struct language {
    const char *key;
    word_set index; /* question -> index into `answers` */
    VEC(long) answers;
};

struct flag_set {
    const char *key; /* working directory and command */
    struct language *language;
    pp_config *config; /* NULL: not understood */
    const compile_command *cmd;
    const char *awaitc_dir;
};

struct lint_expand {
    arena *mem;
    preprocessor *pp;
    VEC(struct flag_set *) sets;
    VEC(struct language *) languages;
    strview held; /* of the compiler's last run */
    preprocess run;
};

lint_expand *lint_expand_create(void)
{
    arena *mem = arena_create();
    lint_expand *e = ARENA_NEW(mem, lint_expand);
    e->mem = mem;
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

/* ---- questions to the compiler --------------------------------------------------------------- */

static preprocess run_for(arena *mem, const compile_command *cmd, const char *path,
                          const char *awaitc_dir)
{
    toolchain guess = toolchain_guess(mem, cmd);
    struct place_needs needs = {.names_base_file = false};
    preprocess run = preprocess_for(mem, cmd, path, needs, awaitc_dir, &guess);
    run.holds_errors = true;
    return run;
}

/* The line behind `mark` in what a run printed, or at NULL. */
static strview answer_line(strview output, const char *mark)
{
    const char *at = memmem(output.at, output.len, mark, strlen(mark));
    if (at == NULL)
        return (strview){NULL, 0};
    at += strlen(mark);
    return (strview){at, strcspn(at, "\n")};
}

/* Years that __has_c_attribute and its kin answer with. */
static const long values[] = {1,      2,      200809, 201309, 201603, 201803, 201904, 201907,
                              201910, 202002, 202003, 202106, 202110, 202207, 202311};

static void add_question(strbuf *text, const char *question, unsigned number)
{
    strbuf_fmt(text, "#if !(%s)\n#pragma awaitc value %u 0\n", question, number);
    for (size_t i = 0; i < COUNTOF(values); i++)
        strbuf_fmt(text, "#elif (%s) == %ld\n#pragma awaitc value %u %ld\n", question, values[i],
                   number, values[i]);
    strbuf_str(text, "#endif\n");
}

/* Asked with the first run, as a run of their own costs more than all of them. */
static const struct {
    const char *name, *text;
} asked_often[] = {
#define QUESTION(name, word) {#name, #name "(" #word ")"},
#include "analyzer/tool/asked_often.def"
#undef QUESTION
};

static void keep_answer(struct language *l, const char *question, strview output, unsigned number)
{
    arena *mem = l->index.mem;
    strview line = answer_line(output, arena_printf(mem, "#pragma awaitc value %u ", number));
    uint32_t before = l->index.count;
    struct word_entry *e = word_set_add(&l->index, sv_from(arena_printf(mem, "%s", question)));
    if (l->index.count == before)
        return;
    e->value = (uint32_t)l->answers.count;
    VEC_PUSH(mem, &l->answers, line.at != NULL ? strtol(line.at, NULL, 10) : -1);
}

/* What is known of the questions from other flags; the others into `open`. */
static unsigned known_answers(const struct flag_set *set, const char *const *questions,
                              unsigned count, long *answers, unsigned *open)
{
    unsigned open_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct word_entry *e = word_set_find(&set->language->index, sv_from(questions[i]));
        answers[i] = e != NULL ? set->language->answers.at[e->value] : -1;
        if (e == NULL)
            open[open_count++] = i;
    }
    return open_count;
}

static void ask(void *context, const char *const *questions, unsigned count, long *answers)
{
    struct flag_set *set = context;
    struct language *language = set->language;
    arena *mem = arena_create();
    unsigned *open = ARENA_ARRAY(mem, unsigned, count);
    unsigned open_count = known_answers(set, questions, count, answers, open);
    preprocess run = run_for(mem, set->cmd, "-", set->awaitc_dir);
    strbuf text = strbuf_in(mem);
    strview output = {"", 0};
    for (unsigned k = 0; k < open_count; k++)
        add_question(&text, questions[open[k]], k);
    bool is_answered = open_count != 0 && preprocess_run(&run, strbuf_view(&text), &output);
    for (unsigned k = 0; is_answered && k < open_count; k++) {
        keep_answer(language, questions[open[k]], output, k);
        answers[open[k]] = VEC_LAST(&language->answers);
    }
    preprocess_release(&run, output);
    arena_destroy(&mem);
}

static strview probe_text(arena *mem)
{
    strbuf text = strbuf_in(mem);
    strbuf_str(&text, "#pragma awaitc predefined\n");
    const char *const *names = preprocessor_asked_names();
    for (int i = 0; names[i] != NULL; i++)
        strbuf_fmt(&text, "#ifdef %s\n#pragma awaitc defined %d\n#endif\n", names[i], i);
    for (unsigned i = 0; i < COUNTOF(asked_often); i++) {
        strbuf_fmt(&text, "#ifdef %s\n", asked_often[i].name);
        add_question(&text, asked_often[i].text, i);
        strbuf_str(&text, "#endif\n");
    }
    return strbuf_view(&text);
}

/* ---- what it answers ------------------------------------------------------------------------- */

/* What is printed before the probe's own first line and the marker before it. */
static strview predefined_of(strview output)
{
    const char *end = memmem(output.at, output.len, "#pragma awaitc predefined", 25);
    if (end == NULL)
        return (strview){NULL, 0};
    for (const char *p = end; p > output.at;) {
        const char *line = p - 1;
        while (line > output.at && line[-1] != '\n')
            line--;
        bool is_own = line[0] == '\n' || line[0] == '#';
        bool is_marker = line[0] == '#' && line[1] == ' ';
        if (!is_own)
            break;
        if (is_marker)
            return (strview){output.at, (size_t)(line - output.at)};
        p = line;
    }
    return (strview){NULL, 0};
}

static bool is_user_directory(const compile_command *cmd, strview dir)
{
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (arg->id == FLAG_INCLUDE_DIR && arg->value != NULL && sv_is(dir, arg->value))
            return true;
    }
    const char *list = getenv("CPATH");
    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ":");
        if (sv_equal(dir, (strview){list, len}))
            return true;
        list += len + (list[len] == ':');
    }
    return false;
}

typedef VEC(struct pp_directory) directory_list;

/* The directories between two headings of -v. */
static bool read_directories(arena *mem, const compile_command *cmd, strview verbose,
                             directory_list *list, unsigned *quote_count)
{
    static const char quoted[] = "#include \"...\" search starts here:";
    static const char bracketed[] = "#include <...> search starts here:";
    const char *at = memmem(verbose.at, verbose.len, quoted, strlen(quoted));
    if (at == NULL)
        return false;
    bool is_quote = true;
    for (at += strcspn(at, "\n"); *at == '\n'; at += strcspn(at, "\n")) {
        strview line = {++at, strcspn(at, "\n")};
        if (sv_starts(line, "End of search list."))
            return !is_quote;
        if (sv_starts(line, bracketed)) {
            is_quote = false;
            *quote_count = (unsigned)list->count;
        } else if (sv_starts(line, " ") && !sv_ends(line, " (framework directory)")) {
            strview dir = {line.at + 1, line.len - 1};
            struct pp_directory d = {arena_strndup(mem, dir.at, dir.len),
                                     !is_quote && !is_user_directory(cmd, dir)};
            VEC_PUSH(mem, list, d);
        }
    }
    return false;
}

static const bool *asked_names(arena *mem, strview output)
{
    const char *const *names = preprocessor_asked_names();
    size_t count = 0;
    while (names[count] != NULL)
        count++;
    bool *is_asked = ARENA_ARRAY(mem, bool, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *mark = arena_printf(mem, "#pragma awaitc defined %zu\n", i);
        is_asked[i] = memmem(output.at, output.len, mark, strlen(mark)) != NULL;
    }
    return is_asked;
}

/* Asks the compiler; NULL if it does not answer as is expected. */
static pp_config *configure(lint_expand *e, arena *mem, struct flag_set *set, const char *cwd)
{
    preprocess run = run_for(mem, set->cmd, "-", set->awaitc_dir);
    strview output = {"", 0};
    directory_list directories = {0};
    pp_config *config = NULL;
    struct pp_setup setup = {.working_directory = cwd, .ask = ask, .context = set};
    if (preprocess_run(&run, probe_text(mem), &output)) {
        setup.predefined = predefined_of(output);
        setup.has_trigraphs = set->cmd->trigraphs;
        setup.shortens_paths = !run.tc.is_clang;
        setup.is_asked_name = asked_names(mem, output);
        for (unsigned i = 0; i < COUNTOF(asked_often); i++)
            keep_answer(set->language, asked_often[i].text, output, i);
        bool has_list =
            read_directories(mem, set->cmd, run.verbose, &directories, &setup.quote_count);
        setup.directories = directories.at;
        setup.directory_count = (unsigned)directories.count;
        if (has_list && setup.predefined.at != NULL)
            config = preprocessor_configure(e->pp, &setup);
    }
    preprocess_release(&run, output);
    return config;
}

/* A copy of what `ask` needs later, when the source's memory is gone. */
static const compile_command *kept_command(arena *mem, const compile_command *cmd)
{
    VEC(char *) argv = {0};
    for (uint32_t i = 0; i < cmd->compiler_count; i++)
        VEC_PUSH(mem, &argv, arena_printf(mem, "%s", cmd->compiler[i]));
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (arg->use == USE_NEITHER || arg->id == FLAG_INPUT || arg->id == FLAG_DASHES)
            continue;
        VEC_PUSH(mem, &argv, arena_printf(mem, "%s", arg->text));
        if (arg->separate != NULL)
            VEC_PUSH(mem, &argv, arena_printf(mem, "%s", arg->separate));
    }
    VEC_PUSH(mem, &argv, NULL);
    const char *failure;
    return compile_command_read(mem, (int)argv.count - 1, argv.at, &failure);
}

/* The flags of a source, by which sources share what is known. */
static const char *key_of(arena *mem, const struct lint_source *source, const char *cwd)
{
    argument_list argv = {0};
    preprocess run = {.mem = mem, .cmd = source->cmd, .awaitc_dir = source->awaitc_dir};
    preprocess_command(&run, &argv);
    strbuf key = strbuf_in(mem);
    strbuf_str(&key, cwd);
    for (size_t i = 0; i < argv.count; i++) {
        strbuf_char(&key, '\n');
        strbuf_str(&key, argv.at[i]);
    }
    return strbuf_text(&key);
}

/* Flags of which no attribute and no built-in function depends. */
static bool is_for_names(const struct compile_arg *arg)
{
    static const char *const starts[] = {"-U", "-W", "-g", "-O"};
    for (size_t i = 0; i < COUNTOF(starts); i++) {
        if (strncmp(arg->text, starts[i], 2) == 0)
            return true;
    }
    return arg->use == USE_NEITHER || arg->id == FLAG_INPUT || arg->id == FLAG_INCLUDE_DIR ||
           arg->id == FLAG_QUOTE_DIR || arg->id == FLAG_SYSTEM_DIR || arg->id == FLAG_AFTER_DIR ||
           arg->id == FLAG_FORCED_INCLUDE || arg->id == FLAG_DEFINE;
}

static struct language *language_of(lint_expand *e, const compile_command *cmd)
{
    strbuf key = strbuf_in(e->mem);
    for (uint32_t i = cmd->wrapper_count; i < cmd->compiler_count; i++)
        strbuf_fmt(&key, "%s\n", cmd->compiler[i]);
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (!is_for_names(arg))
            strbuf_fmt(&key, "%s %s\n", arg->text, arg->separate != NULL ? arg->separate : "");
    }
    for (size_t i = 0; i < e->languages.count; i++) {
        if (strcmp(e->languages.at[i]->key, strbuf_text(&key)) == 0)
            return e->languages.at[i];
    }
    struct language *l = ARENA_NEW(e->mem, struct language);
    l->key = strbuf_text(&key);
    l->index = word_set_in(e->mem);
    VEC_PUSH(e->mem, &e->languages, l);
    return l;
}

static pp_config *config_of(lint_expand *e, arena *mem, const struct lint_source *source)
{
    char cwd[PATH_MAX];
    if (getcwd(cwd, sizeof cwd) == NULL)
        return NULL;
    const char *key = key_of(mem, source, cwd);
    for (size_t i = 0; i < e->sets.count; i++) {
        if (strcmp(e->sets.at[i]->key, key) == 0)
            return e->sets.at[i]->config;
    }
    struct flag_set *set = ARENA_NEW(e->mem, struct flag_set);
    set->key = arena_printf(e->mem, "%s", key);
    set->cmd = kept_command(e->mem, source->cmd);
    set->awaitc_dir =
        source->awaitc_dir != NULL ? arena_printf(e->mem, "%s", source->awaitc_dir) : NULL;
    set->language = language_of(e, source->cmd);
    if (set->cmd != NULL)
        set->config = configure(e, mem, set, cwd);
    VEC_PUSH(e->mem, &e->sets, set);
    return set->config;
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
    e->run = run_for(mem, source->cmd, source->path, source->awaitc_dir);
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
