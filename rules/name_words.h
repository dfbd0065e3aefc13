/* SPDX-License-Identifier: MIT */
/*
 * Which words is a name made of? They stand between underscores or camel-case humps:
 * `conn_read_all` and `connReadAll` have "read", `thread` has not. Where a callee has no body its
 * name is all that tells what it is for.
 */
#ifndef AWAITC_RULES_NAME_WORDS_H
#define AWAITC_RULES_NAME_WORDS_H

#include "analyzer/base/strview.h"

/* Has the name one of the words (in lower case)? */
bool name_has_any(strview name, const char *const *words, size_t count);

#define NAME_HAS(name, ...)                                                                        \
    name_has_any((name), (const char *const[]){__VA_ARGS__},                                       \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

#endif
