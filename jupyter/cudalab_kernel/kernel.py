# SPDX-License-Identifier: GPL-3.0-or-later
"""What Jupyter sees: messages of its protocol on one side, a Session and Cells on the other."""
import fnmatch
import re
import signal
import time

from ipykernel.kernelbase import Kernel

from .cells import LINE, MAGICS, Cells, Wrong, begin_of
from .session import PAUSE, Ended, Session

BEFORE_CURSOR = re.compile(r"-{0,2}[\w.]+(-[\w.]+)*$")
AFTER_CURSOR = re.compile(r"[\w-]*")
COMMAND_OF = {"%%cu": "load", "%%program": "run"}  # whose options a magic takes


class CudalabKernel(Kernel):
    implementation = "cudalab"
    language_info = {"name": "cudalab", "mimetype": "text/x-c++src",
                     "codemirror_mode": "text/x-c++src", "pygments_lexer": "cuda",
                     "file_extension": ".lab"}
    help_links = []

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.session_of_cudalab = Session()
        self.cells = Cells()
        self.lines = []  # of the history

    @property
    def implementation_version(self):
        try:
            self.session_of_cudalab.start()
        except Ended:
            pass
        return self.session_of_cudalab.version

    language_version = implementation_version

    @property
    def banner(self):
        return (f"cudalab {self.implementation_version}: each line of a cell is a command. "
                "Type help or next.")

    # ---- a cell -----------------------------------------------------------------------------

    def do_execute(self, code, silent, store_history=True, user_expressions=None,
                   allow_stdin=False):
        if store_history and code.strip():
            self.lines.append(code)
        self._allow_stdin = allow_stdin  # raw_input() looks there
        cell = Cell(self, code, silent)
        try:
            commands, cell.is_picture = self.cells.commands(code)
            self._run(cell, commands, allow_stdin)
            if cell.is_picture and not cell.error:
                self._picture(cell)
        except (Wrong, OSError) as e:
            cell.fail("script", str(e), [str(e)])
        except Ended as e:
            cell.fail("ended", str(e), str(e).splitlines())
        return cell.reply()

    def _run(self, cell, commands, allow_stdin):
        session = self.session_of_cudalab
        before = signal.signal(signal.SIGINT, lambda *_: session.stop())
        try:
            end = session.request("run", commands, cell.heard,
                                  self._ask if allow_stdin else None, cell.put_held)
        finally:
            signal.signal(signal.SIGINT, before)
        cell.end(end, session.stop_wanted)

    def _ask(self, question):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return self.raw_input(question)
        finally:
            signal.signal(signal.SIGINT, before)

    def _picture(self, cell):
        if not cell.last_text:
            raise Wrong("No command of the cell has shown anything.")
        end = self.session_of_cudalab.request("picture", "light")
        if "error" in end:
            raise Wrong(end["error"])
        cell.put_picture(end["svg"], cell.last_text)

    # ---- other questions of Jupyter -----------------------------------------------------------

    def do_complete(self, code, cursor_pos):
        start = code.rfind("\n", 0, cursor_pos) + 1
        typed, names = code[start:cursor_pos], []
        magic, behind = re.match(r"\s*(%%\w*)?(\s*)", typed).groups()
        is_first = not code[:start].strip()
        if magic and is_first and not behind:
            names = [name for name in MAGICS if name.startswith(magic)]
            start += typed.index(magic)
        elif magic and is_first:
            names, at = self._completions(COMMAND_OF.get(magic, ""), typed.partition(magic)[2])
            start = cursor_pos - at
        elif not _is_source(code, cursor_pos):
            names, at = self._completions("", typed)
            start = cursor_pos - at
        return {"status": "ok", "matches": names, "cursor_start": start, "cursor_end": cursor_pos,
                "metadata": {}}

    def _completions(self, command, typed):
        """Names, and how many characters of them are typed already."""
        line = command + typed
        end = self._quietly("complete", line)
        begun = line.encode()[end.get("from", 0):].decode(errors="ignore")
        return end.get("names", []), min(len(begun), len(typed))

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        before = BEFORE_CURSOR.search(code, 0, cursor_pos)
        after = AFTER_CURSOR.match(code, cursor_pos).group()
        word = (before.group() if before else "") + after
        end = self._quietly("aside", f"help {word}") if word.strip("-") else {}
        data = {"text/plain": end["text"]} if end.get("ok") else {}
        return {"status": "ok", "found": bool(data), "data": data, "metadata": {}}

    def do_is_complete(self, code):
        if begin_of(code)[1].startswith("%%"):
            open_end = not code.endswith("\n")
        else:
            open_end = self._quietly("unfinished", code).get("unfinished", False)
        return {"status": "incomplete", "indent": ""} if open_end else {"status": "complete"}

    def do_history(self, hist_access_type, output, raw, session=None, start=None, stop=None,
                   n=None, pattern=None, unique=False):
        numbered = [(0, i, line) for i, line in enumerate(self.lines, 1)]
        if hist_access_type == "range":
            numbered = numbered[max((start or 1) - 1, 0): (stop or len(numbered) + 1) - 1]
        elif hist_access_type == "search":
            numbered = [h for h in numbered if fnmatch.fnmatch(h[2], pattern or "*")]
        if n is not None and hist_access_type != "range":
            numbered = numbered[-n:] if n else []
        return {"status": "ok", "history": numbered}

    def do_shutdown(self, restart):
        self.session_of_cudalab.close()
        self.cells.forget()
        return {"status": "ok", "restart": restart}

    def _quietly(self, name, text):
        try:
            return self.session_of_cudalab.request(name, text)
        except Ended:
            return {}


