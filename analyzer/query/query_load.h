/* SPDX-License-Identifier: MIT */
/* What are loaded rules inside? For the files that load and run them. */
#ifndef AWAITC_QUERY_QUERY_LOAD_H
#define AWAITC_QUERY_QUERY_LOAD_H

#include <pthread.h>

#include "analyzer/query/query_set.h"

struct query_rules {
    arena *mem;
    query_file_list files;
    const char *const *annotations;
    size_t annotation_count;
    pthread_mutex_t lock; /* guards what follows, and mem */
    bool compiled[QUERY_FALLBACK + 1];
    struct query_set sets[QUERY_FALLBACK + 1]; /* [QUERY_FALLBACK]: all rules */
};

/* Can none of these rules find anything where nothing is async? Known before the query is made. */
bool query_rules_need_async(const query_rules *rules, enum query_when when);

/* The joint query, made when it is first asked for; NULL: there are no rules for it. */
const struct query_set *query_rules_set(query_rules *rules, enum query_when when);

#endif
