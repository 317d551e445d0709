# SPDX-License-Identifier: GPL-3.0-or-later
#
# Hand-ins of students who have read the grader's code: tests/hostile-hand-ins. Each file there is an
# attempt, or a script that makes one, and its first lines say what it tries and what it must get:
#
#     tries: ...
#     gets: POINTS POINTS [CAUSE] [| what its feedback must say]     ? where it is left ungraded
#     student: the name in the report, where it is not that of the file
#
# The attempts of a folder are graded together, with an honest hand-in among them. It must get all
# its points, and no report may have what is secret in the exercise. The machine must be as before.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

test "$BUILD_KIND" = plain && test -z "$CUDALAB_WRAPPER" ||
    skip_all 'the limits of time and memory are for a plain build'
enter_work
needs_programs nvcc
attempts=$top_srcdir/tests/hostile-hand-ins
mkdir "$tmp/tmp" "$tmp/home" "$tmp/made"
export TMPDIR="$tmp/tmp" HOME="$tmp/home" S3CRET=S3cretWord
echo S3cretWord >"$tmp/canary"
cp "$attempts"/*.exercise "$attempts"/*.cu .
cp "$attempts/honest/program.cu" first.cu
say 'run first.cu' --safe --allow first.cu
grep -q 'no Landlock' "$err" && skip_all 'this kernel has no Landlock'
grep -q 'is not here' "$err" && skip_all 'a whole program under --safe needs clang'
count=0

# says WORD FILE: what a comment at the beginning of an attempt says
says() {
    LC_ALL=C sed -n "1,4s,^[#/]* *$1: ,,p" "$2"
}

# make_all FOLDER: the hand-ins of a folder are in $tmp/made/FOLDER
make_all() {
    mkdir "$tmp/made/$1"
    for attempt in "$attempts/$1"/*; do
        case $attempt in
        *.sh) (cd "$tmp/made/$1" && sh "$attempt") ;;
        *.py) ! command -v python3 >"$out" || (cd "$tmp/made/$1" && python3 "$attempt") ;;
        *) cp "$attempt" "$tmp/made/$1" ;;
        esac
    done
}

# marks_of ROW: "POINTS POINTS CAUSE" of a hand-in's line in the report
marks_of() {
    printf '%s\n' "$1" | grep -o '"state":"[a-z]*","points":[0-9.a-z]*' |
        sed 's/.*"points"://; s/null/?/' | tr '\n' ' '
    printf '%s\n' "$1" | grep -o '"cause":"[a-z]*"' | head -1 | cut -d'"' -f4
}

# row_of NAME: the line of a hand-in in report.json
row_of() {
    LC_ALL=C grep -F "{\"student\":\"$1\"" report.json
}

# left_behind: what is there that was not there before
left_behind() {
    ls "$TMPDIR"
    ls -d /tmp/cudalab-hostile* /dev/shm/cudalab-hostile* /var/tmp/cudalab-hostile* "$tmp"/cudalab-hostile* ./cudalab-hostile* 2>/dev/null
    grep 6210279 /proc/sysvipc/shm 2>/dev/null # the key 0x5ec2e7
    for process in /proc/[0-9]*; do
        case $(readlink "$process/cwd" 2>/dev/null) in
        "$TMPDIR"/*) echo "$process" ;;
        esac
    done
}

# attempt_is_told FILE: its marks, and what its feedback says
attempt_is_told() {
    name=${1##*/}
    name=${name%.*}
    student=$(says student "$1")
    gets=$(says gets "$1")
    row=$(row_of "${student:-$name}")
    count=$((count + 1))
    is "$(marks_of "$row" | sed 's/ *$//')" "$(printf '%s\n' "$gets" | sed 's/ *|.*//')" \
        "$folder/$name $(says tries "$1")"
    case $gets in
    *' | '*) like "$row" "${gets#* | }" "$folder/$name: its feedback tells why" ;;
    esac
}

# grade FOLDER EXERCISE HONEST: grades all attempts of a folder, and the honest hand-in
grade() {
    folder=$1
    case $3 in
    *.lab) honest=$PWD/honest.lab ;;
    *.txt) honest=$PWD/honest.txt ;;
    *) honest=$PWD/honest.cu ;;
    esac
    export honest
    cp "$attempts/honest/$3" "$honest"
    make_all "$folder"
    cp "$honest" "$tmp/made/$folder"
    lab grade "$2" "$tmp/made/$folder"/* --report json:report.json --report csv:report.csv \
        --report tap:report.tap --report junit:report.xml --report feedback:report.txt </dev/null
    left=$(left_behind)
    like "$status" '^[01]$' "$folder: all are graded"
    is "$(marks_of "$(row_of 'honest","id":"')")" '2 3 ' "$folder: the honest hand-in has its points"
    is "$(LC_ALL=C grep -c -e 'S3cret' -e 'GOT IN' "$out" "$err" report.* | grep -v ':0$')" '' \
        "$folder: no report has a secret"
    # But for what a student wrote, which the feedback repeats.
    is "$(LC_ALL=C grep -v '^    The answer [a-z]* is not ' report.txt | grep -c 71730)" 0 \
        "$folder: no student sees a hidden value"
    is "$left" '' "$folder: no file and no process is left"
    is "$(cat "$tmp/canary")" S3cretWord "$folder: other files are as before"
    reports_are_whole
    for attempt in "$attempts/$folder"/*; do
        case $attempt in
        *.py) command -v python3 >"$out" || continue ;;
        esac
        attempt_is_told "$attempt"
    done
}

# Each report has all hand-ins, and no line that is not the grader's.
reports_are_whole() {
    rows=$(grep -c '"student":' report.json)
    is "$(grep -c '^[{,]*{*"student":' report.json)" "$rows" "$folder: JSON has a line for each hand-in"
    is "$(grep -c '^"' report.csv)" $((rows + 1)) "$folder: CSV too"
    is "$(grep -c '^"[=+@]' report.csv)" 0 "$folder: no cell is a formula"
    is "$(grep -c '^ok \|^not ok ' report.tap)" $((2 * rows)) "$folder: TAP has two results for each"
    is "$(grep -c '<testcase ' report.xml)" $((2 * rows)) "$folder: JUnit too"
    is "$(LC_ALL=C grep -c "$(printf '[\001-\010\013-\037]')" report.csv report.tap report.xml report.txt "$out" |
        grep -v ':0$' | grep -v 'csv:' )" '' "$folder: nothing steers a terminal"
}

grade kernel kernel.exercise kernel.cu
grade program program.exercise program.cu
grade configuration configuration.exercise configuration.txt
grade question question.exercise question.txt
grade script script.exercise script.lab
grade files kernel.exercise kernel.cu
ok '80 attempts or more' test "$count" -ge 80
done_testing
