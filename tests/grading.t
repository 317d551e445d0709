# SPDX-License-Identifier: GPL-3.0-or-later
#
# help grading: its recipes, as they stand there, grade the same hand-ins to the same table.
# Slurm's part is played: one task after the other, with its number in the environment.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
needs_compiler
"$CUDALAB" --help | grep -q '\] *\.* *grade\|grade EXERCISE' || skip_all 'this cudalab has no grade'
cd "$tmp" || exit 99

# recipe NUMBER: a block of the text
recipe() {
    awk -v "wanted=$1" '/^    / { if (!on) n++; on = 1; if (n == wanted) print substr($0, 5); next }
        { on = 0 }' "$top_srcdir/help/grading.txt"
}
case $CUDALAB in
/*) program=$CUDALAB ;;
*) program=$top_builddir/cudalab ;;
esac
unset MAKEFLAGS MFLAGS # of the make that runs the tests: -s would hide the commands
mkdir bin hand-ins
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(cd "$(dirname "$program")" && pwd)/cudalab" >bin/cudalab
chmod +x bin/cudalab
PATH=$tmp/bin:$PATH
from=$top_srcdir/exercises/saxpy
cp "$from/saxpy.exercise" .
cp "$from/right/usual.cu" hand-ins/ann.cu
cp "$from/wrong/no-bounds.cu" hand-ins/bob.cu
cp "$from/wrong/no-semicolon.cu" hand-ins/cat.cu
cudalab grade saxpy.exercise hand-ins --report csv:wanted.csv >"$out" 2>"$err"
is "$(wc -l <wanted.csv | tr -d ' ')" 4 'the table that grade makes of all'

recipe 1 >Makefile
$MAKE -k -j2 >"$out" 2>"$err"
is "$(cat marks.csv)" "$(cat wanted.csv)" 'make: the same table'
ok 'and a report with all details' test -s marks/bob.json
$MAKE -k -j2 >"$out" 2>"$err"
is "$(grep -c 'cudalab grade' "$out")" 0 'nothing is graded twice'
cp "$from/right/usual.cu" hand-ins/bob.cu
touch -d '1 hour' hand-ins/bob.cu 2>/dev/null || sleep 2
$MAKE -k >"$out" 2>"$err"
is "$(grep -c 'cudalab grade' "$out")" 1 'what has changed is graded again'
cp "$from/wrong/no-bounds.cu" hand-ins/bob.cu
rm -r marks marks.csv

if command -v parallel >"$out" && parallel --version 2>"$err" | grep -q '^GNU parallel'; then
    recipe 2 >all.sh
    PARALLEL_HOME=$tmp sh all.sh >"$out" 2>"$err"
    is "$(cat marks.csv)" "$(cat wanted.csv)" 'GNU parallel: the same table'
    is "$(wc -l <jobs.log | tr -d ' ')" 4 'its list of jobs'
    rm -r marks marks.csv
else
    skip 'no GNU parallel' 'GNU parallel: the same table'
fi

recipe 3 >grade.sh
ls hand-ins/*.cu >hand-ins.txt
for number in 1 2 3; do
    SLURM_ARRAY_TASK_ID=$number sh grade.sh >>"$out" 2>"$err"
done
awk 'FNR > 1 || NR == 1' marks/*.csv >marks.csv
is "$(cat marks.csv)" "$(cat wanted.csv)" 'the tasks of a job array: the same table'
done_testing
