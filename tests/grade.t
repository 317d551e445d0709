# SPDX-License-Identifier: GPL-3.0-or-later
#
# `cudalab grade`: hand-ins in, marks out. The exercises of the tree with their hand-ins are in
# grade-exercises.t. Here are small ones: which kernel is taken, what each cause is, what a second
# run keeps, and what is said about mistakes in an exercise.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

# grade WORDS...: `cudalab grade WORDS...`, as in a shell
grade() {
    lab --no-init grade "$@" </dev/null
}

# marks_of STUDENT: points of its tests, then the cause, of the last report all.csv
marks_of() {
    sed -n "s/^\"$1\",\"[^\"]*\",//p" all.csv | cut -d, -f"1-$tests,$((tests + 4))" | tr -d '"' | tr , ' ' |
        sed 's/ $//'
}

# mark STUDENT MARKS NAME
mark() {
    is "$(marks_of "$1")" "$2" "$3"
}

# ---- an exercise and its hand-ins ----------------------------------------------------------

cat >twice.exercise <<'END'
# Secrets of the instructor are in this file.
exercise twice kernel twice(int n, float f, const float *in, float *out)
say "out[i] = f * in[i]"
seed 5
input f 2
input in[n] random:-8:8
input out[n]
sizes n 64
launch <<<(n + 31) / 32, 32>>>
reference out expr:$f*in
testcase "right" points 2
  hint "Multiply each element."
  expect out ~ reference rtol 1e-6
end
testcase "edges" points 1.5 hidden needs "right"
  sizes n 1 33
  expect out ~ reference rtol 1e-6
end
testcase "orders" points 1
  sizes n 40
  schedules lockstep random:1..2
  expect faults == none
  expect registers <= 64
  expect blocks == 2
end
end
END
tests=3
mkdir all
body='int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = f * in[i];'
args='int n, float f, const float *in, float *out'
echo "__global__ void twice($args) { $body }" >all/right.cu
echo "__global__ void other($args) { $body }" >all/name.cu
echo "__global__ void twice(float *out, const float *in, float f, int n) { $body }" >all/order.cu
echo "__global__ void twice(int n, float f, const float *a, float *b) { const float *in = a; float *out = b; $body }" >all/names.cu
echo "__global__ void twice($args) { $body }" >all/capitals.CU
echo "__global__ void b(int x) {} __global__ void c($args) { $body }" >all/by-parameters.cu
echo "__global__ void b($args) {} __global__ void c($args) { $body }" >all/unclear.cu
echo "__device__ int in, out, out_; __device__ int none() { return in + out + out_; } namespace q { __global__ void twice($args) { $body if (i < n) out[i] += none(); } }" >all/variables.cu
echo "__device__ int runs; __global__ void twice($args) { $body if (i == 0 && runs++) out[0] = 0; }" >all/state.cu
echo "__global__ void twice(int n, double f, const float *in, float *out) { $body }" >all/double.cu
echo "__global__ void twice(int n, float f, const double *in, float *out) { $body }" >all/type.cu
echo "__global__ void twice($args) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = f * in[i]; }" >all/bounds.cu
echo "__global__ void twice($args) { while (n) out[0] += 0 * f; }" >all/endless.cu
echo "__global__ void twice($args) { $body; if (i == n) __trap(); }" >all/trap.cu
echo "__global__ void twice($args) { $body oops }" >all/syntax.cu
echo "int main() { return 0; }" >all/no-kernel.cu
: >all/empty.cu
printf 'a\0b' >all/binary.cu
mkdir several
echo '__device__ float times(float f, float x);' >several/times.h
echo '__device__ float times(float f, float x) { return f * x; }' >several/times.cu
printf '#include "times.h"\n%s' "__global__ void twice($args) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = times(f, in[i]); }" >several/main.cu

printf '%%PDF-1.7' >several/report.pdf

# everybody WORDS...: all hand-ins
everybody() {
    grade twice.exercise all several "$@"
}
everybody --report csv:all.csv --report json:all.json --report feedback:all.txt
status_is 0 'all are graded'
out_has 'right' 'and the table is there'
mark right '2 1.5 1' 'a right hand-in has all points'
mark name '2 1.5 1' 'the only kernel is taken, whatever its name is'
mark order '2 1.5 1' 'parameters may have another order'
mark names '2 1.5 1' 'or other names'
mark capitals '2 1.5 1' 'a file may have its ending in capitals'
mark by-parameters '2 1.5 1' 'of two kernels, the one with these parameters is taken'
mark unclear '0 0 0 check' 'it must be clear which one'
mark variables '2 1.5 1' 'variables with the names of the inputs are in nobody'\''s way'
mark state '2 1.5 1' 'a module'\''s variables have their first values in each run'
mark double '2 1.5 1' 'a number may have another precision'
mark type '0 0 0 check' 'an array may not'
mark bounds '2 0 0 fault' 'a fault where n is no multiple of the block'
mark endless '0 0 0 limit' 'a kernel that does not end'
mark trap '2 0 0 fault' 'a trap in the second block'
mark syntax '0 0 0 compile' 'a hand-in that does not compile'
mark empty '0 0 0 check' 'an empty file'
mark binary '0 0 0 check' 'a file that is no text'
mark several '2 1.5 1' 'several files are one hand-in'
ok 'the compiler'\''s words are there' test "$(grep -c 'oops' all.txt)" -ge 1
ok 'the feedback names the size' grep -q 'With n = 1:' all.json
ok 'it says what was taken' grep -q 'Your kernel `other` was taken for it' all.txt
ok 'and that parameters have another order' grep -q 'have another order than in the exercise' all.txt
ok 'and which file is of no use' grep -q 'report.pdf is a PDF document' all.txt
ok 'the hint is there' grep -q 'Multiply each element' all.txt
ok 'a hidden test has no name for students' test -z "$(grep -e edges all.txt)"

