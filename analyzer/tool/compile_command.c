/* SPDX-License-Identifier: MIT */
/*
 * How is a compiler's command line taken apart? By one table and the longest match. What the table
 * does not name is passed to the compiler as it is; only flags with a separate value have to be
 * known, as that value is no input.
 *
 * Response files follow the rules of libiberty's buildargv, which gcc uses and clang's default
 * agrees with: blanks separate, quotes of both kinds and backslashes protect.
 */
#include "analyzer/tool/compile_command.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

#define MAX_RESPONSE_DEPTH 32

static const struct {
    enum flag_id id;
    const char *text;
    enum flag_style style;
    enum flag_use use;
} flag_table[] = {
#define FLAG(id, text, style, use) {FLAG_##id, text, STYLE_##style, USE_##use},
#include "analyzer/tool/compile_flags.def"
#undef FLAG
};

typedef VEC(const char *) word_list;

/* ---- response files ----------------------------------------------------------------------- */

/* The next word of a response file at *at, unquoted; NULL at the end. */
static const char *response_word(arena *mem, strview text, size_t *at)
{
    while (*at < text.len && strchr(" \t\n\r\f\v", text.at[*at]) != NULL)
        (*at)++;
    if (*at >= text.len)
        return NULL;
    strbuf word = strbuf_in(mem);
    char quote = '\0';
    for (; *at < text.len; (*at)++) {
        char c = text.at[*at];
        if (c == '\\' && *at + 1 < text.len)
            strbuf_char(&word, text.at[++*at]);
        else if (quote != '\0' && c == quote)
            quote = '\0';
        else if (quote == '\0' && (c == '"' || c == '\''))
            quote = c;
        else if (quote == '\0' && strchr(" \t\n\r\f\v", c) != NULL)
            break;
        else
            strbuf_char(&word, c);
    }
    return strbuf_text(&word);
}

/* Appends a word, or the words of its response file. One that cannot be read is a plain word. */
static void expand_word(include_search *files, word_list *out, const char *word, int depth)
{
    strview text = {NULL, 0};
    if (word[0] == '@' && depth < MAX_RESPONSE_DEPTH)
        text = include_text(files, word + 1);
    if (text.at == NULL) {
        VEC_PUSH(files->mem, out, word);
        return;
    }
    const char *next;
    for (size_t at = 0; (next = response_word(files->mem, text, &at)) != NULL;)
        expand_word(files, out, next, depth + 1);
}

/* ---- classification ----------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Programs that run the compiler named behind them. */
static bool is_wrapper(const char *word)
{
    static const char *const names[] = {"ccache",     "sccache",   "distcc",   "icecc",   "gomacc",
                                        "buildcache", "fastbuild", "colorgcc", "cachecc", "goma",
                                        "recc",       "rewrapper", "env",      "nice",    "time"};
    const char *base = base_name(word);
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (strcmp(base, names[i]) == 0)
            return true;
    }
    return false;
}

static void split_compiler(compile_command *cmd, const word_list *words)
{
    uint32_t n = 0;
    while (n + 1 < words->count && words->at[n + 1][0] != '-' && is_wrapper(words->at[n])) {
        n++;
        while (n + 1 < words->count && strchr(words->at[n], '=') != NULL)
            n++; /* env NAME=VALUE */
    }
    cmd->compiler = words->at;
    cmd->wrapper_count = n;
    cmd->compiler_count = n + 1;
}

static enum input_language language_of(const char *path, const char *forced)
{
    const char *dot = strrchr(base_name(path), '.');
    if (forced != NULL && strcmp(forced, "none") != 0) {
        if (strcmp(forced, "c") == 0)
            return INPUT_C;
        return strcmp(forced, "cpp-output") == 0 ? INPUT_PREPROCESSED_C : INPUT_OTHER;
    }
    if (dot == NULL)
        return INPUT_OTHER;
    if (strcmp(dot, ".c") == 0)
        return INPUT_C;
    return strcmp(dot, ".i") == 0 ? INPUT_PREPROCESSED_C : INPUT_OTHER;
}

