# SPDX-License-Identifier: GPL-3.0-or-later
"""A Jupyter kernel that shows cudalab in a notebook.

session.py talks to one cudalab process, cells.py turns a cell into commands, kernel.py is what
Jupyter sees, install.py tells Jupyter about it.
"""
