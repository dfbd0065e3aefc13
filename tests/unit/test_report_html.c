/* SPDX-License-Identifier: MIT */
/* Is the HTML page whole, and does no text of a source or message become markup? */
#include "tests/unit/report_fixture.h"

#include "analyzer/report/render.h"

static const char *page(arena *mem, const char *id)
{
    (void)mem;
    (void)id;
    return "# page & more";
}

static const struct render_rule rules[] = {
    {"awaitc-blocking-call", "a call that <may> block", page, DIAG_WARNING},
};

static const char *shown(struct report_fixture *f)
{
    static const struct render_notice notice = {{"bad<1>.c", 3, 1}, "does not \"parse\""};
    struct render_context cx = {.mem = f->mem,
                                .sources = f->sources,
                                .root = "/proj",
                                .version = "1.2.3",
                                .rules = rules,
                                .rule_count = 1,
                                .notices = &notice,
                                .notice_count = 1,
                                .file_count = 7};
    struct printed p;
    print_start(&p);
    renderer_find("html")->write(p.to, &f->list, &cx);
    return print_end(&p, f->mem);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        n++;
    return n;
}

static void a_finding_with_source_chain_and_fix(void **state)
{
    struct report_fixture *f = *state;
    write_text("io.c", "1\n2\n3\n4\nx = flush(fd);\n6\n7\n8\n9\n");
    write_text("log.c", "void flush(int fd) { fsync(fd); }\r\n");
    struct finding *x = add(f, "io.c", 5, 5, "'flush' waits");
    x->end_column = 10;
    x->function = "g";
    x->leaf = "fsync";
    add_step(f, x, (struct diag_place){"log.c", 1, 22}, "flush", "'flush' calls 'fsync'");
    add_fix(f, x, (struct finding_edit){"io.c", 12, 12, "await "}, "await it");
    const char *text = shown(f);
    assert_contains(text,
                    "<section class=\"file\" data-file=\"io.c\"><h2>io.c <span class=\"count\">1");
    assert_contains(text, "data-severity=\"warning\" data-rule=\"awaitc-blocking-call\"");
    assert_contains(text, ">io.c:5:5</button> in <code class=\"fn\">g</code>");
    assert_contains(text,
                    "<div class=\"it\"><b>5</b><code>x = <mark>flush</mark>(fd);</code></div>");
    assert_contains(text, "<div><b>2</b><code>2</code>");
    assert_contains(text, "<div><b>8</b><code>8</code>");
    assert_null(strstr(text, "<div><b>9</b>"));
    assert_contains(text, "<summary>1 step to <code class=\"fn\">fsync</code>");
    assert_contains(text, "{ <mark>fsync</mark>(fd); }</code>");
    assert_contains(text, "<summary>Fix: await it</summary>");
    assert_contains(text, "<div class=\"add\">+x = await flush(fd);</div>");
}

static void texts_do_not_become_markup(void **state)
{
    struct report_fixture *f = *state;
    static const char evil[] = "</code></script><script>alert(\"1\")</script>&\x01\xff";
    write_text("a\"><b.c", evil);
    struct finding *x = add(f, "a\"><b.c", 1, 3, evil);
    x->function = x->leaf = evil;
    x->rule = evil;
    add_step(f, x, (struct diag_place){"a\"><b.c", 1, 1}, evil, evil);
    add_fix(f, x, (struct finding_edit){"a\"><b.c", 0, 1, evil}, evil);
    const char *text = shown(f);
    assert_int_equal(count(text, "<script"), 1);
    assert_int_equal(count(text, "</script"), 1);
    assert_null(strstr(text, "alert(\"1\")"));
    assert_null(strstr(text, "a\"><b.c"));
    assert_contains(text, "data-file=\"a&quot;&gt;&lt;b.c\"");
    assert_contains(text, "&amp;\xef\xbf\xbd\xef\xbf\xbd");
    assert_contains(text, "a call that &lt;may&gt; block");
    assert_contains(text, "does not &quot;parse&quot;");
}

static void nothing_is_loaded_from_elsewhere(void **state)
{
    struct report_fixture *f = *state;
    add(f, "a.c", 1, 1, "m");
    const char *text = shown(f);
    static const char *const parts[] = {
        "http:", "https:", "src=", "href=", "url(", "@import", "fetch(", "/proj"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_null(strstr(text, parts[i]));
    assert_contains(text, "<footer>awaitc 1.2.3</footer>");
}

static void files_are_sections_and_counts_are_in_the_header(void **state)
{
    struct report_fixture *f = *state;
    add(f, "a.c", 1, 1, "1")->severity = DIAG_ERROR;
    add(f, "./a.c", 2, 1, "2");
    add(f, "b.c", 1, 1, "3");
    add(f, NULL, 0, 0, "4");
    const char *text = shown(f);
    assert_int_equal(count(text, "<section class=\"file\""), 3);
    assert_int_equal(count(text, "<article "), 4);
    assert_contains(text, "<b>1</b> error</li>");
    assert_contains(text, "<b>3</b> warnings</li>");
    assert_contains(text, "<b>7</b> source files</li>");
    assert_string_equal(text, shown(f));
}

static void without_findings_it_says_so(void **state)
{
    struct report_fixture *f = *state;
    assert_contains(shown(f), "The checks found nothing.");
}

static void of_a_very_long_line_a_part_is_shown(void **state)
{
    struct report_fixture *f = *state;
    char *line = arena_alloc(f->mem, 100001);
    memset(line, 'y', 100000);
    memcpy(line + 50000, " call(", 6);
    write_text("long.c", line);
    add(f, "long.c", 1, 50002, "m");
    const char *text = shown(f);
    assert_contains(text, "<mark>call</mark>(");
    assert_contains(text, "<code><i>...</i>yyy");
    assert_true(count(text, "yyyy") < 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(a_finding_with_source_chain_and_fix),
        REPORT_CASE(texts_do_not_become_markup),
        REPORT_CASE(nothing_is_loaded_from_elsewhere),
        REPORT_CASE(files_are_sections_and_counts_are_in_the_header),
        REPORT_CASE(without_findings_it_says_so),
        REPORT_CASE(of_a_very_long_line_a_part_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
