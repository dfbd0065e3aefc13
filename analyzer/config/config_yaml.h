/* SPDX-License-Identifier: MIT */
/*
 * How are values taken out of a YAML document? Each function takes a node of libyaml's tree, and
 * either gives its value or reports, with the node's place, what should stand there.
 */
#ifndef AWAITC_CONFIG_CONFIG_YAML_H
#define AWAITC_CONFIG_CONFIG_YAML_H

#include <yaml.h>

#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"

struct config_reader {
    arena *mem;
    const char *file; /* its name in messages */
    strview text;
    diag_sink *sink;
    yaml_document_t *document;
    bool failed; /* something was reported */
};

/* Reads a value of some kind into `into`. */
typedef void config_value_reader(struct config_reader *r, yaml_node_t *value, void *into);

struct config_key {
    const char *name;
    config_value_reader *read;
};

void config_error(struct config_reader *r, const yaml_node_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct diag_place config_place(const struct config_reader *r, yaml_mark_t mark);

/* Nothing stands behind the key, or "~". */
bool config_is_empty(const yaml_node_t *node);

/* Text that is not empty, in `mem`; NULL after an error. `what` names it: "a function's name". */
const char *config_text(struct config_reader *r, const yaml_node_t *node, const char *what);

/* Can this be a name of C? */
bool config_is_name(strview text);

/* As config_text, for a name of C. */
const char *config_identifier(struct config_reader *r, const yaml_node_t *node, const char *what);

/* A number from 0 to `most`; false after an error, *number untouched. */
bool config_number(struct config_reader *r, const yaml_node_t *node, uint64_t most,
                   uint64_t *number);

bool config_flag(struct config_reader *r, const yaml_node_t *node, bool *flag);

/* Reads each value of a mapping by its key, one of the given ones, each at most once. */
void config_mapping(struct config_reader *r, yaml_node_t *node, const struct config_key keys[],
                    size_t key_count, void *into);

/* Reads each item of a list; nothing is a list without items. */
void config_list(struct config_reader *r, yaml_node_t *node, config_value_reader *read, void *into);

/*
 * Parses the one document of the reader's text; its root is NULL if it is empty. False after
 * errors. If true, the caller deletes the document.
 */
bool config_load(struct config_reader *r, yaml_document_t *document);

#endif
