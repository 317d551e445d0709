# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts the kernel as a notebook does and talks to it. A line for each test, as tests/lib.sh reads
the verdicts of a judge. In the folder there is endless.ptx.
"""
import os
import queue
import re
import shutil
import signal
import sys
import time

from jupyter_client.manager import KernelManager

from cudalab_kernel.cells import Cells, Wrong
from cudalab_kernel.session import Ended, Session

MINUTE = 60


def verdict(holds, name, why=""):
    print("pass" if holds else "fail", name, str(why).replace("\n", " "), sep="\t", flush=True)


def same(got, wanted, name):
    verdict(got == wanted, name, f"got {got!r}, wanted {wanted!r}")


class Answer:
    """What one cell sent."""

    def __init__(self):
        self.stdout = self.stderr = ""
        self.error, self.data, self.reply = {}, [], {}
        self.times = []  # of the texts
        self.read = ""  # what could be read when the last answer was given


class Notebook:
    def __init__(self):
        self.manager = KernelManager(kernel_name="cudalab")
        self.began = time.monotonic()
        self.asked = 0  # when a question came that has no answer yet
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=MINUTE)

    def run(self, code, answers=None, at_text=None):
        """answers: of input_request, in order; at_text: called once, when the first text has come."""
        out, answers = Answer(), list(answers or [])
        message = self.client.execute(code, allow_stdin=bool(answers), stop_on_error=False)
        until = time.monotonic() + MINUTE
        while time.monotonic() < until:
            self._answer(answers, out)
            try:
                heard = self.client.get_iopub_msg(timeout=0.02)
            except queue.Empty:
                continue
            if heard["parent_header"].get("msg_id") != message:
                continue
            kind, content = heard["msg_type"], heard["content"]
            if kind == "stream":
                setattr(out, content["name"], getattr(out, content["name"]) + content["text"])
                out.times.append(time.monotonic())
                if at_text:
                    at_text, _ = None, at_text()
            elif kind == "error":
                out.error = content
            elif kind == "display_data":
                out.data.append(content["data"])
            elif kind == "status" and content["execution_state"] == "idle":
                break
        out.reply = self.reply(message)
        return out

    def _answer(self, answers, out):
        """A question is answered when no text has come for a while."""
        if answers and not self.asked:
            try:
                self.client.get_stdin_msg(timeout=0)
                self.asked = time.monotonic()
            except queue.Empty:
                pass
        if not self.asked or time.monotonic() - max([self.asked] + out.times[-1:]) < 0.2:
            return
        self.asked, out.read = 0, out.stdout
        answer = answers.pop(0)
        if answer is None:
            self.manager.interrupt_kernel()
        else:
            self.client.input(answer)

    def reply(self, message):
        while True:
            heard = self.client.get_shell_msg(timeout=MINUTE)
            if heard["parent_header"]["msg_id"] == message:
                return heard["content"]

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel()


def child_of(parent):
    """The process of cudalab."""
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                words = file.read().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if name.isdigit() and int(words[1]) == parent and words[0] != "Z":
            return int(name)
    return 0


def test_cells(nb):
    out = nb.run("echo one")
    print(f"note\tfrom the start of the kernel to the first result: "
          f"{time.monotonic() - nb.began:.2f} s", flush=True)
    same(out.stdout, "one\n", "a command")
    same(out.reply["status"], "ok", "all is well")
    out = nb.run("# a comment\n\nif 1 == 1\n  echo yes\nend\necho a; echo b")
    same(out.stdout, "yes\na\nb\n", "several lines, a block, a comment")
    out = nb.run("echo one\nnosuch\necho two")
    same(out.stdout, "one\n", "a cell ends at its first error")
    same(out.error.get("ename"), "script", "the name of an error is its cause")
    same(out.error.get("evalue"), "there is no command `nosuch`; `help` lists all commands",
         "its message")
    same(out.error.get("traceback", [""])[-1], "line 2:  nosuch", "its line")
    same(out.reply["status"], "error", "the reply is an error too")
    same(nb.run("expect 1 == 2").error.get("ename"), "check", "an expectation that fails")
    same(nb.run("trap --variant race").error.get("ename"), "fault", "a finding")
    same(nb.run("%%nosuch\n").error.get("evalue"),
         "There is no %%nosuch. A cell can begin with %%cu, %%program, %%svg.",
         "a first line that is wrong")
    same(nb.run("%%cu a/b\n").error.get("ename"), "script", "a name that is wrong")
    same(nb.run("echo '\u00e4 \U0001d4b3'").stdout, "\u00e4 \U0001d4b3\n", "characters beyond ASCII")
    out = nb.run("banks 32")
    verdict("\x1b[" in out.stdout, "colours")
    verdict(max(map(len, out.stdout.splitlines())) < 120, "lines fit")


def test_files(_):
    cells = Cells()

    def commands(code):
        try:
            return cells.commands(code)[0]
        except Wrong as e:
            return str(e)

    kernel = "__global__ void k() {}"
    code = "%%cu k -D 'A=1 2' -I inc --debug\nint a;\n" + kernel + "\n---\nlaunch k<<<1,1>>>()\nprint x"
    run = commands(code)
    same(run.split("\n")[0], 'load .cells/k.cu -I . -D "A=1 2" -I inc --debug', "options of load")
    same([run.split("\n")[i] for i in (4, 5)], code.split("\n")[4:], "commands keep their lines")
    with open(".cells/k.cu", encoding="ascii") as file:
        same(file.read().split("\n")[1:], ["int a;", kernel, ""], "lines of the source too")
    with open(".cells/k", encoding="ascii") as file:
        same(file.read().split("\n")[1], "int a;", "the file has its name without .cu as well")
    same(commands("%%cu m k other.cu\n" + kernel).split("\n")[0],
         "load .cells/m.cu -I . .cells/k.cu other.cu", "cells that are linked")
    same(commands("%%cu\n__global__ void __launch_bounds__(64)\nfirst(int *x) {}").split()[1],
         ".cells/first.cu", "the first kernel gives the name")
    same(commands("%%cu\nint x;").split("'")[1],
         "cell.cu: without a kernel, for other cells to include or link", "a cell without a kernel")
    same(commands("%%program -O 2 -- 1 'a b'\n"), "run -I . -O 2 .cells/program.cu -- 1 'a b'",
         "options of run")
    same(commands("%%cu 'k\n"), "The first line of the cell is wrong: No closing quotation.",
         "an open quote")
    cells.forget()
    verdict(not os.path.exists(".cells"), "all of it is removed")
    with open(".cells", "w", encoding="ascii"):
        pass
    run = commands("%%cu k\n" + kernel)
    verdict(run.startswith("load /"), "another folder where this one can't be", run)
    verdict(os.path.exists(run.split()[1]), "the file is there")
    cells.forget()
    os.remove(".cells")


def test_pictures(nb):
    with open("four.svg", "w", encoding="ascii") as file:
        file.write("an earlier one")
    out = nb.run("banks 4\nsnap four.svg")
    same([sorted(d) for d in out.data], [["image/svg+xml", "text/plain"]], "a file is shown")
    out = nb.run("%%svg\necho first\nbanks 2")
    verdict(out.data and out.data[0]["image/svg+xml"].rstrip().endswith("</svg>"), "%%svg: the picture")
    verdict(out.data and "s[2 i]" in out.data[0]["text/plain"], "the text stands beside it")
    same(out.stdout, "", "and nowhere else")
    same(nb.run("%%svg\nnosuch").data, [], "there is no picture after an error")


def test_questions(nb):
    reply = nb.reply(nb.client.complete("echo a\ntrap --variant bl", 24))
    same((reply["matches"], reply["cursor_start"], reply["cursor_end"]),
         (["block-1024", "block-shared", "block-shuffle"], 22, 24), "completion in the second line")
    same(nb.reply(nb.client.complete("\n%%p", 4))["matches"], ["%%program"], "completion of %%")
    reply = nb.reply(nb.client.complete("%%cu k --deb", 12))
    same((reply["matches"], reply["cursor_start"]), (["--debug"], 7), "and of its options")
    same(nb.reply(nb.client.complete("%%svg x", 7))["matches"], [], "%%svg has none")
    reply = nb.reply(nb.client.complete("echo \u00e4\u00e4; bank", 13))
    same((reply["matches"], reply["cursor_start"]), (["banks"], 9), "places count characters")
    same(nb.reply(nb.client.complete("%%cu\nba", 7))["matches"], [], "none in CUDA C")
    same(nb.reply(nb.client.complete("%%cu\n---\nbank", 13))["matches"], ["banks"], "but behind ---")
    reply = nb.reply(nb.client.inspect("banks 32; trap -n 5", 12))
    verdict(reply["found"] and "trap" in reply["data"]["text/plain"], "help for a word")
    same(nb.reply(nb.client.inspect("xyzzy", 2))["found"], False, "no help for what nobody knows")
    for code, wanted in (("echo a", "complete"), ("if 1 == 1", "incomplete"),
                         ("if 1 == 1\necho\nend", "complete"), ('echo "a', "incomplete"),
                         ("%%cu k\nint x;", "incomplete"), ("%%cu k\nint x;\n\n", "complete")):
        same(nb.reply(nb.client.is_complete(code))["status"], wanted, f"is it complete: {code}".replace("\n", " / "))
    nb.run("echo for the history")
    reply = nb.reply(nb.client.history(hist_access_type="tail", n=1))
    same([line[2] for line in reply["history"]], ["echo for the history"], "the last line")
    reply = nb.reply(nb.client.history(hist_access_type="search", pattern="*nosuch*", n=9))
    verdict(len(reply["history"]) >= 1, "a line is found")


def test_wrong_begins(nb):
    for code, wanted in (
            ("%cu k\nint x;", "There is no %cu. Did you mean %%cu? "),
            ("%%Programm\n", "There is no %%Programm. Did you mean %%program? "),
            ("# a comment\n %%svg\nbanks 2", "%%svg can only be the first line of a cell."),
            ("%%cu k", "The cell has no source code. "),
            ("%%svg banks 2", "%%svg stands alone in its line. "),
            ("%%svg\nlet n = 1", "No command of the cell has shown anything.")):
        out = nb.run(code)
        verdict(out.error.get("evalue", "").startswith(wanted), f"what is wrong with {code.split()[0]}",
                f"got {out.error.get('evalue')!r}, wanted {wanted!r}")
    error = nb.run("\n\n%%cu k --nosuch\n__global__ void k() {}").error
    same(error.get("traceback", [""])[-1], "line 3:  %%cu k --nosuch", "empty lines may come first")


def test_long_output(nb):
    lines = 5000
    out = nb.run(f"repeat k = 1..{lines}\n  echo line $k\nend")
    same(out.stdout, "".join(f"line {k}\n" for k in range(1, lines + 1)), "long output is whole")
    verdict(len(out.times) < 500, "and comes in few messages", len(out.times))


def test_sessions():
    """What can't serve as cudalab is told, and notebooks of one folder don't share their cells."""
    before = dict(os.environ)
    for name, value, wanted in (
            ("CUDALAB", "/nosuch", "/nosuch can't be started: No such file or directory."),
            ("CUDALAB", "/bin/false", "cudalab has ended with status 1."),
            ("CUDALAB", "/bin/echo", "cudalab has written a line that is no JSON object."),
            ("CUDALAB_OPTIONS", "--nosuch", "cudalab: there is no option --nosuch"),
            ("CUDALAB_OPTIONS", "'", "CUDALAB_OPTIONS is wrong: No closing quotation.")):
        session = Session()
        os.environ[name] = value
        try:
            got = session.request("run", "echo")
        except Ended as e:
            got = str(e)
        os.environ[name] = before[name]
        verdict(wanted in got, f"{name}={value}", f"got {got!r}, wanted {wanted!r}")
    os.environ["CUDALAB_OPTIONS"] = before["CUDALAB_OPTIONS"] + " --safe"
    session = Session()
    session.request("run", "banks 8")
    end = session.request("picture", "light")
    verdict(end.get("svg", "").rstrip().endswith("</svg>"), "a picture under --safe", end)
    session.close()
    os.environ["CUDALAB_OPTIONS"] = before["CUDALAB_OPTIONS"]
    one, other = Cells(), Cells()
    for cells, value in ((one, 1), (other, 2)):
        cells.commands(f"%%cu shared.cuh\nint value = {value};")
    with open(os.path.join(one.folder, "shared.cuh"), encoding="ascii") as file:
        verdict("= 1" in file.read(), "two notebooks, each with its own cells")
    run = one.commands('%%cu all\n#include "shared.cuh"')[0]
    verdict(run.startswith("echo"), "what is included has no kernel", run)
    one.commands("%%cu more.cuh\n__global__ void k() {}")
    run = one.commands('%%cu all\n#include "shared.cuh"\n#include "more.cuh"')[0]
    verdict(run.startswith("load"), "what is included has one", run)
    for cells in (one, other):
        cells.forget()
        verdict(not os.path.exists(cells.folder), "the folder is removed")


def test_input(nb):
    out = nb.run("set predict on\necho first\nbanks 4", answers=["4"])
    verdict("right: you said 4" in re.sub("\x1b\\[[0-9;]*m", "", out.stdout), "a question and its answer", out.stdout[-200:])
    verdict("Predict: How many wavefronts" in out.read, "the question can be read before", out.read[-200:])
    out = nb.run("banks 4", answers=[None])
    same(out.error.get("ename"), "stopped", "an interrupt ends a question")
    out = nb.run("banks 8\nset predict off")
    same(out.reply["status"], "ok", "where nobody can be asked, the command runs")


def test_interrupt(nb):
    nb.run("load endless.ptx\nset step-limit 2^62")
    delays, stopped_at = [], []

    def stop():
        time.sleep(0.3)
        stopped_at.append(time.monotonic())
        nb.manager.interrupt_kernel()

    for _ in range(3):
        out = nb.run("echo now\nlaunch endless<<<4, 256>>>()\necho no", at_text=stop)
        delays.append(time.monotonic() - stopped_at[-1])
        same((out.stdout.split()[:1], out.error.get("ename")), (["now"], "stopped"),
             "the output comes at once, and an interrupt ends the kernel")
        verdict("no\n" not in out.stdout.splitlines(True), "and the cell")
    print(f"note\tan interrupt ends a kernel after {max(delays) * 1000:.0f} ms at most", flush=True)
    same(nb.run("echo on").stdout, "on\n", "the session goes on")


def test_ends(nb):
    parent = nb.manager.provisioner.process.pid
    nb.run("let here = 5\nquit")
    error = nb.run("echo $here").error.get("evalue", "")
    verdict("here" in error, "after quit a new session", error)
    os.kill(child_of(parent), signal.SIGKILL)
    same(nb.run("echo x").error.get("ename"), "ended", "a cudalab that was killed is told")
    same(nb.run("echo x").stdout, "x\n", "and the next cell has a new one")
    nb.client.execute("load endless.ptx\nset step-limit 2^62\nlaunch endless<<<4, 256>>>()")
    time.sleep(0.5)
    child = child_of(parent)
    os.kill(parent, signal.SIGKILL)
    until = time.monotonic() + MINUTE
    while os.path.exists(f"/proc/{child}") and time.monotonic() < until:
        time.sleep(0.05)
    verdict(child and not os.path.exists(f"/proc/{child}"), "who is left alone ends")
    shutil.rmtree(".cells")  # which the kernel could not remove


def main():
    nb = Notebook()
    try:
        for test in (test_cells, test_files, test_wrong_begins, test_long_output, test_pictures,
                     test_questions, test_input, test_interrupt, test_ends):
            test(nb)
        test_sessions()
    finally:
        nb.close()


sys.exit(main())
