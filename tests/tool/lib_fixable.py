# SPDX-License-Identifier: MIT
"""Sources with findings that have fixes."""
HEAD = "#include <awaitc.h>\n#include <unistd.h>\n"
# Each source has a finding with a fix.
FIXABLE = {
    "twin.c": HEAD + "async int f(char *b)\n{\n    sleep(1);\n    await aw_sleep_ms(1);\n    return (int)read(0, b, 9);\n}\n",
    "calls.c": HEAD + "async int f(int fd)\n{\n    if (fsync(fd) < 0 || fdatasync(fd) != 0)\n        return -1;\n"
               "    await aw_sleep_ms(1);\n    return 0;\n}\n",
    "crlf.c": (HEAD + "async int f(int fd)\n{\n    fsync(fd);\n    await aw_sleep_ms(1);\n    return 0;\n}\n").replace("\n", "\r\n"),
    "no_end.c": HEAD + "async int f(int fd)\n{\n    await aw_sleep_ms(1);\n    return fsync(fd); }",
    "missing.c": HEAD + "async int g(void)\n{\n    await aw_sleep_ms(1);\n    return 0;\n}\n"
                 "async int f(void)\n{\n    g();\n    await aw_sleep_ms(1);\n    return 0;\n}\n",
    "row.c": HEAD + "async int a(int n)\n{\n    await aw_sleep_ms(10);\n    return n;\n}\n"
             "async int b(int n)\n{\n    await aw_sleep_ms(20);\n    return n;\n}\n"
             "async int f(void)\n{\n    int x = await a(1);\n    int y = await b(2);\n    return x + y;\n}\n",
    "deep dir/spaced name.c": HEAD + "async int f(int fd)\n{\n    fsync(fd);\n    await aw_sleep_ms(1);\n    return 0;\n}\n",
    "chain.c": HEAD + "static void save(int fd)\n{\n    if (fsync(fd) < 0)\n        _exit(1);\n}\n"
               "async int f(int fd)\n{\n    save(fd);\n    (void)fsync(fd);\n    await aw_sleep_ms(1);\n"
               "    return 0;\n}\n",
}
