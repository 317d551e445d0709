# SPDX-License-Identifier: GPL-3.0-or-later
"""One cudalab process and what is said to it: requests and answers of `cudalab --talk` (`help talk`
lists them). Nothing here knows Jupyter.
"""
import collections
import ctypes
import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import tempfile

PR_SET_PDEATHSIG = 1  # of Linux
PAUSE = 0.05  # seconds without a new object
CHUNK = 1 << 16


class Ended(Exception):
    """The process has ended, or can't be started; the text says so in a sentence."""


class Session:
    def __init__(self):
        self.process = None
        self.errors = None  # a file: what cudalab writes to stderr
        self.version = ""
        self.lines, self.rest = collections.deque(), b""  # what was read but not heard yet
        self.asked = self.begun = self.stop_wanted = False

    # ---- the process ------------------------------------------------------------------------

    def start(self):
        """Starts cudalab, if it does not run."""
        if self.process:
            return
        program = os.environ.get("CUDALAB") or shutil.which("cudalab")
        if not program:
            raise Ended("The program cudalab is not in PATH. Install it, or name it in CUDALAB.")
        color = "never" if os.environ.get("NO_COLOR") else "always"
        command = [program, "--talk", "--quiet", "--charset", "utf8", "--color", color]
        try:
            command += shlex.split(os.environ.get("CUDALAB_OPTIONS", ""))
        except ValueError as e:
            raise Ended(f"CUDALAB_OPTIONS is wrong: {e}.") from e
        # Nobody knows here whether the notebook is light or dark.
        environment = dict(os.environ, TERM="xterm-256color", COLORFGBG="")
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=self.errors, bufsize=0, env=environment,
                                            preexec_fn=_end_with_parent)
        except OSError as e:
            self.close()
            raise Ended(f"{program} can't be started: {e.strerror}.") from e
        self.lines.clear()
        self.rest = b""
        try:
            ready = {}
            while ready.get("talk") != "ready":  # before it, what the start-up file shows
                ready = self._hear()
        except Ended as e:
            raise Ended(f"{program} can't serve this notebook. It may be too old, or an option in "
                        f"CUDALAB_OPTIONS may be wrong. {e}") from e
        self.version = ready.get("version", "")

    def close(self):
        """Ends cudalab, also while it runs a command. Returns its status and what it said of it."""
        process, self.process = self.process, None
        errors, self.errors = self.errors, None
        status, said = 0, b""
        if process:
            process.terminate()
            try:
                status = process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                status = process.wait()
            process.stdin.close()
            process.stdout.close()
        if errors:
            errors.seek(0)
            said = errors.read().strip()
            errors.close()
        return status, said.decode(errors="replace")

    # ---- one request ------------------------------------------------------------------------

    def request(self, name, text, heard=None, ask=None, pause=None):
        """Sends a request and returns the last object of its answer. `heard` gets all others.
        `ask` gets a question and returns the answer, or None. `pause` is called when nothing new
        has come for a moment, and before a question."""
        self.asked, self.begun, self.stop_wanted = True, False, False
        try:
            self.start()
            self._send({name: text, "ask": ask is not None})
            while True:
                said = self._hear(pause)
                kind = said.get("talk")
                if kind == "end":
                    if said.get("over"):
                        self.close()
                    return said
                if kind == "begin":
                    self.begun = True
                    if self.stop_wanted:
                        self._signal()
                elif kind == "question":
                    if pause:
                        pause()
                    self._answer(said["text"], ask)
                elif heard:
                    heard(said)
        finally:
            self.asked = False

    def stop(self):
        """Stops the command that runs. Before the answer begins, cudalab would ignore the signal."""
        self.stop_wanted = True
        if self.asked and self.begun:
            self._signal()

    def _answer(self, question, ask):
        try:
            answer = ask(question)
        except KeyboardInterrupt:
            self.stop_wanted = True
            self._signal()  # that ends the question: no answer is read
            return
        self._send({"answer": answer})

    def _signal(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)

    # Another thread may close the session meanwhile. That is an AttributeError or a ValueError.

    def _send(self, request):
        try:
            left = json.dumps(request).encode() + b"\n"
            while left:
                left = left[self.process.stdin.write(left):]
        except (OSError, ValueError, AttributeError) as e:
            raise self._ended() from e

    def _hear(self, pause=None):
        """The next object."""
        while not self.lines:
            try:
                output = self.process.stdout
                if pause and not select.select([output], [], [], PAUSE)[0]:
                    pause()
                read = output.read(CHUNK)
            except (OSError, ValueError, AttributeError) as e:
                raise self._ended() from e
            if not read:
                raise self._ended()
            *lines, self.rest = (self.rest + read).split(b"\n")
            self.lines.extend(lines)
        try:
            return dict(json.loads(self.lines.popleft()))
        except (ValueError, TypeError) as e:
            self.close()
            raise Ended("cudalab has written a line that is no JSON object. "
                        "The next cell begins a new session.") from e

    def _ended(self):
        try:
            self.process.wait(1)
        except (subprocess.TimeoutExpired, AttributeError):
            pass
        status, said = self.close()
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return Ended(f"cudalab has ended {how}. The next cell begins a new session.\n{said}".strip())


def _end_with_parent():
    """In the child: if this kernel is killed, nobody could stop a command that never ends."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGHUP)
    except (OSError, AttributeError):
        pass
