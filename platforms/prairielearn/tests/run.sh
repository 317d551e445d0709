#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# PrairieLearn runs this for each hand-in, and reads results/results.json afterwards. The exercise is
# beside this file.
set -eu
cd "${GRADE:-/grade}"
mkdir -p results
exec "${CUDALAB:-cudalab}" grade tests/*.exercise student --report prairielearn:results/results.json
