# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares a notebook that nbconvert has run with the outputs that it should have, cell by cell:
notebook.py WANTED GOT. What depends on the compiler of the cells is left out of both.
"""
import re
import sys

import nbformat

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BY_COMPILER = [
    re.compile(r", by (NVRTC|nvcc|clang) [0-9.]+"),
    re.compile(r"^      [0-9]+ registers per thread.*\n", re.M),
    re.compile(r"^  (instructions|memory|flow) .*\n", re.M),
    re.compile(r", [0-9]+ instructions by warps"),
]
# What each compiler says of the line in the cell %%cu wrong.
REFUSED = re.compile(r"compile: (nvcc|clang) [0-9.]+ refuses `\.cells/wrong\.cu`:\n"
                     r"\.cells/wrong\.cu(\(4\)|:4:[0-9]+): error: .*\n *v\[0\] = w;\n +\^\n")


def plain(text):
    text = ESCAPE.sub("", text)
    for form in BY_COMPILER:
        text = form.sub("", text)
    return text


def texts(cell):
    """The kind and the text of each output. Texts of one stream that follow each other are one."""
    found = []
    for output in cell.outputs:
        kind = output.output_type
        if kind == "stream":
            if found and found[-1][0] == output.name:
                found[-1][1] += output.text
            else:
                found.append([output.name, output.text])
        elif kind == "error":
            text = ESCAPE.sub("", "\n".join(output.traceback)) + "\n"
            found.append([f"error {output.ename}", REFUSED.sub("refused\n", text).partition("\n\n")[0]])
        else:
            found.append([kind, output.data["text/plain"]])
            has_picture = output.data.get("image/svg+xml", "").rstrip().endswith("</svg>")
            found.append(["picture", str(has_picture)])
    return [[kind, plain(text)] for kind, text in found]


def main(wanted, got):
    cells = [[cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
             for path in (wanted, got)]
    many = len(cells[0]) == len(cells[1]) >= 20
    print("pass" if many else "fail", "the notebook has all its cells", "", sep="\t")
    for number, (want, have) in enumerate(zip(*cells), 1):
        first = want.source.split("\n")[0]
        good = bool(want.outputs) and texts(want) == texts(have)
        why = "" if good else f"got {texts(have)}, wanted {texts(want)}"
        print("pass" if good else "fail", f"cell {number}: {first}", why, sep="\t")


main(*sys.argv[1:])
