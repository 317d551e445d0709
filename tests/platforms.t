# SPDX-License-Identifier: GPL-3.0-or-later
#
# The folders for platforms: what each of them runs for a hand-in is run here, in folders as the
# platform makes them, and gives the marks of exercises/saxpy/marks.txt.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

export CUDALAB
of=$top_srcdir/platforms
saxpy=$top_srcdir/exercises/saxpy

for script in gradescope/setup.sh gradescope/run_autograder gradescope/pack \
    prairielearn/tests/run.sh; do
    ok "$script is a script of the shell" sh -n "$of/$script"
    ok "$script can be started" test -x "$of/$script"
done

# ---- a hand-in on each platform -----------------------------------------------------------

mkdir -p "$tmp/autograder/source" "$tmp/autograder/submission" "$tmp/autograder/results" \
    "$tmp/grade/tests" "$tmp/grade/student"
cp "$saxpy/saxpy.exercise" "$tmp/autograder/source"
cp "$saxpy/saxpy.exercise" "$of/prairielearn/tests/run.sh" "$tmp/grade/tests"

# hands_in FILE: a student uploads saxpy.cu, and each platform starts its script.
hands_in() {
    cp "$saxpy/$1" "$tmp/autograder/submission/saxpy.cu"
    cp "$saxpy/$1" "$tmp/grade/student/saxpy.cu"
    rm -rf "$tmp/autograder/results/results.json" "$tmp/grade/results"
    AUTOGRADER=$tmp/autograder "$of/gradescope/run_autograder" >"$tmp/log" 2>"$err"
    is $? 0 "$1: Gradescope's script ends well"
    GRADE=$tmp/grade "$tmp/grade/tests/run.sh" >"$tmp/log" 2>"$err"
    is $? 0 "$1: PrairieLearn's script ends well"
}

# marks_are FILE POINTS SCORE: points of 10 in one report, the part of 1 in the other.
marks_are() {
    hands_in "$1"
    cp "$tmp/autograder/results/results.json" "$out"
    json_is .score "$2" "$1: Gradescope reads $2 points"
    json_is '.tests[0].max_score' 4 'the first test gives up to 4'
    json_is '.tests[2].visibility' hidden 'the third is hidden'
    cp "$tmp/grade/results/results.json" "$out"
    json_is .gradable true "$1: PrairieLearn can grade it"
    json_is .score "$3" "and reads $3"
}

marks_are right/usual.cu 10 1
marks_are wrong/no-bounds.cu 6 0.6
marks_are wrong/not-added.cu 0 0
marks_are wrong/no-semicolon.cu 0 0

# ---- scripts that students can run --------------------------------------------------------

mkdir "$tmp/class"
cp "$of"/github-classroom/*.lab "$tmp/class"
for row in 'right/usual.cu 0 0' 'right/early-return.cu 0 0' 'wrong/not-added.cu 1 0' \
    'wrong/no-bounds.cu 4 4' 'wrong/no-semicolon.cu 3 3'; do
    # shellcheck disable=SC2086
    set -- $row
    cp "$saxpy/$1" "$tmp/class/saxpy.cu"
    for want in "right $2" "faults $3"; do
        step=${want% *}
        command=$(sed -n "s/^ *command: cudalab \(.* $step\.lab\)\$/\1/p" \
            "$of/github-classroom/classroom.yml")
        # shellcheck disable=SC2086
        (cd "$tmp/class" && "$CUDALAB" --no-init $command >"$tmp/log" 2>&1)
        is $? "${want#* }" "$1: $step.lab ends with ${want#* }"
    done
done

# ---- the other files ----------------------------------------------------------------------

tr -d '\n' <"$of/prairielearn/info.json" >"$out"
json_is .externalGradingOptions.entrypoint /grade/tests/run.sh 'PrairieLearn starts that script'
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    : >"$tmp/cudalab-0.tar.gz"
    ok 'a zip for Gradescope' "$of/gradescope/pack" "$saxpy" "$tmp/cudalab-0.tar.gz" "$tmp/made.zip"
    is "$(unzip -Z1 "$tmp/made.zip" | LC_ALL=C sort | tr '\n' ' ')" \
        'cudalab-0.tar.gz run_autograder saxpy.exercise setup.sh ' 'has no solutions'
else
    skip 'zip or unzip is not there' 'a zip for Gradescope'
fi
done_testing
