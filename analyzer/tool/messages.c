/* SPDX-License-Identifier: MIT */
/*
 * A message is a line `file:line:column: warning: text [-Wname]` and the lines up to the next one.
 * Only warnings that come from evaluating directives or expanding macros are taken: lexical ones
 * (-Wcomment, say) come again, as comments are kept.
 */
#include "analyzer/tool/messages.h"

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/parse/cpp_output.h"

static bool is_of_directives(strview line)
{
    static const char *const names[] = {"[-Wcpp]", "[-W#warnings]", "[-Wundef]",
                                        "[-Wexpansion-to-defined]", "[-Wdate-time]"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (sv_ends(line, names[i]))
            return true;
    }
    return false;
}

/* Does a message start here? *file and *number get its place. */
static bool starts_message(strview line, strview *file, uint32_t *number)
{
    for (size_t i = 1; i + 1 < line.len; i++) {
        if (line.at[i] != ':' || line.at[i + 1] < '0' || line.at[i + 1] > '9')
            continue;
        *file = (strview){line.at, i};
        *number = 0;
        for (i++; i < line.len && line.at[i] >= '0' && line.at[i] <= '9'; i++)
            *number = *number * 10 + (uint32_t)(line.at[i] - '0');
        return line.at[0] != ' ' && i < line.len && line.at[i] == ':';
    }
    return false;
}

strview messages_of_regions(arena *mem, strview messages, const expanded *unit)
{
    strbuf out = strbuf_in(mem);
    bool taken = false;
    for (uint32_t at = 0; at < messages.len;) {
        strview line = cpp_next_line(messages, &at), file;
        uint32_t number;
        if (starts_message(line, &file, &number))
            taken = is_of_directives(line) && expand_covers(unit, file, number);
        else if (sv_starts(line, "In file included") ||
                 memmem(line.at, line.len, " generated.", 11))
            taken = false;
        if (!taken)
            continue;
        strbuf_sv(&out, line);
        strbuf_char(&out, '\n');
    }
    return strbuf_view(&out);
}

strview messages_without(arena *mem, strview messages, const char *id)
{
    strbuf out = strbuf_in(mem);
    const char *end = arena_printf(mem, " [%s]", id);
    bool dropped = false;
    for (uint32_t at = 0; at < messages.len;) {
        strview line = cpp_next_line(messages, &at);
        if (memmem(line.at, line.len, " [awaitc-", 9) != NULL)
            dropped = sv_ends(line, end);
        if (dropped)
            continue;
        strbuf_sv(&out, line);
        strbuf_char(&out, '\n');
    }
    return strbuf_view(&out);
}
