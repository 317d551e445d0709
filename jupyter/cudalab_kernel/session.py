# SPDX-License-Identifier: GPL-3.0-or-later
"""One cudalab process and what is said to it: requests and answers of `cudalab --talk` (`help talk`
lists them). Nothing here knows Jupyter.
"""
import ctypes
import json
import os
import shlex
import shutil
import signal
import subprocess

PR_SET_PDEATHSIG = 1  # of Linux


class Ended(Exception):
    """The process has ended, or can't be started; the text says so in a sentence."""


class Session:
    def __init__(self):
        self.process = None
        self.version = ""
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
        # The 16 colours of a terminal follow the colours of the notebook.
        environment = dict(os.environ, TERM="xterm", COLORTERM="")
        options = shlex.split(os.environ.get("CUDALAB_OPTIONS", ""))
        try:
            self.process = subprocess.Popen(
                [program, "--talk", "--quiet", "--charset", "utf8", "--color", color] + options,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
                preexec_fn=_end_with_parent)
        except OSError as e:
            raise Ended(f"{program} can't be started: {e.strerror}.") from e
        ready = {}
        while ready.get("talk") != "ready":  # before it, what the start-up file shows
            ready = self._hear()
        self.version = ready.get("version", "")

    def close(self):
        """Ends cudalab, also while it runs a command."""
        process, self.process = self.process, None
        if not process:
            return
        process.terminate()
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except OSError:  # of what was written to a process that had ended
                pass

    # ---- one request ------------------------------------------------------------------------

    def request(self, name, text, heard=None, ask=None):
        """Sends a request and returns the last object of its answer. `heard` gets all others.
        `ask` gets a question and returns the answer, or None."""
        self.asked, self.begun, self.stop_wanted = True, False, False
        try:
            self.start()
            self._send({name: text, "ask": ask is not None})
            while True:
                said = self._hear()
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

    def _send(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError, AttributeError) as e:
            raise self._ended() from e

    def _hear(self):
        try:
            line = self.process.stdout.readline()
        except (OSError, ValueError, AttributeError) as e:
            raise self._ended() from e
        if not line:
            raise self._ended()
        return json.loads(line)

    def _ended(self):
        process = self.process
        self.close()
        status = process.returncode if process else 0
        how = f"by {signal.Signals(-status).name}" if status < 0 else f"with status {status}"
        return Ended(f"cudalab has ended {how}. The next cell begins a new session.")


def _end_with_parent():
    """In the child: if this kernel is killed, nobody could stop a command that never ends."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGHUP)
    except (OSError, AttributeError):
        pass