class Cell:
    """What one cell showed."""

    def __init__(self, kernel, code, silent):
        self.kernel, self.silent = kernel, silent
        self.code = code.split("\n")
        self.is_picture = False  # texts are not shown, but the last one as a picture
        self.err = ""  # texts of stderr that no command has claimed yet
        self.text = self.last_text = ""  # of the command that runs; of the last one that showed any
        self.held, self.put_at = "", 0  # text that is not sent yet, and when the last one was
        self.error = None

    def put_held(self):
        """Sends what is held. Jupyter drops messages where more than 1000 come in a second."""
        text, self.held = self.held, ""
        self.put_at = time.monotonic()
        if text:
            self._send("stream", {"name": "stdout", "text": text})

    def _send(self, kind, content):
        self.put_held()
        if not self.silent:
            self.kernel.send_response(self.kernel.iopub_socket, kind, content)

    def heard(self, said):
        kind = said.get("talk")
        if kind == "out":
            self.text += said["text"]
            if not self.is_picture:
                self.held += said["text"]
            if time.monotonic() > self.put_at + PAUSE:
                self.put_held()
        elif kind == "err":
            self.err += said["text"]
        elif "command" in said:
            self._command(said)

    def _command(self, said):
        self.last_text = self.text or self.last_text
        self.text = ""
        if said["status"] != "ok":
            error = said.get("error", {})
            faults = [f"{fault['kind']}: {fault['message']}" for fault in said.get("faults", [])]
            why = error.get("message") or "\n".join(faults)
            lines = self.err.splitlines() or faults
            is_stopped = self.kernel.session_of_cudalab.stop_wanted
            self.fail("stopped" if is_stopped else said["cause"], why, lines + self._place(said, error))
        self.err = ""

    def _place(self, said, error):
        """The line of the cell, where the error is in this line and not in a file."""
        number = error.get("line", 0)
        line = self.code[number - 1].strip() if 0 < number <= len(self.code) else ""
        is_here = said["command"] in line or (line.startswith("%%") and said["cause"] == "script")
        return [f"line {number}:  {line}"] if is_here else []

    def end(self, end, stopped):
        if "error" in end:
            self.fail("script", end["error"], [end["error"]])
        if stopped and not self.error:
            self.fail("stopped", "stopped", ["stopped"])
        if self.err:
            self._send("stream", {"name": "stderr", "text": self.err})
        for path in end.get("files", []):
            if path.endswith(".svg"):
                self._put_file(path)
        self.put_held()

    def _put_file(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                self.put_picture(file.read(), path)
        except (OSError, ValueError) as e:
            self._send("stream", {"name": "stderr", "text": f"{path} can't be shown: {e}.\n"})

    def put_picture(self, picture, text):
        self._send("display_data", {"data": {"image/svg+xml": picture, "text/plain": text},
                                    "metadata": {}})

    def fail(self, name, why, lines):
        if self.error:
            return
        self.error = {"ename": name, "evalue": why,
                      "traceback": [f"\x1b[31m{name}\x1b[0m: {lines[0] if lines else why}"] + lines[1:]}
        self._send("error", self.error)

    def reply(self):
        count = {"execution_count": self.kernel.execution_count}
        if self.error:
            return {"status": "error", **self.error, **count}
        return {"status": "ok", "payload": [], "user_expressions": {}, **count}


def _is_source(code, cursor_pos):
    """Is this place in CUDA C?"""
    start, magic, _ = begin_of(code)
    before = code[:cursor_pos].split("\n")
    return len(before) > start + 1 and (
        magic == "%%program" or (magic == "%%cu" and LINE not in before))
