# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells Jupyter how the kernel is started: a file kernel.json in one of Jupyter's folders."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

DEBIAN = "/usr/bin/python3"  # has the modules that apt installs
MISSING = ("the Python modules ipykernel and jupyter_client are missing. On Debian and Ubuntu, "
           "`apt install python3-ipykernel` installs both; elsewhere, `pip install ipykernel` does.")


def has_modules(python):
    return subprocess.run([python, "-c", "import ipykernel, jupyter_client"],
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def python_with_modules():
    """This Python, or Debian's. None: neither has the modules."""
    for python in (sys.executable, DEBIAN):
        if os.access(python, os.X_OK) and has_modules(python):
            return python
    return None


def specification(python, program):
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = {"CUDALAB": program} if program else {}
    if not found_without_help(python):
        environment["PYTHONPATH"] = package
    return {"argv": [python, "-m", "cudalab_kernel", "-f", "{connection_file}"],
            "display_name": "cudalab", "language": "cudalab", "env": environment}


def found_without_help(python):
    """Does Python find this package by itself?"""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([python, "-c", "import cudalab_kernel"], cwd="/", env=environment,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0


def install(words):
    parser = argparse.ArgumentParser(
        prog="cudalab_kernel install", description="Install the cudalab kernel for Jupyter.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--user", action="store_true", help="for this user; the default")
    where.add_argument("--sys-prefix", action="store_true", help="for this Python environment")
    where.add_argument("--prefix", metavar="FOLDER", help="under FOLDER/share/jupyter")
    parser.add_argument("--program", metavar="FILE",
                        help="the cudalab to start; by default it is found by PATH")
    o = parser.parse_args(words)
    python = python_with_modules()
    if not python:
        print("cudalab_kernel: " + MISSING, file=sys.stderr)
        return 1
    prefix = sys.prefix if o.sys_prefix else o.prefix
    place = ["--prefix", prefix] if prefix else ["--user"]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(specification(python, o.program), file, indent=1)
            file.write("\n")
        done = subprocess.run([python, "-m", "jupyter_client.kernelspecapp", "install", folder,
                               "--name", "cudalab", "--log-level", "ERROR"] + place,
                              check=False)
    if done.returncode == 0:
        print("The kernel cudalab is installed. `jupyter notebook` and JupyterLab offer it.")
    return done.returncode