# Two sources and a document: one student's work, or a class's? Nobody gets 0 points for that.
mkdir unclear && cp all/right.cu all/name.cu several/report.pdf unclear
grade twice.exercise unclear --report json:unclear.json
status_is 1 'a folder that may be either is not graded'
out_has 'not graded: 1 hand-in' 'it has no points, and not 0'
out_has 'name the sources one by one' 'and the note says what to do'

# ---- the same again --------------------------------------------------------------------------

cp all.json first.json
grade twice.exercise all/[s-v]* several all/[a-r]* --jobs 1 --report json:all.json
ok 'the same bytes in another order, one by one' cmp -s all.json first.json
everybody --jobs 3 --marks kept --report json:all.json
ok 'the same with a journal' cmp -s all.json first.json
head -c "$(($(wc -c <kept) - 40))" kept >cut && cp cut kept
echo "__global__ void twice($args) { $body if (i == 0) out[0] = 100; }" >all/name.cu
everybody --marks kept --report csv:all.csv --compare first.json
status_is 0 'a journal that was cut'
out_like 'hand-ins were graded before' 'what was kept is taken'
out_has 'kept has 1 line that can'\''t be read' 'the cut line is told'
out_has 'The marks of 1 hand-in have changed' 'and a hand-in that changed is graded again'
mark name '0 0 1 check' 'with new marks'
everybody --marks kept --report csv:all.csv --again
out_lacks 'graded before' '--again takes nothing from it'

# What was left out is a part of what is kept.
mkdir attempts
cp all/right.cu attempts/ann.cu
cp all/right.cu attempts/ann-3.cu
grade twice.exercise attempts --marks noted
mv attempts tries
grade twice.exercise tries --marks noted --report csv:all.csv
ok 'a hand-in with another note is graded again' grep -q 'tries: ann.cu is left out' all.csv

# ---- points by hand --------------------------------------------------------------------------

grade twice.exercise --override syntax right 1 'a typing mistake' --marks kept
status_is 0 'an override is written'
everybody --marks kept --report csv:all.csv
mark syntax '1 0 0 compile' 'and it counts in the next run'
out_has 'a typing mistake' 'with its reason'
grade twice.exercise --override sintax right 1 why --marks kept
status_is 1 'a student who is not there'
err_has 'syntax' 'the near one is offered'
grade twice.exercise --override syntax wrong 1 why --marks kept
status_is 1 'a test that is not there'
rm twice.overrides

# ---- one student, other forms of hand-ins ----------------------------------------------------

grade twice.exercise all --student bounds
out_has 'out-of-bounds' 'the feedback of one student'
out_lacks 'by-parameters' 'alone'
for form in tap junit gradescope prairielearn coderunner json csv feedback; do
    grade twice.exercise all/right.cu --report "$form"
    status_is 0 "$form to the screen"
    out_lacks 'student   ' 'without the table'
done
grade twice.exercise all/right.cu --report csv:/nowhere/all.csv
status_is 1 'a report that can'\''t be written'
err_has '/nowhere/all.csv' 'is told'

# ---- status 2: nothing can be graded ---------------------------------------------------------

# refuses NAME MESSAGE WORDS...
refuses() {
    refused=$1 message=$2
    shift 2
    grade "$@"
    status_is 2 "$refused"
    err_has "$message" 'it is said why'
}
refuses 'no hand-in' 'grade needs hand-ins' twice.exercise
refuses 'no exercise' 'EXERCISE is missing'
refuses 'a hand-in that is not there' 'nosuch' twice.exercise nosuch
refuses 'an exercise that is not there' 'nosuch' nosuch all
refuses 'a report that is none' 'did you mean `tap`' twice.exercise all --report tab
refuses 'an option that is none' '--bogus' twice.exercise all --bogus
refuses 'another student' 'the student zoe has no hand-in' twice.exercise all --student zoe
printf 'grade twice.exercise all\n' >safe.lab
lab --no-init --safe safe.lab </dev/null
status_is 1 'under --safe nothing is graded'

# The forms are told in the same order everywhere.
grade twice.exercise all --report excel
forms=$(sed -n 's/.*there are //p' "$err" | tr -d ,)
like "$forms" '^tap junit .* feedback$' 'a report that is none is told all forms'
say 'help grade'
is "$(tr '\n' ' ' <"$out" | sed 's/.*The *forms: //; s/ --lint.*//' | grep -o '`[a-z]*`' | tr -d '`' |
    tr '\n' ' ')" "$forms " 'so does help'
