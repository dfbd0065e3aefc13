/* SPDX-License-Identifier: MIT */
/* The two lists are one after the other: what the second one says of a check outweighs the first.
 */
#include "analyzer/config/checks_filter.h"

#include "analyzer/report/glob_list.h"

static int verdict(const char *list, strview rule)
{
    return list == NULL ? 0 : glob_list_verdict(sv_from(list), rule);
}

bool checks_filter_enables(const struct checks_filter *filter, const char *rule, bool on_by_default)
{
    int says = verdict(filter->from_option, sv_from(rule));
    if (says == 0)
        says = verdict(filter->from_config, sv_from(rule));
    return says == 0 ? on_by_default : says > 0;
}
