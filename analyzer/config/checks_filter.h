/* SPDX-License-Identifier: MIT */
/*
 * Which checks are on? As in clang-tidy: the configuration's Checks come first, then those of the
 * command line, as one list; of the items that match a check the last one decides, and where none
 * does the check's own default. `-*,awaitc-blocking-call` is that check alone.
 */
#ifndef AWAITC_CONFIG_CHECKS_FILTER_H
#define AWAITC_CONFIG_CHECKS_FILTER_H

#include <stdbool.h>

struct checks_filter {
    const char *from_config; /* NULL: nothing said */
    const char *from_option; /* NULL: nothing said */
};

bool checks_filter_enables(const struct checks_filter *filter, const char *rule,
                           bool on_by_default);

#endif
