# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is wrong with a report of marks: what does not fit the schema of its platform, in
# tests/schemas, and what does not agree with itself. And the points that a report gives, so that
# forms can be compared. A test sources this file after lib.sh.

# judge_json FORM FILE: nothing, if all is right.
judge_json() {
    tr -d '\n' <"$2" >"$tmp/line"
    echo >>"$tmp/line"
    "$JSONGET" --schema "$top_srcdir/tests/schemas/$1.json" <"$tmp/line" || return
    "$JSONGET" --leaves <"$tmp/line" | LC_ALL=C awk -F '\t' -v form="$1" '
        { path = $2; gsub(/\[[0-9]+\]/, "[N]", path); value = $3
          at = $2; sub(/\.[^.]*$/, "", at)
          if (path ~ /^\.tests\[N\]\.(score|points)$/) { got[at] = value; sum += value }
          if (path ~ /max_(score|points)$/) { all += value
              if (got[at] + 0 > value + 0) print $2 ": more points than there are" }
          if (path == ".score") { total = value; has_total = 1 }
          if (path == ".gradable") gradable = value
          if (path == ".format_errors[N]") errors = 1
          if (path ~ /\.name$/ && value ~ /^hidden/) hidden[at] = 1
          if (path ~ /tests\[N\]\.output$/ && (at in hidden) && value != "") print $2 " of a hidden test"
          if (form == "gradescope" && path ~ /N\]\.visibility$/ &&
              (value == "hidden") != (at in hidden)) print $2 " is " value }
        END { if (form == "gradescope" && total != sum) print "the score is " total ", not " sum
              if (form != "prairielearn") exit
              if ((gradable == "true") != has_total) print "a score, or none, that must not be there"
              if ((gradable == "false") != errors) print "format_errors where it is gradable, or none"
              if (has_total && (total - sum / all) ^ 2 > 1e-20)
                  print "the score is " total ", not " sum / all }'
}

# judge_folder FORM FOLDER: each of the files that students get. A platform reads 1 MB.
judge_folder() {
    find "$2" -type f >"$tmp/files"
    while IFS= read -r file; do
        judge_json "$1" "$file"
        test "$(wc -c <"$file")" -le 1000000 || echo "$file is too long"
        test "$(wc -l <"$file" | tr -d ' ')" = 1 || echo "$file has several lines"
    done <"$tmp/files"
}

# judge_junit FILE: by the schema, where xmllint is.
judge_junit() {
    xmllint --noout --schema "$top_srcdir/tests/schemas/junit.xsd" "$1" 2>&1 | grep -v ' validates$'
}

# judge_csv FILE: RFC 4180. Each row has as many fields as the first one.
judge_csv() {
    LC_ALL=C awk -v RS='\r' '
        { sub(/^\n/, "") }
        $0 == "" { next }
        { fields = 1; quoted = 0
          for (i = 1; i <= length($0); i++) {
              c = substr($0, i, 1)
              if (c == "\"") quoted = !quoted
              else if (c == "," && !quoted) fields++
          }
          if (NR == 1) wanted = fields
          if (fields != wanted || quoted) print "row " NR ": " fields " fields, not " wanted }' "$1"
}

# judge_tap FILE: what a reader of TAP that is not ours counts, and what a grep does, must agree.
judge_tap() {
    sed -n 's/^not ok .*/FAIL/p; s/^ok .* # SKIP another.*/SKIP/p; t
        s/^ok .*/PASS/p' "$1" | sort | uniq -c | sed 's/^ *//' >"$tmp/counted"
    test "$(sed -n '2s/^1\.\.//p' "$1")" = "$(awk '{ n += $1 } END { print n }' "$tmp/counted")" ||
        echo 'the plan is not the number of tests'
    if test -f "$top_srcdir/build-aux/tap-driver.sh"; then
        (cd "$tmp" && AM_TAP_AWK='awk' sh "$top_srcdir/build-aux/tap-driver.sh" --test-name all \
            --log-file log --trs-file trs --color-tests no -- cat "$1") 2>&1 |
            cut -d: -f1 | sort | uniq -c | sed 's/^ *//' | diff "$tmp/counted" - | sed 's/^/Automake: /'
    fi
    if command -v prove >/dev/null; then
        prove -e cat "$1" >"$tmp/proved" 2>&1
        failed=$(sed -n "s/.*Tests: [0-9]* Failed: \([0-9]*\).*/\1/p" "$tmp/proved")
        is_failed=$(sed -n 's/ FAIL$//p' "$tmp/counted")
        test "${failed:-0}" = "${is_failed:-0}" || echo "prove sees ${failed:-0} failures"
        grep 'Parse errors' "$tmp/proved"
    fi
}

# points_in FORM PLACE: STUDENT and the points of each test, as this report or folder of reports says;
# of coderunner and feedback, the sum. For names and texts without hostile characters.
points_in() {
    case $1 in
    csv) tr -d '"\r' <"$2" | awk -F, '
            NR == 1 { for (i = 3; $i != "points"; i++) tests = i - 2; next }
            { line = $1; for (i = 3; i < 3 + tests; i++) line = line " " $i; print line }' ;;
    json) tr -d '\n' <"$2" >"$tmp/line"
        echo >>"$tmp/line"
        "$JSONGET" --leaves <"$tmp/line" | awk -F '\t' '
            { path = $2; gsub(/\[[0-9]+\]/, "", path) }
            path == ".hand_ins.student" { if (line != "") print line; line = $3 }
            path == ".hand_ins.tests.points" { line = line " " $3 }
            END { print line }' ;;
    tap) sed -n 's/^\(not \)*ok [0-9]* - \([^:]*\): .* (\([0-9.]*\) of [0-9.]* points*).*/\2 \3/p' "$2" | awk '
            $1 != student { if (line != "") print line; line = student = $1 }
            { line = line " " $2 }
            END { print line }' ;;
    junit) awk '
            /^<testsuite / { name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name); line = name }
            /^<testcase/ { inside = 1 }
            inside && match($0, /<system-out>[0-9.]+ of [0-9.]+ points?<\/system-out>/) {
                text = substr($0, RSTART + 12); sub(/ .*/, "", text); line = line " " text }
            /^<\/testcase>/ { inside = 0 }
            /^<\/testsuite>/ { print line }' "$2" ;;
    gradescope | prairielearn) for report in "$2"/*; do
            student=${report##*/}
            echo "${student%.*} $("$JSONGET" --leaves <"$report" | awk -F '\t' '
                $2 ~ /^\.tests\[[0-9]*\]\.(score|points)$/ { printf "%s%s", n++ ? " " : "", $3 }')"
        done ;;
    coderunner) for report in "$2"/*; do
            student=${report##*/}
            echo "${student%.*} $("$JSONGET" .fraction <"$report" | awk -v most="$3" '{ printf "%g", $1 * most }')"
        done ;;
    feedback) sed -n 's/^Student: //p; s/^Points: \([0-9.]*\) of .*/\1/p' "$2" | paste -d ' ' - - ;;
    esac
}