/* The table's line for a flag, or COUNTOF(flag_table). */
static size_t find_flag(const char *text)
{
    size_t best = COUNTOF(flag_table), best_len = 0;
    for (size_t i = 0; i < COUNTOF(flag_table); i++) {
        size_t len = strlen(flag_table[i].text);
        bool exact = strcmp(text, flag_table[i].text) == 0;
        bool joined = flag_table[i].style == STYLE_JOINED || flag_table[i].style == STYLE_EITHER;
        bool match = exact || (joined && strncmp(text, flag_table[i].text, len) == 0);
        if (match && len > best_len) {
            best = i;
            best_len = len;
        }
    }
    return best;
}

static struct compile_arg classify(const word_list *words, size_t *at)
{
    const char *text = words->at[*at];
    struct compile_arg arg = {.id = FLAG_OTHER, .use = USE_EXPAND, .text = text};
    size_t i = find_flag(text);
    if (i == COUNTOF(flag_table))
        return arg;
    arg.id = flag_table[i].id;
    arg.use = flag_table[i].use;
    size_t len = strlen(flag_table[i].text);
    switch (flag_table[i].style) {
    case STYLE_EXACT:
        break;
    case STYLE_JOINED:
        arg.value = text + len;
        break;
    case STYLE_EITHER:
    case STYLE_SEPARATE:
        if (text[len] != '\0') {
            arg.value = text + len;
        } else if (*at + 1 < words->count) {
            arg.separate = words->at[++*at];
            arg.value = arg.separate;
        }
        break;
    }
    return arg;
}

bool compile_wp_depends(arena *mem, const char *value, const char **file)
{
    const char *md = strncmp(value, "-MD,", 4) == 0    ? value + 4
                     : strncmp(value, "-MMD,", 5) == 0 ? value + 5
                                                       : NULL;
    if (md == NULL)
        return false;
    const char *comma = strchr(md, ',');
    *file = arena_strndup(mem, md, comma != NULL ? (size_t)(comma - md) : strlen(md));
    return true;
}

static void note_arg(arena *mem, compile_command *cmd, const struct compile_arg *arg)
{
    switch (arg->id) {
    case FLAG_OUTPUT:
        cmd->output = arg->value;
        break;
    case FLAG_COMPILE:
        cmd->mode = cmd->mode < MODE_COMPILE ? MODE_COMPILE : cmd->mode;
        break;
    case FLAG_ASSEMBLY:
        cmd->mode = cmd->mode < MODE_ASSEMBLY ? MODE_ASSEMBLY : cmd->mode;
        break;
    case FLAG_SYNTAX:
        cmd->mode = cmd->mode < MODE_SYNTAX ? MODE_SYNTAX : cmd->mode;
        break;
    case FLAG_DEPEND_ONLY:
        cmd->depends_only = true;
        cmd->mode = cmd->mode < MODE_PREPROCESS ? MODE_PREPROCESS : cmd->mode;
        break;
    case FLAG_PREPROCESS:
        cmd->mode = cmd->mode < MODE_PREPROCESS ? MODE_PREPROCESS : cmd->mode;
        break;
    case FLAG_QUERY:
        cmd->mode = MODE_QUERY;
        break;
    case FLAG_DEPEND:
        cmd->depends = true;
        break;
    case FLAG_DEPEND_FILE:
        cmd->depend_file = arg->value;
        break;
    case FLAG_DEPEND_TARGET:
        cmd->has_depend_target = true;
        break;
    case FLAG_DEPEND_PHONY:
        cmd->depend_phony = true;
        break;
    case FLAG_TO_PREPROCESSOR:
        if (compile_wp_depends(mem, arg->value, &cmd->depend_file))
            cmd->depends = cmd->depends_by_wp = true;
        break;
    case FLAG_SIDE_FILES:
        cmd->side_files = true;
        break;
    case FLAG_STANDARD:
        cmd->trigraphs = strncmp(arg->text, "-ansi", 5) == 0 ||
                         (arg->value != NULL && strncmp(arg->value, "gnu", 3) != 0);
        break;
    case FLAG_TRIGRAPHS:
        cmd->trigraphs = true;
        break;
    case FLAG_INPUT:
    case FLAG_DASHES:
    case FLAG_OTHER:
    case FLAG_LANGUAGE:
    case FLAG_DEPEND_OTHER:
    case FLAG_DUMP_NAME:
    case FLAG_INCLUDE_DIR:
    case FLAG_QUOTE_DIR:
    case FLAG_SYSTEM_DIR:
    case FLAG_AFTER_DIR:
    case FLAG_FORCED_INCLUDE:
    case FLAG_DEFINE:
    case FLAG_UNDEFINE:
    case FLAG_SYSROOT:
    case FLAG_NO_STANDARD_DIRS:
    case FLAG_PREPROCESSED:
    case FLAG_FILE_MAP:
    case FLAG_MACRO_MAP:
    case FLAG_DEBUG_MAP:
    case FLAG_PLAN9:
    case FLAG_OPENMP:
    case FLAG_TARGET:
    case FLAG_LINKER:
        break;
    }
}

