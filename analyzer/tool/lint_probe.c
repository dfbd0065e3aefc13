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
#include "analyzer/tool/lint_probe.h"

#include <ctype.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/base/text_map.h"

/* A compiler with the flags that decide about attributes and built-in functions. */
struct probe_language {
    const char *key;
    word_set index; /* question -> index into `answers` */
    VEC(long) answers;
};

/* ---- questions to the compiler --------------------------------------------------------------- */

preprocess lint_probe_run(arena *mem, const compile_command *cmd, const char *path,
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

/* The form with underscores of a question about an attribute: both have one answer. */
static strview one_form(arena *mem, const char *question)
{
    static const char start[] = "__has_attribute(";
    const char *name = question + strlen(start);
    if (strncmp(question, start, strlen(start)) != 0 || *name == '_' || strchr(name, ':') != NULL)
        return sv_from(question);
    return sv_from(arena_printf(mem, "%s__%.*s__)", start, (int)strcspn(name, ")"), name));
}

/* What the run's output says; -1: nothing. */
static long keep_answer(struct probe_language *l, const char *question, strview output,
                        unsigned number)
{
    arena *mem = l->index.mem;
    strview line = answer_line(output, arena_printf(mem, "#pragma awaitc value %u ", number));
    long answer = line.at != NULL ? strtol(line.at, NULL, 10) : -1;
    uint32_t before = l->index.count;
    strview form = one_form(mem, arena_printf(mem, "%s", question));
    struct word_entry *e = word_set_add(&l->index, form);
    if (l->index.count != before) {
        e->value = (uint32_t)l->answers.count;
        VEC_PUSH(mem, &l->answers, answer);
    }
    return answer;
}

/* What is known of the questions from other flags; the others into `open`. */
static unsigned known_answers(arena *mem, const struct probe_language *l,
                              const char *const *questions, unsigned count, long *answers,
                              unsigned *open)
{
    unsigned open_count = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct word_entry *e = word_set_find(&l->index, one_form(mem, questions[i]));
        answers[i] = e != NULL ? l->answers.at[e->value] : -1;
        if (e == NULL)
            open[open_count++] = i;
    }
    return open_count;
}

void lint_probe_ask(void *context, const char *const *questions, unsigned count, long *answers)
{
    struct lint_probe *probe = context;
    arena *mem = arena_create();
    unsigned *open = ARENA_ARRAY(mem, unsigned, count);
    unsigned open_count = known_answers(mem, probe->language, questions, count, answers, open);
    preprocess run = lint_probe_run(mem, probe->cmd, "-", probe->awaitc_dir);
    strbuf text = strbuf_in(mem);
    strview output = {"", 0};
    for (unsigned k = 0; k < open_count; k++)
        add_question(&text, questions[open[k]], k);
    bool is_answered = open_count != 0 && preprocess_run(&run, strbuf_view(&text), &output);
    for (unsigned k = 0; is_answered && k < open_count; k++)
        answers[open[k]] = keep_answer(probe->language, questions[open[k]], output, k);
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

/* The directories between two headings of -v. */
static bool read_directories(arena *mem, struct lint_probe *probe, strview verbose)
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
            probe->quote_count = (unsigned)probe->directories.count;
        } else if (sv_starts(line, " ") && !sv_ends(line, " (framework directory)")) {
            strview dir = {line.at + 1, line.len - 1};
            struct pp_directory d = {arena_strndup(mem, dir.at, dir.len),
                                     !is_quote && !is_user_directory(probe->cmd, dir)};
            VEC_PUSH(mem, &probe->directories, d);
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

static void ask_all(struct lint_probes *all, arena *mem, struct lint_probe *probe)
{
    preprocess run = lint_probe_run(mem, probe->cmd, "-", probe->awaitc_dir);
    strview output = {"", 0};
    if (preprocess_run(&run, probe_text(mem), &output)) {
        strview predefined = predefined_of(output);
        probe->predefined = (strview){
            arena_strndup(all->mem, predefined.at != NULL ? predefined.at : "", predefined.len),
            predefined.len};
        probe->is_clang = run.tc.is_clang;
        probe->is_asked_name = asked_names(all->mem, output);
        for (unsigned i = 0; i < COUNTOF(asked_often); i++)
            keep_answer(probe->language, asked_often[i].text, output, i);
        probe->is_understood =
            read_directories(all->mem, probe, run.verbose) && predefined.at != NULL;
    }
    preprocess_release(&run, output);
}

/* ---- plain definitions ----------------------------------------------------------------------- */

/* Names that the compiler's own definitions, or the header that it reads first, could meet. */
static bool is_reserved(const char *name)
{
    return strncmp(name, "__", 2) == 0 || strncmp(name, "_STDC", 5) == 0 ||
           strncmp(name, "defined", 7) == 0;
}

static bool is_plain_definition(const struct compile_arg *arg)
{
    bool is_one = arg->id == FLAG_DEFINE || arg->id == FLAG_UNDEFINE;
    return is_one && arg->value != NULL &&
           (isalpha((unsigned char)arg->value[0]) || arg->value[0] == '_') &&
           !is_reserved(arg->value) && strpbrk(arg->value, "\n\r\\?") == NULL;
}

/* May definitions move behind all that the compiler defines? Not in front of what -include reads.
 */
static bool has_plain_definitions(const compile_command *cmd)
{
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (arg->id == FLAG_FORCED_INCLUDE || arg->id == FLAG_TO_PREPROCESSOR ||
            strcmp(arg->text, "-Xpreprocessor") == 0)
            return false;
    }
    return true;
}

