/* SPDX-License-Identifier: MIT */
/*
 * The catalogue (diag_catalog.def) as a list, and the pages of docs/errors, which the build turns
 * into analyzer/tool/error_pages.def: lines of text, each page opened by its name.
 *
 *     page_lines:  PAGE missing-await | line | line | ... | PAGE defer | line | ...
 *
 * A rule that does not exist is answered with the one whose name is nearest, if one is near.
 */
#include "analyzer/tool/cmd_rules.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"
#include "analyzer/diag/diag.h"

static const struct rule {
    const char *id;
    const char *severity;
    const char *summary;
} rules[] = {
#define DIAG(name, id, severity, summary) {id, #severity, summary},
#include "analyzer/diag/diag_catalog.def"
#undef DIAG
};

/* A line that opens a page has a name; its text is NULL. */
static const struct page_line {
    const char *name;
    const char *text;
} page_lines[] = {
#define PAGE(name) {name, NULL},
#define LINE(text) {NULL, text},
#include "analyzer/tool/error_pages.def"
#undef PAGE
#undef LINE
};

static const char prefix[] = "awaitc-";

static const char *without_prefix(const char *id)
{
    size_t len = sizeof prefix - 1;
    return strncmp(id, prefix, len) == 0 ? id + len : id;
}

static bool wants_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static const char *severity_word(const char *severity)
{
    return strcmp(severity, "ERROR") == 0 ? "error" : "warning";
}

int cmd_rules(int argc, char **argv)
{
    if (wants_help(argc, argv)) {
        puts("Usage: awaitc rules\n\n"
             "Lists every message of awaitc: id, severity, meaning.\n"
             "`awaitc explain ID` says more about one.");
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "awaitc: error: rules takes no arguments, got '%s' [awaitc-usage]\n",
                argv[1]);
        return 2;
    }
    int widest = 0;
    for (size_t i = 0; i < COUNTOF(rules); i++) {
        int len = (int)strlen(rules[i].id);
        widest = len > widest ? len : widest;
    }
    for (size_t i = 0; i < COUNTOF(rules); i++)
        printf("%-*s  %-7s  %s\n", widest, rules[i].id, severity_word(rules[i].severity),
               rules[i].summary);
    return 0;
}

/* Prints the page of this name (without prefix); false if there is none. */
static bool print_page(const char *name)
{
    size_t i = 0;
    while (i < COUNTOF(page_lines) &&
           (page_lines[i].name == NULL || strcmp(page_lines[i].name, name) != 0))
        i++;
    if (i == COUNTOF(page_lines))
        return false;
    for (i++; i < COUNTOF(page_lines) && page_lines[i].name == NULL; i++)
        puts(page_lines[i].text);
    return true;
}

/* The rule whose name differs least, NULL if none is near. */
static const char *nearest_rule(const char *name)
{
    struct nearest_name nearest = nearest_name_start(name);
    for (size_t i = 0; i < COUNTOF(rules); i++)
        nearest_name_offer(&nearest, without_prefix(rules[i].id), rules[i].id);
    return nearest.best;
}

static int unknown_rule(const char *name)
{
    const char *nearest = nearest_rule(without_prefix(name));
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
    enum diag_id id = diag_id_find(argv[1]);
    if (id == DIAG_ID_COUNT)
        return unknown_rule(argv[1]);
    if (!print_page(without_prefix(diag_id_text(id)))) {
        fprintf(stderr, "awaitc: error: no page for '%s' [awaitc-internal]\n", argv[1]);
        return 2;
    }
    return 0;
}