compile_command *compile_command_read(arena *mem, int argc, char *const *argv, const char **failure)
{
    if (argc < 1) {
        *failure = "no compiler given";
        return NULL;
    }
    compile_command *cmd = ARENA_NEW(mem, compile_command);
    include_search files = include_search_in(mem);
    word_list words = {0};
    for (int i = 0; i < argc; i++)
        expand_word(&files, &words, argv[i], 0);
    if (words.count == 0) {
        *failure = "no compiler given";
        return NULL;
    }
    split_compiler(cmd, &words);
    const char *language = NULL;
    bool only_inputs = false, preprocessed = false;
    for (size_t at = cmd->compiler_count; at < words.count; at++) {
        struct compile_arg arg = {.id = FLAG_INPUT, .text = words.at[at]};
        bool is_flag = arg.text[0] == '-' && arg.text[1] != '\0' && !only_inputs;
        if (is_flag && strcmp(arg.text, "--") == 0) {
            only_inputs = true;
            arg.id = FLAG_DASHES;
        } else if (is_flag) {
            arg = classify(&words, &at);
        }
        if (arg.id == FLAG_LANGUAGE)
            language = arg.value;
        preprocessed |= arg.id == FLAG_PREPROCESSED;
        if (arg.id == FLAG_INPUT) {
            struct compile_input in = {.path = arg.text, .arg = (uint32_t)cmd->args.count};
            in.language = language_of(arg.text, language);
            VEC_PUSH(mem, &cmd->inputs, in);
        }
        VEC_PUSH(mem, &cmd->args, arg);
        note_arg(mem, cmd, &arg);
    }
    for (size_t i = 0; preprocessed && i < cmd->inputs.count; i++) {
        if (cmd->inputs.at[i].language == INPUT_C)
            cmd->inputs.at[i].language = INPUT_PREPROCESSED_C;
    }
    return cmd;
}

const char *compile_command_compiler(const compile_command *cmd)
{
    return cmd->compiler[cmd->compiler_count - 1];
}

void compile_command_search(const compile_command *cmd, include_search *search)
{
    static const enum flag_id order[] = {FLAG_INCLUDE_DIR, FLAG_SYSTEM_DIR, FLAG_AFTER_DIR};
    for (size_t k = 0; k < COUNTOF(order); k++) {
        for (size_t i = 0; i < cmd->args.count; i++) {
            const struct compile_arg *arg = &cmd->args.at[i];
            if (arg->value == NULL)
                continue;
            if (arg->id == order[k])
                VEC_PUSH(search->mem, &search->bracket, arg->value);
            else if (k == 0 && arg->id == FLAG_QUOTE_DIR)
                VEC_PUSH(search->mem, &search->quote, arg->value);
            else if (k == 0 && arg->id == FLAG_FORCED_INCLUDE)
                VEC_PUSH(search->mem, &search->forced, arg->value);
            else if (k == 0 && arg->id == FLAG_DEFINE)
                VEC_PUSH(search->mem, &search->defines, arg->value);
        }
    }
}
