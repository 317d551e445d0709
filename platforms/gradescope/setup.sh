#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Gradescope runs this once, when it makes the image. It builds cudalab from the release in this zip.
set -eu
cd "${AUTOGRADER:-/autograder}/source"
mkdir -p cudalab
tar -xzf cudalab-*.tar.gz -C cudalab --strip-components=1
cd cudalab
./quickstart -y -- --version
make -C build install
