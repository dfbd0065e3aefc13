# SPDX-License-Identifier: MIT
"""Does `awaitc rules --test DIR` test the checks that a project wrote itself?"""
from lib_lint import AWAITC, Project, check, finish

RULE = "; id: ourlib-no-strcpy\n; message: no strcpy into '{to}'\n\n((call_expression\n" \
       "   function: (identifier) @callee\n   arguments: (argument_list . (_) @to (_) .)) @report\n" \
       "  (#eq? @callee \"strcpy\"))\n"
TEST = "void f(char *a)\n{\n    strcpy(a, \"b\"); // EXPECT: ourlib-no-strcpy\n    strncpy(a, \"b\", 1);\n}\n"


def expect(name, files, status, *wanted, args=("checks",)):
    with Project(files) as p:
        r = p.run([AWAITC, "rules", "--test", *args], text=True)
        check(r.returncode == status, f"{name}: exit status {r.returncode}", r.stdout + r.stderr)
        for text in wanted:
            check(text in r.stdout + r.stderr, f"{name}: '{text}'", r.stdout + r.stderr)


good = {"checks/strcpy.scm": RULE, "checks/strcpy.test.c": TEST}
expect("what passes", good, 0, "1 rules, 1 test files, 1 expectations: 0 problems")
expect("what is expected, but not found", {**good, "checks/strcpy.test.c": TEST.replace("strcpy(a, ", "copy(a, ")},
       1, "checks/strcpy.test.c:3: expected, but not found: ourlib-no-strcpy")
expect("what is found, but not expected", {**good, "checks/b.test.c": "void f(char *a) { strcpy(a, a); }\n"},
       1, "checks/b.test.c:1:19: not expected: no strcpy into 'a'")
expect("a check without a test", {"checks/strcpy.scm": RULE}, 1, "no test expects 'ourlib-no-strcpy'")
expect("a check with an error", {**good, "checks/x.scm": RULE.replace("(#eq?", "(#eq")}, 1, "checks/x.scm:")
expect("a folder that is not there", good, 1, "gone", args=("gone",))
expect("no folder", good, 2, "[awaitc-usage]", args=())
expect("two folders", good, 2, "[awaitc-usage]", args=("checks", "checks"))
finish()
