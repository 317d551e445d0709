# SPDX-License-Identifier: GPL-3.0-or-later
#
# The exercises of the tree: each hand-in, right or wrong, gets the marks that marks.txt says. These
# were written without the grader. Reports of all forms have the same marks, and are what the
# platforms read.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
. "$top_srcdir/tests/reports.sh"
any_kernels

enter_work
needs_programs nvcc

# differences EXERCISE: hand-ins whose marks in all.csv are not those of marks.txt
differences() {
    awk -v tests="$(grep -c '^testcase' "$1/$2.exercise")" '
        FNR == NR {
            if (/^#/ || NF < 2) next
            name = $1
            sub(/\.[a-z]*:$/, "", name)
            gsub("/", "_", name)
            for (i = 2; i <= NF; i++) wanted[name] = wanted[name] " " $i
            next
        }
        FNR > 1 {
            split($0, field, ",")
            gsub(/"/, "", field[1])
            got = ""
            for (i = 3; i < 3 + tests; i++) got = got " " field[i]
            if (got != wanted[field[1]]) print field[1] ": wanted" wanted[field[1]] ", got" got
            delete wanted[field[1]]
        }
        END { for (name in wanted) print name ": no marks" }' "$1/marks.txt" all.csv
}

# grade EXERCISE: its hand-ins are in all; a report of each form
grade() {
    rm -rf all.* students
    mkdir students students/gradescope students/prairielearn students/coderunner
    lab --no-init grade "$1" all --report csv:all.csv --report json:all.json --report tap:all.tap \
        --report junit:all.xml --report feedback:all.txt --report gradescope:students/gradescope/ \
        --report prairielearn:students/prairielearn/ --report coderunner:students/coderunner/ </dev/null
}

# same_marks FORM PLACE: does this report give the points that all.csv has?
same_marks() {
    points_in csv all.csv | awk -v sums="$3" '
        { sum = 0; for (i = 2; i <= NF; i++) sum += $i; print sums ? $1 " " sum : $0 }' | sort >wanted
    is "$(points_in "$1" "$2" "$3" | sort | diff wanted -)" '' "$1: the same marks"
}

# judge_reports: all of the last exercise
judge_reports() {
    most=$(sed -n '2s/.*,\([0-9.]*\),[0-9]*,"[a-z]*","[^"]*","[^"]*"\r*$/\1/p' all.csv)
    for form in gradescope prairielearn coderunner; do
        is "$(judge_folder $form students/$form)" '' "$form: what it reads"
    done
    is "$(judge_json json all.json)" '' 'json: all members, of the right type'
    is "$(judge_csv all.csv)" '' 'csv: rows of the same length'
    is "$(judge_tap "$PWD/all.tap")" '' 'tap: other readers count the same states'
    if command -v xmllint >/dev/null; then
        is "$(judge_junit all.xml)" '' 'junit: what Jenkins reads'
    else
        skip 'there is no xmllint' 'junit: what Jenkins reads'
    fi
    is "$(points_in csv all.csv | grep -c ' [0-9]')" "$(find all/* -prune | wc -l | tr -d ' ')" \
        'csv: marks of each hand-in'
    same_marks json all.json ''
    same_marks tap all.tap ''
    same_marks junit all.xml ''
    same_marks gradescope students/gradescope ''
    same_marks prairielearn students/prairielearn ''
    same_marks coderunner students/coderunner "$most"
    same_marks feedback all.txt "$most"
}

for folder in "$top_srcdir"/exercises/*/; do
    folder=${folder%/}
    name=${folder##*/}
    lab --no-init grade --lint "$folder/$name.exercise" </dev/null
    status_is 0 "$name: no mistakes in the exercise"
    rm -rf all
    mkdir all
    for file in "$folder"/right/* "$folder"/wrong/*; do
        test -f "$file" || continue
        part=${file%/*}
        mkdir "all/${part##*/}_$(basename "${file%.*}")"
        cp "$file" "all/${part##*/}_$(basename "${file%.*}")"
    done
    grade "$folder/$name.exercise"
    status_is 0 'all hand-ins are graded'
    is "$(differences "$folder" "$name")" '' 'each has its marks'
    judge_reports
done

# ---- questions: the right answers depend on the student -------------------------------------

folder=$top_srcdir/exercises/questions
answer() { # answer NAME NUMBER
    sed -n "s/^$1 $2: //p" "$folder/answers.txt"
}
drawn() { # drawn SED-PATTERN: the number in the sheet
    sed -n "s/.*$1.*/\\1/p" sheet
}
rm -rf all
mkdir all
for student in ana ben cem dan eva; do
    lab --no-init grade --questions "$folder/questions.exercise" --student $student </dev/null
    cp "$out" sheet
    {
        echo "degree: $(answer degree "$(drawn 'index i \* \([0-9]*\)')")"
        echo "passes: $(answer passes "$(drawn 'and \([0-9]*\) unused')")"
        echo "blocks: $(answer blocks "$(drawn 'with \([0-9]*\) threads in a block\. It')")"
        echo "mixed: $(answer mixed "$(drawn 'threadIdx.x \/ \([0-9]*\)')")"
    } >all/$student.txt
done
ok 'students get other numbers' test "$(cat all/*.txt | sort -u | wc -l)" -gt 6
grade "$folder/questions.exercise"
judge_reports
is "$(sed -n 's/^"\([a-e][a-z]*\)","",\([0-9,]*\),7,7,0.*/\1 \2/p' all.csv | tr '\n' ';')" \
    'ana 2,1,2,2;ben 2,1,2,2;cem 2,1,2,2;dan 2,1,2,2;eva 2,1,2,2;' 'right answers have all points'
done_testing
