# SPDX-License-Identifier: GPL-3.0-or-later
#
# Memory of whole programs: copies and fills that are longer than the pieces in which they are done
# (tests/whole/large-copies.cu), and memory that graphs bring, free and bring again
# (tests/whole/graph-memory-again.cu).
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
cp "$top_srcdir"/tests/whole/large-copies.cu "$top_srcdir"/tests/whole/graph-memory-again.cu .
needs_programs nvcc
say 'run large-copies.cu'
can_run

for name in large-copies graph-memory-again; do
    wanted=$top_srcdir/tests/whole/$name.out
    say "run $name.cu"
    status_is 0 "$name runs to its end"
    is "$(head -n "$(wc -l <"$wanted")" "$out")" "$(cat "$wanted")" "$name prints what it should"
    say_json "run $name.cu"
    json_is .status ok "$name has no mistakes"
done
done_testing
