/* SPDX-License-Identifier: MIT */
/*
 * What does a source's configuration mean for its checks? Tables of facts with the configuration's
 * own added, which checks are on, which queries run. Made once for each configuration file.
 */
#ifndef AWAITC_TOOL_LINT_SETUP_H
#define AWAITC_TOOL_LINT_SETUP_H

#include "analyzer/query/query_rules.h"
#include "analyzer/tool/lint_workers.h"

struct lint_setup {
    const lint_config *config;
    struct lint_settings settings;
    query_rules *queries;
    bool *enabled; /* [rules of rules_all] */
    struct lint_work work;
    uint64_t hash; /* over all that can change facts */
};

typedef struct lint_setups lint_setups;

/* opts: those of `awaitc lint`, borrowed; sink: gets errors in configurations and facts files. */
lint_setups *lint_setups_new(arena *mem, const options *opts, diag_sink *sink);

/* The set-up for a source, by its shown path; NULL after errors. */
const struct lint_setup *lint_setup_of(lint_setups *setups, const char *source);

/* What holds for the whole program that several sources make up: the facts that any of them names,
 * and the checks that are on for any; the first one's where only one can hold. NULL after errors.
 */
const struct lint_setup *lint_setup_joined(lint_setups *setups, struct unit_facts *const *units,
                                           size_t count);

/* Is a check, or a query's id, on? */
bool lint_setup_enables(const lint_setups *setups, const struct lint_setup *setup, const char *rule,
                        bool on_by_default);

#endif
