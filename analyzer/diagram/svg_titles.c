/* SPDX-License-Identifier: MIT */
/*
 * Of what Graphviz writes, three things are read: a cluster's border (a path with straight sides),
 * its title (a text that is anchored in its middle), and the edges, the only paths with
 * fill="none", each a row of cubic curves. An edge blocks the piece of a title's line that it
 * passes:
 *
 *     .- - - - - -|- - - - - - - -.
 *       for (;;)  |    (free)            blocked: where the edge is, and a little around it
 */
#include "analyzer/diagram/svg_titles.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/vec.h"

#define TITLE_MARGIN 8.0  /* between a border and a title in its corner */
#define TITLE_ABOVE  10.0 /* of the line on which a title stands */
#define TITLE_BELOW  4.0
#define LINE_ROOM    4.0 /* on both sides of an edge */
#define STEP         4.0 /* by which a title moves */
enum { CURVE_PIECES = 12 };

struct point {
    double x, y;
};

struct title {
    size_t at, end;            /* where its x stands in the text */
    size_t words, lines, over; /* where "for (;;)", then ":25 - 29" begins, and where that ends */
    double x, y, left, right, half_width;
};

struct picture {
    arena *mem;
    strview svg;
    VEC(struct title) titles;
    VEC(struct point) points; /* of edges, end to end; a start is marked by the point before it */
    VEC(bool) starts;
};

/* The offset behind the next `what` from `from` on, or the length of the text. */
static size_t behind(strview svg, size_t from, const char *what)
{
    const char *at = memmem(svg.at + from, svg.len - from, what, strlen(what));
    return at == NULL ? svg.len : (size_t)(at - svg.at) + strlen(what);
}

/* The next number of a path from *at on; false at the quote that ends it. */
static bool next_number(strview svg, size_t *at, double *value)
{
    while (*at < svg.len && strchr("MC, ", svg.at[*at]) != NULL)
        ++*at;
    if (*at >= svg.len || svg.at[*at] == '"')
        return false;
    char *end = NULL;
    *value = strtod(svg.at + *at, &end);
    bool moved = end != svg.at + *at;
    *at = (size_t)(end - svg.at);
    return moved;
}

static bool next_point(strview svg, size_t *at, struct point *p)
{
    return next_number(svg, at, &p->x) && next_number(svg, at, &p->y);
}

static void add_point(struct picture *p, struct point at, bool is_start)
{
    VEC_PUSH(p->mem, &p->points, at);
    VEC_PUSH(p->mem, &p->starts, is_start);
}

static double on_curve(double a, double b, double c, double d, double t)
{
    double s = 1 - t;
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

static void read_edges(struct picture *p)
{
    for (size_t at = 0; (at = behind(p->svg, at, "<path fill=\"none\"")) < p->svg.len;) {
        struct point a, b, c, d;
        at = behind(p->svg, at, " d=\"");
        if (!next_point(p->svg, &at, &a))
            continue;
        add_point(p, a, true);
        while (next_point(p->svg, &at, &b) && next_point(p->svg, &at, &c) &&
               next_point(p->svg, &at, &d)) {
            for (int i = 1; i <= CURVE_PIECES; i++) {
                double t = (double)i / CURVE_PIECES;
                struct point on = {on_curve(a.x, b.x, c.x, d.x, t),
                                   on_curve(a.y, b.y, c.y, d.y, t)};
                add_point(p, on, false);
            }
            a = d;
        }
    }
}

static void read_title(struct picture *p, size_t begin, size_t end)
{
    strview cluster = {p->svg.at, end};
    struct title t = {.left = 1e9, .right = -1e9};
    struct point corner;
    size_t at = behind(cluster, begin, " d=\"");
    while (next_point(cluster, &at, &corner)) {
        t.left = corner.x < t.left ? corner.x : t.left;
        t.right = corner.x > t.right ? corner.x : t.right;
    }
    t.at = behind(cluster, begin, "<text text-anchor=\"middle\" x=\"");
    size_t y = behind(cluster, t.at, " y=\"");
    if (y >= end || behind(cluster, y, "<text") < end)
        return; /* no title, or one of several lines */
    t.end = t.at;
    if (!next_number(cluster, &t.end, &t.x) || !next_number(cluster, &y, &t.y))
        return;
    t.words = behind(cluster, y, ">");
    t.over = behind(cluster, t.words, "</text>") - strlen("</text>");
    t.lines = behind(cluster, t.words, "&#160;:") - 1;
    t.half_width = t.x - t.left - TITLE_MARGIN;
    if (t.half_width > 0)
        VEC_PUSH(p->mem, &p->titles, t);
}

static void read_titles(struct picture *p)
{
    for (size_t at = 0; (at = behind(p->svg, at, "class=\"cluster\">")) < p->svg.len;) {
        size_t end = behind(p->svg, at, "</g>");
        read_title(p, at, end);
        at = end;
    }
}

/* Does the line from a to b pass the title's box, were its middle at x? */
static bool passes(const struct title *t, double x, struct point a, struct point b)
{
    double top = t->y - TITLE_ABOVE, bottom = t->y + TITLE_BELOW, height = b.y - a.y;
    if ((a.y < top && b.y < top) || (a.y > bottom && b.y > bottom))
        return false;
    struct point ends[2] = {a, b};
    for (int i = 0; i < 2; i++) { /* the part within the title's height */
        double y = ends[i].y < top ? top : ends[i].y > bottom ? bottom : ends[i].y;
        if (y < ends[i].y || y > ends[i].y)
            ends[i] = (struct point){a.x + (b.x - a.x) * (y - a.y) / height, y};
    }
    double room = t->half_width + LINE_ROOM;
    double first = ends[0].x < ends[1].x ? ends[0].x : ends[1].x;
    double last = ends[0].x < ends[1].x ? ends[1].x : ends[0].x;
    return last > x - room && first < x + room;
}

static bool is_free(const struct picture *p, const struct title *t, double x)
{
    for (size_t i = 1; i < p->points.count; i++) {
        if (!p->starts.at[i] && passes(t, x, p->points.at[i - 1], p->points.at[i]))
            return false;
    }
    return true;
}

static bool find_place(const struct picture *p, struct title *t)
{
    for (double x = t->left + TITLE_MARGIN + t->half_width;
         x + t->half_width + TITLE_MARGIN <= t->right; x += STEP) {
        if (is_free(p, t, x)) {
            t->x = x;
            return true;
        }
    }
    return false;
}

/* The title without its words, where that is all that finds a place: the lines of the source say
 * what it is. */
static struct title placed(const struct picture *p, const struct title *full)
{
    struct title t = *full;
    if (find_place(p, &t) || t.lines >= t.over)
        return t;
    t.half_width *= (double)(t.over - t.lines) / (double)(t.over - t.words);
    t.words = t.lines;
    return find_place(p, &t) ? t : *full;
}

strview svg_clear_titles(arena *mem, strview svg)
{
    struct picture p = {.mem = mem, .svg = svg};
    strbuf out = strbuf_in(mem);
    size_t done = 0;
    read_edges(&p);
    read_titles(&p);
    for (size_t i = 0; i < p.titles.count; i++) {
        const struct title *full = &p.titles.at[i];
        struct title t = placed(&p, full);
        strbuf_add(&out, svg.at + done, t.at - done);
        strbuf_fmt(&out, "%.2f", t.x);
        strbuf_add(&out, svg.at + t.end, full->words - t.end);
        done = t.words;
    }
    strbuf_add(&out, svg.at + done, svg.len - done);
    return strbuf_view(&out);
}
