# SPDX-License-Identifier: GPL-3.0-or-later
"""From a cell to the lines that cudalab runs. A cell that does not begin with `%%...` has commands.

    %%cu [NAME] [OPTIONS OF load]     the cell is the file NAME.cu, which is loaded; behind a line
                                      `---` follow commands
    %%program [OPTIONS OF run --] ARGUMENTS     the cell is a whole program, which runs
    %%svg                             the last command of the cell is shown as a picture

A line of a cell keeps its number: empty lines stand for those that are not in the file, or that are
no commands.
"""
import difflib
import fcntl
import os
import re
import shlex
import tempfile

FOLDER = ".cells"  # beside the notebook; the compiler's messages show this name
FOLDERS_MOST = 100  # notebooks that run in one folder
MAGICS = ["%%cu", "%%program", "%%svg"]
HEADERS = (".h", ".cuh")
LINE = "---"  # no line of CUDA C can be this


INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


class Wrong(Exception):
    """Something is wrong with the cell, as a sentence."""


def begin_of(code):
    """The first line that is not empty: its index, its first word and the rest of it."""
    lines = code.split("\n")
    start = next((i for i, line in enumerate(lines) if line.strip()), 0)
    word, _, rest = lines[start].strip().partition(" ")
    return start, word, rest


class Cells:
    def __init__(self):
        self.folder = FOLDER
        self.lock = None  # a descriptor of the folder, once it is there for this notebook alone
        self.written = []

    def commands(self, code):
        """The lines to run, and whether the last screen is to be a picture."""
        start, magic, rest = begin_of(code)
        lines = code.split("\n")
        body = lines[start + 1:]
        if not magic.startswith("%"):
            for line in lines:
                if line.split()[:1] and line.split()[0] in MAGICS:
                    raise Wrong(f"{line.split()[0]} can only be the first line of a cell.")
            return code, False
        if magic == "%%svg":
            if rest.strip():
                raise Wrong("%%svg stands alone in its line. The commands follow in the next lines.")
            return "\n" * (start + 1) + "\n".join(body), True
        if magic == "%%cu":
            return "\n" * start + self._cu(rest, start, body), False
        if magic == "%%program":
            return "\n" * start + self._program(rest, start, body), False
        near = difflib.get_close_matches(magic.lower(), MAGICS, 1, 0.7)
        raise Wrong(f"There is no {magic}. " + (f"Did you mean {near[0]}? " if near else "") +
                    "A cell can begin with " + ", ".join(MAGICS) + ".")

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
        if self.lock is not None:
            os.close(self.lock)
            self.lock = None

    # ---- %%cu -------------------------------------------------------------------------------

    def _cu(self, rest, start, lines):
        at = next((i for i, line in enumerate(lines) if line.rstrip() == LINE), len(lines))
        source, commands = "\n".join(lines[:at]), lines[at + 1:]
        words = _split(rest)
        name = words.pop(0) if words and words[0][0] != "-" else _kernel_in(source) or "cell"
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", name):
            raise Wrong(f"A cell can't have the name {name}. Use letters, digits, - and _.")
        if not source.strip():
            raise Wrong("The cell has no source code. It belongs in the lines behind %%cu.")
        path = self._write(name, start, source)
        if path.endswith(HEADERS) or not self._has_kernel(source, set()):
            run = f"echo '{os.path.basename(path)}: without a kernel, for other cells to include or link'"
        else:
            run = " ".join(["load", path, "-I", "."] + self._options(words))
        return run + "\n" * (at + 2) + "\n".join(commands)

    def _has_kernel(self, source, seen):
        """Is there a kernel in the source, or in a cell that it includes?"""
        if "__global__" in source:
            return True
        for name in INCLUDE.findall(source):
            path = os.path.join(self.folder, name)
            if name not in seen and path in self.written:
                seen.add(name)
                with open(path, encoding="utf-8") as file:
                    if self._has_kernel(file.read(), seen):
                        return True
        return False

    def _options(self, words):
        """Options as they are. Another word is a file, or a cell that is linked with this one."""
        out, is_value = [], False
        for word in words:
            cell = os.path.join(self.folder, _file_name(word))
            is_cell = not is_value and word[0] != "-" and os.path.exists(cell)
            out.append(_quoted(cell if is_cell else word))
            is_value = word in ("-I", "-D")
        return out

    def _program(self, rest, start, lines):
        options, separator, arguments = (" " + rest + " ").partition(" -- ")
        if not separator:
            options, arguments = "", options
        path = self._write("program", start, "\n".join(lines))
        return f"run -I . {options.strip()} {path} -- {arguments.strip()}"

    # ---- the files --------------------------------------------------------------------------

    def _make_folder(self):
        """Each notebook has its own: .cells, .cells-2 and so on, or a temporary one."""
        if self.lock is not None:
            return
        for number in range(1, FOLDERS_MOST):
            self.folder = FOLDER if number == 1 else f"{FOLDER}-{number}"
            try:
                os.makedirs(self.folder, exist_ok=True)
                self.lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
                fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # another notebook has it
                os.close(self.lock)
                continue
            except OSError:
                break
            if os.access(self.folder, os.W_OK):
                return
            break
        self.folder = tempfile.mkdtemp(prefix="cudalab-")  # nobody may write beside the notebook
        self.lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)

    def _write(self, name, start, source):
        self._make_folder()
        file_name = _file_name(name)
        path = self._put(file_name, "\n" * (start + 1) + source + "\n")
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
    code = re.sub(r"__\w+__\s*\([^)]*\)", "", code)  # __launch_bounds__(64)
    found = re.search(r"__global__[^;{]*?\b([A-Za-z_]\w*)\s*\(", code)
    return found and found.group(1)