strview lint_probe_definitions(arena *mem, const compile_command *cmd)
{
    strbuf text = strbuf_in(mem);
    bool has_plain = has_plain_definitions(cmd);
    for (size_t i = 0; has_plain && i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (!is_plain_definition(arg))
            continue;
        int len = (int)strcspn(arg->value, "=");
        const char *body = arg->value[len] == '=' ? arg->value + len + 1 : "1";
        if (arg->id == FLAG_UNDEFINE)
            strbuf_fmt(&text, "#undef %s\n", arg->value);
        else
            strbuf_fmt(&text, "#define %.*s %s\n", len, arg->value, body);
    }
    return strbuf_view(&text);
}

/* ---- sharing --------------------------------------------------------------------------------- */

/* A copy of the flags that the compiler has to know: the source's own memory goes with it. */
static const compile_command *kept_command(arena *mem, const compile_command *cmd)
{
    VEC(char *) argv = {0};
    bool has_plain = has_plain_definitions(cmd);
    for (uint32_t i = 0; i < cmd->compiler_count; i++)
        VEC_PUSH(mem, &argv, arena_printf(mem, "%s", cmd->compiler[i]));
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (arg->use == USE_NEITHER || arg->id == FLAG_INPUT || arg->id == FLAG_DASHES ||
            (has_plain && is_plain_definition(arg)))
            continue;
        VEC_PUSH(mem, &argv, arena_printf(mem, "%s", arg->text));
        if (arg->separate != NULL)
            VEC_PUSH(mem, &argv, arena_printf(mem, "%s", arg->separate));
    }
    VEC_PUSH(mem, &argv, NULL);
    const char *failure;
    return compile_command_read(mem, (int)argv.count - 1, argv.at, &failure);
}

const char *lint_probe_key(arena *mem, const compile_command *cmd, const char *cwd,
                           const char *awaitc_dir)
{
    argument_list argv = {0};
    preprocess run = {.mem = mem, .cmd = cmd, .awaitc_dir = awaitc_dir};
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
    static const char *const starts[] = {"-W", "-g", "-O", "-pipe", "-fPI", "-fpi"};
    for (size_t i = 0; i < COUNTOF(starts); i++) {
        if (strncmp(arg->text, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return arg->use == USE_NEITHER || arg->id == FLAG_INPUT || arg->id == FLAG_INCLUDE_DIR ||
           arg->id == FLAG_QUOTE_DIR || arg->id == FLAG_SYSTEM_DIR || arg->id == FLAG_AFTER_DIR ||
           arg->id == FLAG_FORCED_INCLUDE || arg->id == FLAG_DEFINE || arg->id == FLAG_UNDEFINE;
}

static struct probe_language *language_of(struct lint_probes *all, const compile_command *cmd)
{
    strbuf key = strbuf_in(all->mem);
    for (uint32_t i = cmd->wrapper_count; i < cmd->compiler_count; i++)
        strbuf_fmt(&key, "%s\n", cmd->compiler[i]);
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (!is_for_names(arg))
            strbuf_fmt(&key, "%s %s\n", arg->text, arg->separate != NULL ? arg->separate : "");
    }
    for (size_t i = 0; i < all->languages.count; i++) {
        if (strcmp(all->languages.at[i]->key, strbuf_text(&key)) == 0)
            return all->languages.at[i];
    }
    struct probe_language *l = ARENA_NEW(all->mem, struct probe_language);
    l->key = strbuf_text(&key);
    l->index = word_set_in(all->mem);
    VEC_PUSH(all->mem, &all->languages, l);
    return l;
}

struct lint_probe *lint_probe_of(struct lint_probes *all, arena *mem, const compile_command *cmd,
                                 const char *cwd, const char *awaitc_dir)
{
    const compile_command *shared = kept_command(all->mem, cmd);
    if (shared == NULL)
        return NULL;
    const char *key = lint_probe_key(all->mem, shared, cwd, awaitc_dir);
    for (size_t i = 0; i < all->list.count; i++) {
        if (strcmp(all->list.at[i]->key, key) == 0)
            return all->list.at[i];
    }
    struct lint_probe *probe = ARENA_NEW(all->mem, struct lint_probe);
    probe->key = key;
    probe->cmd = shared;
    probe->awaitc_dir = awaitc_dir != NULL ? arena_printf(all->mem, "%s", awaitc_dir) : NULL;
    probe->language = language_of(all, shared);
    ask_all(all, mem, probe);
    VEC_PUSH(all->mem, &all->list, probe);
    return probe;
}