is "$(tr '\n' ' ' <"$top_srcdir/man/cudalab-exercise.1" | sed 's/.*FORM is //; s/ *\. *\.Fl.*//' |
    sed 's/\.Cm//g; s/,//g; s/ or / /; s/  */ /g; s/^ //')" "$forms" 'and the manual page'

# ---- what can't be graded is no zero ---------------------------------------------------------

mkdir two
cp all/right.cu two/right.cu
echo >>two/right.cu
grade twice.exercise all/right.cu two/right.cu all/name.cu --report csv:all.csv
status_is 1 'two hand-ins of one student'
is "$(sed -n 's/^"right","",//p' all.csv | cut -d, -f1-5)" ',,,,4.5' 'have no marks'
out_has 'name' 'but the others have'
err_has '1 hand-in has a test that could not be graded' 'and it is told'

# The grader reads more of arrays than a hand-in may print.
sed 's/^launch/limit output 100000\n&/; s/sizes n 1 33/sizes n 1 50000/' twice.exercise >quiet.exercise
grade quiet.exercise all/right.cu --report csv:all.csv
mark right '2 1.5 1' 'what is read of arrays is not what a hand-in prints'

# Two hand-ins of one student, one of them with a file that is of no use: that is no zero either.
mkdir two/right
cp several/* two/right
grade twice.exercise all/right.cu two/right --report csv:all.csv
status_is 1 'two hand-ins of one student, and a document'
is "$(sed -n 's/^"right","",//p' all.csv | cut -d, -f1-5)" ',,,,4.5' 'have no marks'

# A mistake of the exercise that shows only when a hand-in runs.
for mistake in 'expect out[40] == 1' 'let q = 1 / (n - 33)'; do
    sed "s,  sizes n 1 33,&\n  $mistake," twice.exercise >late.exercise
    grade late.exercise all/right.cu --report csv:all.csv --report json:late.json
    status_is 1 "in one run: $mistake"
    is "$(sed -n 's/^"right","",//p' all.csv | cut -d, -f1-4)" 2,,1, 'this test has no mark'
    ok 'and the note has its line' grep -q '"note":"Line 17 of the exercise can' late.json
done

# What the computer lacks is nobody's mistake.
TMPDIR=$tmp/nowhere lab --no-init grade twice.exercise all/right.cu </dev/null
status_is 1 'no folder for the work'
err_has 'cannot make a temporary folder in' 'is told'
out_lacks 'right' 'and there are no marks'
sed 's/expect blocks == 2/expect counters.nosuch == 2/' twice.exercise >cant.exercise
refuses 'an expectation that can'\''t be judged' 'cant.exercise has 1 mistake' cant.exercise all/right.cu
sed 's/\$f\*in/$f*in\/(1-1)*out[/' twice.exercise >formula.exercise
refuses 'a reference that can'\''t be computed' 'formula.exercise:10: ' formula.exercise all/right.cu
sed 's/^reference .*/reference out kernel ref.cu/' twice.exercise >ref.exercise
echo '__global__ void twice(int n) { }' >ref.cu
refuses 'a reference with another signature' 'ref.cu has no kernel that fits' ref.exercise all/right.cu
echo "__global__ void twice($args) { out[n] = 1; }" >ref.cu
refuses 'a reference with a fault' "the reference's launch did not go well" ref.exercise all/right.cu
# ---- a grader that is killed -----------------------------------------------------------------

# graders: their folders
graders() {
    ls "$tmp/scratch" | grep -c '^cudalab-grade'
}
has_graders() { # has_graders N
    test "$(graders)" = "$1"
}
# begins N: one more grader, in the background, of a kernel that does not end; $grader is its number
begins() {
    $CUDALAB_WRAPPER "$CUDALAB" --no-init grade slow.exercise all/endless.cu >/dev/null 2>&1 </dev/null &
    grader=$!
    until_true has_graders "$1"
}
sed 's/^seed 5/limit steps 2^40/' twice.exercise >slow.exercise
mkdir "$tmp/scratch" "$tmp/kept"
: >"$tmp/kept/file"
ln -s "$tmp/kept" "$tmp/scratch/cudalab-grade.abcdef"
TMPDIR=$tmp/scratch
export TMPDIR
begins 2
killed=$grader
dead=$(ls "$TMPDIR" | grep -v abcdef)
begins 3
kill -KILL "$killed"
one_less() { # the next grader takes the folder away, when all that the killed one started is gone
    grade twice.exercise all/right.cu
    has_graders 2
}
until_true one_less
ok 'the folder of a grader that was killed goes' test ! -e "$TMPDIR/$dead"
ok 'that of a grader that lives stays' has_graders 2
ok 'and no link is followed' test -e "$tmp/kept/file"
kill -TERM "$grader"
wait "$grader"
ok 'a grader that is told to end leaves nothing' has_graders 1
done_testing
