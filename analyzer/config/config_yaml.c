/* SPDX-License-Identifier: MIT */
/*
 * libyaml counts lines and columns from 0, columns in characters; messages count from 1, in bytes.
 */
#include "analyzer/config/config_yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"
#include "analyzer/base/utf8.h"

struct diag_place config_place(const struct config_reader *r, yaml_mark_t mark)
{
    strview rest = r->text;
    for (size_t line = 0; line < mark.line; line++) {
        const char *newline = memchr(rest.at, '\n', rest.len);
        if (newline == NULL)
            break;
        rest.len -= (size_t)(newline + 1 - rest.at);
        rest.at = newline + 1;
    }
    size_t bytes = 0;
    for (size_t i = 0; i < mark.column && bytes < rest.len; i++) {
        uint32_t code;
        bytes += utf8_next((strview){rest.at + bytes, rest.len - bytes}, &code);
    }
    return (struct diag_place){r->file, (uint32_t)mark.line + 1, (uint32_t)bytes + 1};
}

static void report(struct config_reader *r, struct diag_place place, const char *text)
{
    diag_report(r->sink, DIAG_CONFIG, place, "%s", text);
    r->failed = true;
}

void config_error(struct config_reader *r, const yaml_node_t *at, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    report(r, config_place(r, at->start_mark), text);
}

static strview scalar(const yaml_node_t *node)
{
    return (strview){(const char *)node->data.scalar.value, node->data.scalar.length};
}

bool config_is_empty(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (node->data.scalar.length == 0 || sv_is(scalar(node), "~") ||
            sv_is(scalar(node), "null"));
}

const char *config_text(struct config_reader *r, const yaml_node_t *node, const char *what)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0 || config_is_empty(node)) {
        config_error(r, node, "%s is expected here", what);
        return NULL;
    }
    strview text = scalar(node);
    if (memchr(text.at, '\0', text.len) != NULL) {
        config_error(r, node, "%s cannot hold a NUL byte", what);
        return NULL;
    }
    return arena_strndup(r->mem, text.at, text.len);
}

bool config_is_name(strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (!isalpha(c) && c != '_' && c < 0x80 && (i == 0 || !isdigit(c)))
            return false;
    }
    return text.len > 0;
}

const char *config_identifier(struct config_reader *r, const yaml_node_t *node, const char *what)
{
    const char *text = config_text(r, node, what);
    if (text == NULL || config_is_name(sv_from(text)))
        return text;
    config_error(r, node, "'%s' is not a name of C: %s is expected here", text, what);
    return NULL;
}

bool config_number(struct config_reader *r, const yaml_node_t *node, uint64_t most,
                   uint64_t *number)
{
    const char *text = config_text(r, node, "a number");
    if (text == NULL)
        return false;
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value > most) {
        config_error(r, node, "'%s' is not a whole number from 0 to %llu", text,
                     (unsigned long long)most);
        return false;
    }
    *number = value;
    return true;
}

bool config_flag(struct config_reader *r, const yaml_node_t *node, bool *flag)
{
    static const char *const words[] = {"false", "true", "no",  "yes", "False", "True",
                                        "No",    "Yes",  "off", "on",  "Off",   "On",
                                        "FALSE", "TRUE", "NO",  "YES", "OFF",   "ON"};
    for (size_t i = 0; node->type == YAML_SCALAR_NODE && i < COUNTOF(words); i++) {
        if (sv_is(scalar(node), words[i])) {
            *flag = i % 2 == 1;
            return true;
        }
    }
    config_error(r, node, "true or false is expected here");
    return false;
}

static void unknown_key(struct config_reader *r, const yaml_node_t *at, const char *name,
                        const struct config_key keys[], size_t key_count)
{
    struct nearest_name nearest = nearest_name_start(name);
    for (size_t i = 0; i < key_count; i++)
        nearest_name_offer(&nearest, keys[i].name, keys[i].name);
    if (nearest.best != NULL)
        config_error(r, at, "unknown key '%s'; did you mean '%s'?", name, nearest.best);
    else
        config_error(r, at, "unknown key '%s'", name);
}

