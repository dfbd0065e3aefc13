/* SPDX-License-Identifier: MIT */
/*
 * What becomes of the findings? Those of checks that are off, silenced ones and those of the
 * baseline are taken away; then the fixes are applied or shown, and the rest is reported.
 */
#ifndef AWAITC_TOOL_LINT_REPORT_H
#define AWAITC_TOOL_LINT_REPORT_H

#include "analyzer/program/program.h"
#include "analyzer/tool/lint_setup.h"

struct lint_report {
    arena *mem;
    const options *opts;
    lint_setups *setups;
    const struct lint_setup *setup; /* of the program as a whole */
    struct unit_facts *const *units;
    size_t unit_count;
    finding_list *findings;
    program *program;
    diag_sink *sink;
    const struct render_notice *notices; /* what could not be read */
    size_t notice_count;
};

/* Are the options' values good? An exit status: 0, or 2 after a message. */
int lint_report_check_options(const options *opts);

/* Makes the report; an exit status. */
int lint_report_make(struct lint_report *r);

#endif
