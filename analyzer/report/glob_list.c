/* SPDX-License-Identifier: MIT */
/* Matching backs up to the last `*` only, so it takes at most pattern times name steps. */
#include "analyzer/report/glob_list.h"

static strview trimmed(strview s)
{
    while (s.len > 0 && strchr(" \t\r\v\f", s.at[0]) != NULL)
        s = (strview){s.at + 1, s.len - 1};
    while (s.len > 0 && strchr(" \t\r\v\f", s.at[s.len - 1]) != NULL)
        s.len--;
    return s;
}

bool glob_next(strview *list, struct glob_item *item)
{
    while (list->len > 0) {
        size_t len = 0;
        while (len < list->len && list->at[len] != ',' && list->at[len] != '\n')
            len++;
        strview text = trimmed((strview){list->at, len});
        size_t taken = len < list->len ? len + 1 : len;
        *list = (strview){list->at + taken, list->len - taken};
        item->negative = sv_starts(text, "-");
        item->pattern = item->negative ? trimmed((strview){text.at + 1, text.len - 1}) : text;
        if (item->pattern.len > 0)
            return true;
    }
    return false;
}

bool glob_matches(strview pattern, strview name)
{
    size_t p = 0, n = 0;
    size_t star = pattern.len, resume = 0; /* last '*', and where its text ends now */
    while (n < name.len) {
        if (p < pattern.len && pattern.at[p] == '*') {
            star = p++;
            resume = n;
        } else if (p < pattern.len && pattern.at[p] == name.at[n]) {
            p++;
            n++;
        } else if (star < pattern.len) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.at[p] == '*')
        p++;
    return p == pattern.len;
}

int glob_list_verdict(strview list, strview name)
{
    int verdict = 0;
    struct glob_item item;
    while (glob_next(&list, &item)) {
        if (glob_matches(item.pattern, name))
            verdict = item.negative ? -1 : 1;
    }
    return verdict;
}
