/* SPDX-License-Identifier: MIT */
/*
 * What may stand in `.awaitc.yaml`? One reader a key, config_keys.def lists them; what has keys of
 * its own has a table of them here. Each reader checks its value and reports what it does not take,
 * so that one run shows all errors.
 */
#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/config/config_yaml.h"
#include "analyzer/config/lint_config.h"

/* --- Checks, FailOn, Strict, AsyncAnnotations --- */

static void read_glob(struct config_reader *r, yaml_node_t *node, void *into)
{
    const char *text = config_text(r, node, "a check's id or a glob");
    if (text != NULL)
        strbuf_fmt(into, "%s,", text);
}

/* One text, or a list of texts. */
static void read_checks(struct config_reader *r, yaml_node_t *node, void *into)
{
    lint_config *config = into;
    strbuf globs = strbuf_in(r->mem);
    if (node->type == YAML_SEQUENCE_NODE)
        config_list(r, node, read_glob, &globs);
    else
        read_glob(r, node, &globs);
    config->checks = strbuf_text(&globs);
}

static void read_fail_on(struct config_reader *r, yaml_node_t *node, void *into)
{
    static const char *const words[] = {
        [DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
    lint_config *config = into;
    const char *text = config_text(r, node, "note, warning or error");
    for (size_t i = 0; text != NULL && i < COUNTOF(words); i++) {
        if (strcmp(words[i], text) == 0) {
            config->fail_on = (enum diag_severity)i;
            config->fail_on_given = true;
            return;
        }
    }
    if (text != NULL)
        config_error(r, node, "FailOn is note, warning or error, not '%s'", text);
}

static void read_strict(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_flag(r, node, &((lint_config *)into)->strict);
}

static void read_annotation(struct config_reader *r, yaml_node_t *node, void *into)
{
    lint_config *config = into;
    const char *text = config_text(r, node, "the text of an annotation");
    if (text != NULL)
        VEC_PUSH(r->mem, &config->async_annotations, text);
}

static void read_annotations(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_annotation, into);
}

/* --- LoopCallbacks, WorkCallbacks --- */

enum { MOST_ARGUMENTS = 127 };

struct callback_read {
    struct lint_callback callback;
    bool has_argument;
};

static void read_callback_function(struct config_reader *r, yaml_node_t *node, void *into)
{
    ((struct callback_read *)into)->callback.function =
        config_identifier(r, node, "a function's name");
}

static void read_callback_argument(struct config_reader *r, yaml_node_t *node, void *into)
{
    struct callback_read *read = into;
    uint64_t number = 0;
    config_number(r, node, MOST_ARGUMENTS - 1, &number);
    read->callback.argument = (uint32_t)number;
    read->has_argument = true;
}

static void read_callback_field(struct config_reader *r, yaml_node_t *node, void *into)
{
    struct callback_read *read = into;
    const char *text = config_text(r, node, "STRUCT.FIELD");
    if (text == NULL)
        return;
    const char *name = strncmp(text, "struct ", 7) == 0 ? text + 7 : text;
    size_t len = strcspn(name, ".");
    if (name[len] != '.' || !config_is_name((strview){name, len}) ||
        !config_is_name(sv_from(name + len + 1))) {
        config_error(r, node, "a field is written STRUCT.FIELD, unlike '%s'", text);
        return;
    }
    read->callback.field_of = arena_strndup(r->mem, name, len);
    read->callback.field = name + len + 1;
}

static const struct config_key callback_keys[] = {
    {"function", read_callback_function},
    {"argument", read_callback_argument},
    {"field", read_callback_field},
};

static bool is_complete(struct config_reader *r, const yaml_node_t *node,
                        const struct callback_read *read)
{
    bool has_field = read->callback.field != NULL, has_function = read->callback.function != NULL;
    if (has_field != has_function && has_function == read->has_argument)
        return true;
    if (has_function && !has_field)
        config_error(r, node, "'argument' is missing: which one of '%s' is called, from 0?",
                     read->callback.function);
    else
        config_error(r, node, "a callback is a function and its argument, or a field");
    return false;
}

static void read_callback(struct config_reader *r, yaml_node_t *node, void *into)
{
    struct callback_read read = {.callback.place = config_place(r, node->start_mark)};
    lint_callback_list *list = into;
    bool failed_before = r->failed;
    r->failed = false;
    config_mapping(r, node, callback_keys, COUNTOF(callback_keys), &read);
    if (!r->failed && is_complete(r, node, &read))
        VEC_PUSH(r->mem, list, read.callback);
    r->failed |= failed_before;
}

static void read_loop_callbacks(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_callback, &((lint_config *)into)->loop_callbacks);
}

static void read_work_callbacks(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_callback, &((lint_config *)into)->work_callbacks);
}

/* --- Pairs --- */

static void read_acquire(struct config_reader *r, yaml_node_t *node, void *into)
{
    ((struct lint_pair *)into)->acquire = config_identifier(r, node, "a function's name");
}

