# SPDX-License-Identifier: GPL-3.0-or-later
"""From a cell to the lines that cudalab runs. A cell without a first line `%%...` has commands.

    %%cu [NAME] [OPTIONS OF load]     the cell is the file NAME.cu, which is loaded; behind a line
                                      `---` follow commands
    %%program [OPTIONS OF run --] ARGUMENTS     the cell is a whole program, which runs
    %%svg                             the last command of the cell is shown as a picture

A line of a cell keeps its number: in the file the first line is a comment, and the commands begin
with as many empty lines as the cell has lines before them.
"""
import os
import re
import shlex
import tempfile

FOLDER = ".cells"  # beside the notebook; the compiler's messages show this name
MAGICS = ["%%cu", "%%program", "%%svg"]
HEADERS = (".h", ".cuh")
LINE = "---"  # no line of CUDA C can be this


class Wrong(Exception):
    """The first line of the cell is wrong."""


class Cells:
    def __init__(self):
        self.folder = FOLDER
        self.written = []

    def commands(self, code):
        """The lines to run, and whether the last screen is to be a picture."""
        first, _, body = code.partition("\n")
        if not first.startswith("%%"):
            return code, False
        magic, _, rest = first.partition(" ")
        if magic == "%%svg":
            return "\n" + body, True
        if magic == "%%cu":
            return self._cu(rest, first, body), False
        if magic == "%%program":
            return self._program(rest, first, body), False
        raise Wrong(f"There is no {magic}. A cell can begin with " + ", ".join(MAGICS) + ".")

    def forget(self):
        """Removes what was written, and the folder if nothing else is in it."""
        for path in self.written:
            if os.path.lexists(path):
                os.remove(path)
        self.written = []
        try:
            os.rmdir(self.folder)
        except OSError:
            pass

    # ---- %%cu -------------------------------------------------------------------------------

    def _cu(self, rest, first, body):
        lines = body.split("\n")
        at = next((i for i, line in enumerate(lines) if line.rstrip() == LINE), len(lines))
        source, commands = lines[:at], lines[at + 1:]
        words = _split(rest)
        name = words.pop(0) if words and words[0][0] != "-" else _kernel_in(body) or "cell"
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name):
            raise Wrong(f"A cell can't have the name {name}. Use letters, digits, - and _.")
        path = self._write(name, first, source)
        if path.endswith(HEADERS):
            run = f"echo '{os.path.basename(path)} is there for #include lines'"
        else:
            run = " ".join(["load", path, "-I", "."] + self._options(words))
        return run + "\n" * (at + 2) + "\n".join(commands)

    def _options(self, words):
        """Options as they are. Another word is a file, or a cell that is linked with this one."""
        out, is_value = [], False
        for word in words:
            cell = os.path.join(self.folder, _file_name(word))
            is_cell = not is_value and word[0] != "-" and os.path.exists(cell)
            out.append(_quoted(cell if is_cell else word))
            is_value = word in ("-I", "-D")
        return out

    def _program(self, rest, first, body):
        options, separator, arguments = (" " + rest + " ").partition(" -- ")
        if not separator:
            options, arguments = "", options
        path = self._write("program", first, body.split("\n"))
        return f"run -I . {options.strip()} {path} -- {arguments.strip()}"

    def picture(self):
        """Where the picture of a screen may be written."""
        self._make_folder()
        return os.path.join(self.folder, "picture.svg")

    def _make_folder(self):
        try:
            os.makedirs(self.folder, exist_ok=True)
            usable = os.access(self.folder, os.W_OK)
        except OSError:
            usable = False
        if not usable:  # nobody may write beside the notebook
            self.folder = tempfile.mkdtemp(prefix="cudalab-")

    def _write(self, name, first, lines):
        self._make_folder()
        file_name = _file_name(name)
        path = self._put(file_name, "\n".join(["// " + first] + lines) + "\n")
        plain = path[:-3] if path.endswith(".cu") else path
        if plain != path and not os.path.lexists(plain):  # #include "NAME"
            os.symlink(file_name, plain)
            self.written.append(plain)
        return path

    def _put(self, file_name, text):
        path = os.path.join(self.folder, file_name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if path not in self.written:
            self.written.append(path)
        return path


def _file_name(name):
    return name if name.endswith((".cu",) + HEADERS) else name + ".cu"


def _split(text):
    try:
        return [word for word in shlex.split(text) if word]
    except ValueError as e:
        raise Wrong(f"The first line of the cell is wrong: {e}.") from e


def _quoted(word):
    """As one word of a command."""
    if re.fullmatch(r"[A-Za-z0-9_./:=+,@%-]+", word):
        return word
    return '"' + re.sub(r'(["\\$])', r"\\\1", word) + '"'


def _kernel_in(code):
    """The name of the first kernel."""
    found = re.search(r"__global__[^;{]*?\b([A-Za-z_]\w*)\s*\(", code)
    return found and found.group(1)
