/* SPDX-License-Identifier: MIT */
/*
 * The checks of the linter (rules.def) and the messages of the lowering (diag_catalog.def) as one
 * list. An id that is both has one line in it, the message's. An id that does not exist is answered
 * with the one whose name is nearest, if one is near.
 */
#include "analyzer/tool/cmd_rules.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"
#include "analyzer/query/query_rules.h"
#include "analyzer/tool/explain_pages.h"
#include "analyzer/tool/facts_search.h"

/* Messages first, so that an id that is both is found as a message. */
static const struct listed {
    const char *id;
    const char *severity;
    const char *state;
    const char *summary;
} listed[] = {
#define DIAG(name, id, severity, summary) {id, #severity, "ON", summary},
#include "analyzer/diag/diag_catalog.def"
#undef DIAG
#define RULE(name, id, severity, state, summary)       {id, #severity, #state, summary},
#define OTHER_RULE(name, id, severity, state, summary) {id, #severity, #state, summary},
#include "rules/rules.def"
#undef RULE
#undef OTHER_RULE
};

static bool wants_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static const char *severity_word(const char *severity)
{
    return strcmp(severity, "ERROR") == 0 ? "error" : "warning";
}

/* Is this the second line of an id? */
static bool is_listed_before(size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (strcmp(listed[i].id, listed[index].id) == 0)
            return true;
    }
    return false;
}

static int list_all(void)
{
    int widest = 0;
    for (size_t i = 0; i < COUNTOF(listed); i++) {
        int len = (int)strlen(listed[i].id);
        widest = len > widest ? len : widest;
    }
    for (size_t i = 0; i < COUNTOF(listed); i++) {
        const struct listed *l = &listed[i];
        if (!is_listed_before(i))
            printf("%-*s  %-7s  %s%s\n", widest, l->id, severity_word(l->severity), l->summary,
                   strcmp(l->state, "OFF") == 0 ? " (off by default)" : "");
    }
    return 0;
}

static int search_facts(int count, char **words)
{
    if (facts_search_print(words, (size_t)count, stdout) == 0)
        fputs("awaitc: note: no fact has all these words; a function of which nothing is known is "
              "not taken for a blocking one\n",
              stderr);
    return 0;
}

/* Tests the query checks of a folder on its own NAME.test.c files. */
static int test_queries(int count, char **folders)
{
    if (count == 1)
        return query_rules_test(folders[0], NULL, stdout) == 0 ? 0 : 1;
    fputs("awaitc: error: --test takes one folder with checks (*.scm) and their tests (*.test.c) "
          "[awaitc-usage]\n",
          stderr);
    return 2;
}

int cmd_rules(int argc, char **argv)
{
    if (wants_help(argc, argv)) {
        puts("Usage: awaitc rules\n"
             "       awaitc rules --facts [WORD...]\n"
             "       awaitc rules --test DIR\n\n"
             "Lists every message and check of awaitc: id, severity, meaning.\n"
             "`awaitc explain ID` says more about one.\n\n"
             "  --facts [WORD...]  prints what the linter knows of functions and callbacks of\n"
             "                     libraries, where all words occur in it\n"
             "  --test DIR         tests a project's own checks, DIR/*.scm, on DIR/*.test.c:\n"
             "                     a comment 'EXPECT: ID' says what is found on its line");
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--facts") == 0)
        return search_facts(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "--test") == 0)
        return test_queries(argc - 2, argv + 2);
    if (argc > 1) {
        fprintf(stderr,
                "awaitc: error: rules takes no arguments but --facts and --test, got '%s' "
                "[awaitc-usage]\n",
                argv[1]);
        return 2;
    }
    return list_all();
}

/* The rule whose name differs least, NULL if none is near. */
static const char *nearest_rule(const char *name)
{
    struct nearest_name nearest = nearest_name_start(name);
    for (size_t i = 0; i < COUNTOF(listed); i++)
        nearest_name_offer(&nearest, rule_short_name(listed[i].id), listed[i].id);
    return nearest.best;
}

static int unknown_rule(const char *name)
{
    const char *nearest = nearest_rule(rule_short_name(name));
    if (nearest != NULL)
        fprintf(stderr, "awaitc: error: no rule '%s'; did you mean '%s'? [awaitc-usage]\n", name,
                nearest);
    else
        fprintf(stderr, "awaitc: error: no rule '%s'; `awaitc rules` lists them [awaitc-usage]\n",
                name);
    return 2;
}

int cmd_explain(int argc, char **argv)
{
    if (wants_help(argc, argv)) {
        puts("Usage: awaitc explain RULE\n\n"
             "Prints the page of one rule: what it means, why it is so, what to write instead.\n"
             "RULE is an id as `awaitc rules` lists them; awaitc- may be left out.");
        return 0;
    }
    if (argc != 2) {
        fputs("awaitc: error: explain takes one rule; `awaitc rules` lists them [awaitc-usage]\n",
              stderr);
        return 2;
    }
    return explain_print(argv[1]) ? 0 : unknown_rule(argv[1]);
}
