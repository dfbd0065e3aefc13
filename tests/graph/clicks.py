# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Can a person use the page? Chromium opens it from a file and does what one would: search, filter,
keys, wheel and drag, hover, clicks from state to source and back, dark mode, a narrow window. It must
ask nothing of a network and say nothing on its console."""
import json
import os
import re
import tempfile
import time

from lib_chromium import Browser
from lib_graph import finish, flags, problem, run, samples

FUNCTIONS = 200
# Names of XML, not addresses.
SPACES = {"http:" + "//www.w3.org/" + name for name in ("2000/svg", "1999/xlink", "1999/xhtml")}


def js(value):
    return json.dumps(value)


class Page:
    def __init__(self, browser, path):
        self.b, self.path = browser, path
        browser.open(path)

    def fresh(self, hash_text=""):
        self.b.run(f"location.hash = {js(hash_text)}; 0")
        self.b.open(self.path + ("#" + hash_text if hash_text else ""))

    def center(self, selector):
        """Of the first element that the selector finds."""
        at = self.b.run(f"""(() => {{ const e = document.querySelector({js(selector)}); if (!e) return null;
            e.scrollIntoView?.({{block: 'nearest'}});
            const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; }})()""")
        if at is None:
            problem(f"nothing to point at: {selector}")
            return [1, 1]
        return at

    def click(self, selector):
        self.b.click(*self.center(selector))

    def count(self, selector):
        return self.b.run(f"document.querySelectorAll({js(selector)}).length")

    def text(self, selector):
        return self.b.run(f"document.querySelector({js(selector)})?.textContent ?? ''")

    def texts(self, selector):
        return self.b.run(f"[...document.querySelectorAll({js(selector)})].map((e) => e.textContent)")

    def keys(self, *names):
        for name in names:
            self.b.key(name)


def expect(what, found, wanted):
    if found != wanted:
        problem(f"{what}: {found!r}, not {wanted!r}")


def shown(page):
    """(function, view, picked node), as the page says it in its address."""
    return page.b.run("decodeURIComponent(location.hash.slice(1)).split('/')")


def check_search(page):
    page.fresh()
    everything = page.count("nav .fn")
    page.keys("/")
    expect("'/' goes to", page.b.run("document.activeElement.id"), "search")
    page.keys(*"sleep")
    expect("functions with a sleep", page.texts("nav .fn b"), ["serve", "main"])
    expect("their states", page.texts("nav .st")[:1], ["3  SLEEP_MS"])
    page.keys("Enter")
    expect("Enter shows", shown(page), ["serve", "states", "s3"])
    page.keys("/", "Escape")
    expect("functions after Escape", page.count("nav .fn"), everything)
    page.keys("/", *"no such thing")
    expect("nothing found", (page.count("nav .fn"), page.text("nav p")), (0, "Nothing matches."))
    page.keys("Escape")


def check_functions(page):
    page.fresh()
    page.click('nav .fn[title*="refuse"]')
    expect("a click on refuse", shown(page)[:2], ["refuse", "states"])
    expect("its title in the picture", "refuse" in page.text("#canvas svg"), True)
    page.keys("]")
    expect("']' goes to", shown(page)[0], "serve")
    page.keys("[")
    expect("'[' goes back to", shown(page)[0], "refuse")
    page.keys("2")
    expect("'2' is", (shown(page)[1], page.count("#canvas .frame")), ("frame", 1))
    page.keys("3")
    expect("'3' is", (shown(page)[1], page.count('#canvas [id="call.f1"], #canvas .function') > 3), ("calls", True))
    page.click('#canvas .function[aria-label="answer"]')
    expect("a click on a function of the calls", shown(page)[:2], ["answer", "states"])
    page.click('[data-view="frame"]')
    expect("the tab", page.b.run("document.querySelector('[data-view=frame]').getAttribute('aria-selected')"), "true")


def check_states(page):
    page.fresh("serve/states/")
    page.click('#canvas [id="serve.s1"]')
    expect("a click on a state", shown(page), ["serve", "states", "s1"])
    expect("its line", page.text("#source .here .no"), "95")
    visible = page.b.run("(() => { const r = document.querySelector('#source .here').getBoundingClientRect(), "
                         "b = document.querySelector('#source').getBoundingClientRect(); return r.top >= b.top && r.bottom <= b.bottom; })()")
    expect("its line is in view", visible, True)
    expect("its details", page.text("#detail h2"), "1 READ_REQUEST")
    expect("its edges stand out", page.count("#canvas .edge.hot") >= 6, True)
    page.click('#source .row[data-line="103"]')
    expect("a click on a source line", (shown(page), page.count("#canvas .node.picked")), (["serve", "states", "s3"], 1))
    page.click('#source .row[data-line="149"]')
    expect("a line of another function", shown(page), ["main", "states", "s1"])
    page.fresh("serve/states/")
    page.keys("j", "j")
    expect("'j' twice", shown(page)[2], "s2")
    page.keys("k")
    expect("'k'", shown(page)[2], "s1")
    page.click("#detail td a")
    expect("a link in the details", shown(page)[2], "s2")
    page.keys("Escape")
    expect("Escape", shown(page)[2], "")
    before = page.count("#canvas .edge.cancel")
    page.keys("c")
    expect("cancel edges", (before, page.count("#canvas .edge.cancel") > 3), (0, True))
    page.keys("c")
    page.b.run("document.querySelector('#canvas [id=\"serve.s4\"]').focus(); 0")
    page.keys("Enter")
    expect("Enter on a focused state", shown(page)[2], "s4")


def transform(page):
    return page.b.run("document.querySelector('#canvas').style.transform")


def check_movement(page):
    page.fresh("serve/states/")
    x, y = page.center("#picture")
    start = transform(page)
    page.b.mouse("Wheel", x, y, deltaX=0, deltaY=-240)
    larger = transform(page)
    scale = [float(t.split("scale(")[1].rstrip(")")) for t in (start, larger)]
    expect("the wheel enlarges", scale[1] > scale[0] * 1.1, True)
    page.b.mouse("Pressed", x, y, button="left", buttons=1, clickCount=1)
    page.b.mouse("Moved", x + 60, y + 40, button="left", buttons=1)
    page.b.mouse("Released", x + 60, y + 40, button="left", clickCount=1)
    moved = transform(page)
    expect("dragging moves and picks nothing", (moved != larger, shown(page)[2]), (True, ""))
    page.keys("0")
    expect("'0' fits again", transform(page), start)
    page.click("#plus")
    page.click("#whole")
    expect("the buttons", transform(page), start)


def check_hover(page):
    page.fresh("serve/states/")
    page.b.mouse("Moved", *page.center('#canvas [id="serve.s3"]'))
    expect("hover over a state", page.text("#tip"), "http_ping.c:103  await aw_sleep_ms(2)")
    expect("it is visible", page.b.run("!document.querySelector('#tip').hidden"), True)
    word = page.b.run("[...document.querySelectorAll('#canvas .word')].find((w) => w.textContent.includes('naps')).id")
    page.b.mouse("Moved", *page.center(f'#canvas [id="{word}"]'))
    expect("hover over a condition", page.text("#tip"),
           "1 READ_REQUEST → 3 SLEEP_MS\nsize != -EMSGSIZE and size > 0 and naps")
    page.b.mouse("Moved", 3, 3)
    expect("it goes", page.b.run("document.querySelector('#tip').hidden"), True)


def background(page):
    return page.b.run("getComputedStyle(document.querySelector('header')).backgroundColor")


def check_theme(page):
    page.b.media(prefers_color_scheme="light")
    page.fresh("serve/states/")
    light = background(page)
    page.b.media(prefers_color_scheme="dark")
    dark = background(page)
    expect("dark mode", dark != light, True)
    page.keys("t")
    expect("'t' wins over the system's", background(page), light)
    page.fresh("main/states/")
    expect("and stays", background(page), light)
    page.b.run("localStorage.clear(); 0")
    page.b.media(prefers_color_scheme="light")


def check_help(page):
    page.fresh()
    page.keys("?")
    expect("'?' opens", page.b.run("document.querySelector('#help').open"), True)
    page.keys("Escape")
    expect("Escape closes", page.b.run("document.querySelector('#help').open"), False)


def check_narrow(page):
    for width, height in ((1440, 900), (700, 900), (390, 840)):
        page.b.size(width, height)
        page.fresh("serve/states/s1")
        wide = page.b.run("document.documentElement.scrollWidth")
        if wide > width:
            problem(f"{width} pixels: the page is {wide} wide")
        box = page.b.run("(() => { const r = document.querySelector('#picture').getBoundingClientRect(); return [r.width, r.height]; })()")
        if box[0] < width * 0.4 or box[1] < height * 0.25:
            problem(f"{width} x {height}: the picture has {box}")
        if not page.count("#source .here"):
            problem(f"{width} pixels: no line is marked")
    page.b.size(1440, 900)


def check_many(browser, folder):
    """A program of many functions: the page opens, searches and steps without a pause."""
    text = "#include <awaitc.h>\n" + "".join(
        f"static async int f{i}(int fd)\n{{\n    char b[{i + 1}];\n    if (fd > {i})\n        await aw_sleep_ms({i});\n"
        f"    return {f'await f{i - 1}(fd)' if i else '(int)await aw_read(fd, b, 1)'} + b[0];\n}}\n" for i in range(FUNCTIONS))
    text += f"async int main(void) {{ return await f{FUNCTIONS - 1}(0); }}\n"
    with open(os.path.join(folder, "many.c"), "w", encoding="utf-8") as f:
        f.write(text)
    path = os.path.join(folder, "many.html")
    run("many.c", "-o", path, *flags(), cwd=folder)
    start = time.monotonic()
    page = Page(browser, path)
    expect("functions", page.count("nav .fn"), FUNCTIONS + 1)
    page.keys("/", *"f17", "Enter")
    expect("found", shown(page)[0], "f17")
    page.keys("]", "]", "3")
    here = page.b.run("(() => { const r = document.querySelector('#canvas .picked').getBoundingClientRect(), "
                      "b = document.querySelector('#picture').getBoundingClientRect(); "
                      "return r.left >= b.left && r.right <= b.right && r.top >= b.top && r.bottom <= b.bottom; })()")
    expect("the function is in view among the calls", here, True)
    page.keys("1")
    expect("stepped among what was found to", shown(page)[0], "f170")
    took = time.monotonic() - start
    if took > 10:
        problem(f"{FUNCTIONS} functions: {took:.1f} s for a search and five keys")


with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    browser.size(1440, 900)
    source, files = next((s, f) for s, f in samples() if s.endswith("02_http_ping"))
    path = os.path.join(folder, "page.html")
    run(*files, "-o", path, *flags(), cwd=source)
    with open(path, encoding="utf-8") as f:
        addresses = set(re.findall(r"\w+://[^\s\"'<>]+", f.read()))
    for address in addresses - SPACES:
        problem(f"the page names an address: {address}")
    page = Page(browser, path)
    for check in (check_search, check_functions, check_states, check_movement, check_hover, check_theme, check_help,
                  check_narrow):
        check(page)
    check_many(browser, folder)
    for text in browser.trouble:
        problem(text)
finish("the page was used")