static bool is_repeated(const struct config_reader *r, const yaml_node_t *node,
                        const yaml_node_pair_t *pair, strview name)
{
    const yaml_node_pair_t *p = node->data.mapping.pairs.start;
    for (; p < pair; p++) {
        const yaml_node_t *key = yaml_document_get_node(r->document, p->key);
        if (key->type == YAML_SCALAR_NODE && sv_equal(scalar(key), name))
            return true;
    }
    return false;
}

void config_mapping(struct config_reader *r, yaml_node_t *node, const struct config_key keys[],
                    size_t key_count, void *into)
{
    if (node->type != YAML_MAPPING_NODE) {
        config_error(r, node, "keys with values are expected here, such as '%s: ...'",
                     keys[0].name);
        return;
    }
    yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = yaml_document_get_node(r->document, pair->key);
        yaml_node_t *value = yaml_document_get_node(r->document, pair->value);
        const char *name = config_text(r, key, "a key");
        size_t i = 0;
        while (name != NULL && i < key_count && strcmp(keys[i].name, name) != 0)
            i++;
        if (name == NULL)
            continue;
        if (i == key_count)
            unknown_key(r, key, name, keys, key_count);
        else if (is_repeated(r, node, pair, sv_from(name)))
            config_error(r, key, "'%s' stands here twice", name);
        else
            keys[i].read(r, value, into);
    }
}

void config_list(struct config_reader *r, yaml_node_t *node, config_value_reader *read, void *into)
{
    if (config_is_empty(node))
        return;
    if (node->type != YAML_SEQUENCE_NODE) {
        config_error(r, node, "a list is expected here, such as [one, two]");
        return;
    }
    const yaml_node_item_t *item = node->data.sequence.items.start;
    for (; item < node->data.sequence.items.top; item++)
        read(r, yaml_document_get_node(r->document, *item), into);
}

static void report_parser(struct config_reader *r, const yaml_parser_t *parser)
{
    const char *problem = parser->problem != NULL ? parser->problem : "out of memory";
    bool has_place = parser->error == YAML_SCANNER_ERROR || parser->error == YAML_PARSER_ERROR ||
                     parser->error == YAML_COMPOSER_ERROR;
    struct diag_place place = {r->file, 0, 0};
    if (has_place) {
        place = config_place(r, parser->problem_mark);
    } else { /* the reader knows only the offset */
        yaml_mark_t mark = {0};
        size_t len = parser->problem_offset < r->text.len ? parser->problem_offset : r->text.len;
        size_t line_begin = 0;
        for (size_t i = 0; i < len; i++) {
            if (r->text.at[i] == '\n') {
                mark.line++;
                line_begin = i + 1;
            }
        }
        place = config_place(r, mark);
        place.column = (uint32_t)(len - line_begin) + 1;
    }
    report(r, place, arena_printf(r->mem, "this is not YAML: %s", problem));
}

/* A second document would be ignored, so it is refused. */
static bool is_alone(struct config_reader *r, yaml_parser_t *parser)
{
    yaml_document_t second;
    if (!yaml_parser_load(parser, &second)) {
        report_parser(r, parser);
        return false;
    }
    const yaml_node_t *root = yaml_document_get_root_node(&second);
    if (root != NULL)
        config_error(r, root, "a configuration is one document, and this is a second one");
    yaml_document_delete(&second);
    return root == NULL;
}

bool config_load(struct config_reader *r, yaml_document_t *document)
{
    yaml_parser_t parser;
    AWC_ASSERT(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)r->text.at, r->text.len);
    bool loaded = yaml_parser_load(&parser, document);
    if (!loaded)
        report_parser(r, &parser);
    if (loaded && yaml_document_get_root_node(document) != NULL && !is_alone(r, &parser)) {
        yaml_document_delete(document);
        loaded = false;
    }
    yaml_parser_delete(&parser);
    return loaded;
}