static void read_release(struct config_reader *r, yaml_node_t *node, void *into)
{
    ((struct lint_pair *)into)->release = config_identifier(r, node, "a function's name");
}

static void read_fails(struct config_reader *r, yaml_node_t *node, void *into)
{
    static const char *const words[] = {[PAIR_FAILS_NONZERO] = "nonzero",
                                        [PAIR_FAILS_NEGATIVE] = "negative",
                                        [PAIR_FAILS_NULL] = "null"};
    struct lint_pair *pair = into;
    for (size_t i = PAIR_FAILS_NONZERO; i < COUNTOF(words); i++) {
        if (node->type == YAML_SCALAR_NODE &&
            strcmp((const char *)node->data.scalar.value, words[i]) == 0) {
            pair->fails = (enum lint_pair_fails)i;
            return;
        }
    }
    config_error(r, node,
                 "'fails' is nonzero, negative or null: the result that tells that "
                 "nothing was acquired");
}

static const struct config_key pair_keys[] = {
    {"acquire", read_acquire},
    {"release", read_release},
    {"fails", read_fails},
};

static void read_pair(struct config_reader *r, yaml_node_t *node, void *into)
{
    lint_config *config = into;
    struct lint_pair pair = {.place = config_place(r, node->start_mark)};
    bool failed_before = r->failed;
    r->failed = false;
    config_mapping(r, node, pair_keys, COUNTOF(pair_keys), &pair);
    if (!r->failed && (pair.acquire == NULL || pair.release == NULL))
        config_error(r, node, "a pair needs 'acquire' and 'release'");
    if (!r->failed)
        VEC_PUSH(r->mem, &config->pairs, pair);
    r->failed |= failed_before;
}

static void read_pairs(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_pair, into);
}

/* --- Facts, Rules --- */

/* Relative paths are of the configuration's folder. */
static const char *joined(const struct config_reader *r, const char *path)
{
    const char *slash = strrchr(r->file, '/');
    if (path[0] == '/' || slash == NULL)
        return path;
    return arena_printf(r->mem, "%.*s/%s", (int)(slash - r->file), r->file, path);
}

static void read_facts_file(struct config_reader *r, yaml_node_t *node, void *into)
{
    lint_config *config = into;
    const char *path = config_text(r, node, "the name of a facts file");
    if (path != NULL)
        VEC_PUSH(r->mem, &config->facts,
                 (struct lint_path){joined(r, path), config_place(r, node->start_mark)});
}

static void read_facts(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_facts_file, into);
}

static void read_rules_folder(struct config_reader *r, yaml_node_t *node, void *into)
{
    lint_config *config = into;
    const char *path = config_text(r, node, "the name of a folder of *.scm files");
    if (path != NULL)
        VEC_PUSH(r->mem, &config->rules,
                 (struct lint_path){joined(r, path), config_place(r, node->start_mark)});
}

static void read_rules(struct config_reader *r, yaml_node_t *node, void *into)
{
    config_list(r, node, read_rules_folder, into);
}

/* --- Options --- */

enum option_type { TYPE_BYTES, TYPE_COUNT, TYPE_FLAG };

static void read_option(struct config_reader *r, const yaml_node_t *node, enum option_type type,
                        uint64_t *value)
{
    bool flag = false;
    switch (type) {
    case TYPE_BYTES:
    case TYPE_COUNT:
        config_number(r, node, INT64_MAX, value);
        break;
    case TYPE_FLAG:
        if (config_flag(r, node, &flag))
            *value = flag;
        break;
    }
}

/* One reader an option, since a reader is not told the key. */
#define OPTION(name, rule, option, type, value, help)                                              \
    static void read_option_##name(struct config_reader *r, yaml_node_t *node, void *into)         \
    {                                                                                              \
        read_option(r, node, TYPE_##type, &((lint_config *)into)->options[LINT_##name]);           \
    }
#include "rules/rule_options.def"
#undef OPTION

static const struct config_key option_keys[] = {
#define OPTION(name, rule, option, type, value, help) {rule "." option, read_option_##name},
#include "rules/rule_options.def"
#undef OPTION
};

static void read_options(struct config_reader *r, yaml_node_t *node, void *into)
{
    if (!config_is_empty(node))
        config_mapping(r, node, option_keys, COUNTOF(option_keys), into);
}

/* --- all --- */

static const struct config_key keys[] = {
#define KEY(name, reader) {#name, read_##reader},
#include "analyzer/config/config_keys.def"
#undef KEY
};

lint_config *lint_config_parse(arena *mem, const char *file, strview text, diag_sink *sink)
{
    yaml_document_t document;
    struct config_reader r = {
        .mem = mem, .file = file, .text = text, .sink = sink, .document = &document};
    lint_config *config = lint_config_default(mem);
    config->file = file;
    if (!config_load(&r, &document))
        return NULL;
    yaml_node_t *root = yaml_document_get_root_node(&document);
    if (root != NULL && !config_is_empty(root))
        config_mapping(&r, root, keys, COUNTOF(keys), config);
    yaml_document_delete(&document);
    return r.failed ? NULL : config;
}
