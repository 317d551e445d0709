# SPDX-License-Identifier: GPL-3.0-or-later
#
# Launches of all kernels of the labs go forwards and backwards, beside plain ones: the rows are those of
# tests/unit/travel.c.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

exec "$top_builddir/tests/unit/travel" "$PTXDIR"/*.ptx
