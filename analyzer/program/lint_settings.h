/* SPDX-License-Identifier: MIT */
/*
 * What do the checks go by, besides the sources? The tables of facts and the configuration, fixed
 * before the first source is read.
 */
#ifndef AWAITC_PROGRAM_LINT_SETTINGS_H
#define AWAITC_PROGRAM_LINT_SETTINGS_H

#include "analyzer/config/lint_config.h"
#include "analyzer/program/known_facts.h"

struct lint_settings {
    const known_facts *known; /* the configuration's own included */
    const lint_config *config;
    bool strict; /* also calls that are short on a good day */
    bool audit;  /* report functions that nothing is known of */
};

#endif
