/* SPDX-License-Identifier: MIT */
/*
 * What does a rule file say before its patterns? Its first comment lines, each `; key: value`; a
 * line that is indented further goes on with the value before it:
 *
 *     ; id: ourlib-no-strcpy
 *     ; severity: warning
 *     ; message: 'strcpy' into '{to}' has no limit; use 'copy_text',
 *     ;     which takes the size
 *     ; fix: copy_text({to}, {from}, sizeof {to})
 *
 * Other comments start with `;;`, or stand below the head.
 */
#ifndef AWAITC_QUERY_QUERY_HEAD_H
#define AWAITC_QUERY_QUERY_HEAD_H

#include <stdbool.h>

#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"
#include "analyzer/query/query_rules.h"

enum head_key {
    HEAD_ID,
    HEAD_SEVERITY,
    HEAD_MESSAGE,
    HEAD_FIX,
    HEAD_FIX_TITLE,
    HEAD_WHEN,
    HEAD_KEY_COUNT
};

struct query_head {
    const char *values[HEAD_KEY_COUNT]; /* NULL: not given */
    uint32_t lines[HEAD_KEY_COUNT];
    enum diag_severity severity;
    enum query_when when;
};

/* The key of this name, or HEAD_KEY_COUNT. */
enum head_key head_key_find(strview name);
/* "; did you mean 'fix'?", or "". */
const char *head_key_hint(arena *mem, strview name);

/* "note", "warning" or "error"; false: none of them. */
bool head_severity_read(const char *text, enum diag_severity *out);

/*
 * Reads the head of `text`, the content of `file`. Ids that start with "awaitc-" are for built-in
 * rules only.
 *
 * Returns false if errors went to `sink`; then the rule cannot be used.
 */
bool query_head_read(arena *mem, const char *file, strview text, bool built_in, diag_sink *sink,
                     struct query_head *out);

#endif
