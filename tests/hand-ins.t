# SPDX-License-Identifier: GPL-3.0-or-later
#
# Hand-ins that go wrong in many ways, and what `cudalab grade` says of each: its marks, the cause of
# each test, and the first line of the feedback. tests/data/hand-ins.txt has them.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc

# Each exercise gets a folder with its file and its hand-ins. In `wanted` are NAME|MARKS|CAUSES|FIRST
# LINE of each hand-in.
awk '
    function begin(file) {
        if (text != "") close(text)
        text = file
        printf "" >text
    }
    /^=== / { folder = $2; system("mkdir -p " folder "/all"); begin(folder "/" folder ".exercise"); next }
    /^== / {
        rest = substr($0, 4)
        for (i = 1; i <= 3; i++) {
            bar = index(rest, " |")
            part[i] = bar ? substr(rest, 1, bar - 1) : rest
            rest = bar ? substr(rest, bar + 3) : ""
        }
        name = file = part[1]
        bytes = sub(/ bytes$/, "", file)
        if (sub(/\/.*/, "", name)) system("mkdir -p " folder "/all/" name)
        sub(/\..*/, "", name)
        begin(folder "/all/" file)
        if (bytes) print text >"bytes"
        if (bar) print name "|" part[2] "|" part[3] "|" rest >(folder "/wanted")
        next
    }
    text != "" { print >text }' "$top_srcdir/tests/data/hand-ins.txt"
while IFS= read -r file; do
    # shellcheck disable=SC2059 # The file is a format.
    printf "$(cat "$file")" >"$file.new" && mv "$file.new" "$file"
done <bytes
cat >configuration/scale.cu <<'END'
__global__ void scale(int n, int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
END

# got FILE: the same of each hand-in of a report in JSON
got() {
    tr -d '\n' <"$1" >line
    echo >>line
    "$JSONGET" --leaves <line | awk -F '\t' '
        function tell() {
            if (name == "") return
            gsub(/\\"/, "\"", said)
            sub(/\\n.*/, "", said)
            print name "|" marks "|" (whole != "null" ? whole : causes) "|" said
        }
        { path = $2; gsub(/\[[0-9]+\]/, "", path); value = $3 }
        path == ".hand_ins.student" { tell(); name = value; marks = causes = "" }
        path == ".hand_ins.cause" { whole = value }
        path == ".hand_ins.feedback" { said = value }
        path == ".hand_ins.tests.state" { state = value }
        path == ".hand_ins.tests.points" { marks = marks (marks == "" ? "" : " ") value }
        path == ".hand_ins.tests.cause" {
            letter = state == "passed" ? "-" : state == "skipped" ? "n" : state == "ungraded" ? "?" : \
                value == "compile" ? "m" : substr(value, 1, 1)
            causes = causes letter
        }
        path == ".hand_ins.tests.feedback" && said == "" && state != "passed" { said = value }
        END { tell() }'
}

# judge EXERCISE: a test for each hand-in
judge() {
    lab --no-init grade "$1/$1.exercise" "$1"/all/* --report "json:$1/all.json" </dev/null
    status_is 0 "$1: all are graded"
    got "$1/all.json" >"$1/got"
    while IFS='|' read -r name marks causes line; do
        found=$(grep "^$name|" "$1/got") || found='nothing'
        text=${found#*|*|*|}
        case $found in
        "$name|$marks|$causes|"*)
            like "$text" "$line" "$1: $name has the marks $marks and the cause $causes" ;;
        *) is "${found%"|$text"}" "$name|$marks|$causes" "$1: $name" ;;
        esac
    done <"$1/wanted"
}

for folder in */; do
    judge "${folder%/}"
done

# ---- the same kernels in a session -----------------------------------------------------------

# The status is that of the first test, and the JSON member `cause` of the last command says it, too.
cd kernel/all || exit 99
while IFS='|' read -r name marks causes line; do
    case $name:$causes in
    leak:*) wanted='0 ' ;; # in a session, this finding leaves the command ok
    *:compile) wanted='3 compile' ;;
    *:-*) wanted='0 ' ;;
    *:check) continue ;;
    *:c*) wanted='1 check' ;;
    *:f*) wanted='4 fault' ;;
    *:l*) wanted='5 limit' ;;
    *) continue ;;
    esac
    test -f "$name.cu" && grep -q 'twice(int n, ' "$name.cu" || continue
    lab --json --grade --safe --allow "$name.cu" --step-limit 2^18 -c "array in f32 64 expr:i+1.5
        array out f32 64 value:0.5; load $name.cu; launch twice<<<2, 32>>>(64, in, out)
        expect out ~ expr:2*i+3 rtol 1e-6" </dev/null
    is "$status $(sed -n 's/.*"status":"[a-z]*","cause":"\([a-z]*\)".*/\1/p' "$out" | head -n 1)" \
        "$wanted" "in a session: $name"
done <../wanted
done_testing
