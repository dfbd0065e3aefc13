# SPDX-License-Identifier: MIT
"""What stands on an edge: does it tell each way from its neighbours, briefly, and without saying what
is not so? Read from Mermaid's text, which has the same labels as the pictures."""
import re
import tempfile

from lib_graph import finish, flags, problem, run

SOURCE = """#include <awaitc.h>
#include <stdbool.h>
int check(int a, int b, int c);
async int guards(int fd, bool naps, bool known)
{
    char b[4];
    int n = (int)await aw_read(fd, b, 4);
    if (n == -3)
        return 1;
    if (n <= 0)
        return 2;
    if (naps)
        await aw_yield();
    if (known)
        await aw_sleep_ms(1);
    else
        await aw_sleep_ms(2);
    return 3;
}
async int result(int fd, int n)
{
    char b[4];
    if (n <= 0 || await aw_read(fd, b, 4) < 0)
        return 1;
    if (!(int)await aw_read(fd, b, 1))
        return 2;
    if ((n = (int)await aw_read(fd, b, 2)) < 3 ? n : b[0])
        await aw_yield();
    return 0;
}
async int loops(int fd, int n)
{
    char b[4];
    for (int i = 0; i < n; i++) {
        if (check(fd + 1234567, i + 1234567, n + 1234567) != 0)
            continue;
        await aw_read(fd, b, 4);
    }
    return n;
}
async int choice(int fd, int op)
{
    char b[4];
    for (;;) {
        switch (op) {
        case 1: op = (int)await aw_read(fd, b, 1); break;
        case 2: case 3: op = (int)await aw_read(fd, b, 2); break;
        default: return op;
        }
    }
}
"""
EXPECTED = {
    "guards": ["n == -3 or n <= 0", "else if naps", "else if known", "else if !known", "known", "!known"],
    "result": ["n > 0", "n <= 0", "await … >= 0", "await … < 0", "(int)await …", "!(int)await …",
               "(n = (int)await …) < 3 ? n : b[0]", "!((n = (int)await …) < 3 ? n : b[…"],
    "loops": ["no", "else if check(…) == 0", "else if check(…) != 0"],
    "choice": ["case 1", "case 2, 3", "default"],
}

with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/words.c", "w", encoding="utf-8") as f:
        f.write(SOURCE)
    count = 0
    for function, expected in EXPECTED.items():
        text = run("words.c", f"--function={function}", "--format=mermaid", *flags(), cwd=folder).stdout.decode()
        text = re.sub(r"#(\d+);", lambda m: chr(int(m.group(1))), text.replace("<br/>", " "))
        found = re.findall(r"\|\"(.*?)\"\|", text)
        count += len(found)
        for words in sorted(set(expected) ^ set(found)):
            problem(f"{function}: {'not found' if words in expected else 'not expected'}: {words!r}")
finish(f"{count} labels")
