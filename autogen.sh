#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes ./configure in a clone. (A release has it already.)
set -e
cd "$(dirname "$0")"
exec autoreconf --install --warnings=all "$@"
