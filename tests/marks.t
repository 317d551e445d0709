# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports of marks in JSON, held against what each platform reads: which members there are, of which
# type, and how they agree. tests/unit/mark-reports makes them, of students whose names and texts are
# hostile, and reads the other forms itself.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

"$top_builddir/tests/unit/mark-reports" --write "$tmp" >"$out" 2>"$err"
is $? 0 'reports are written'

# A rule is a path, as a regular expression, then `must` or `may`, then what the value matches. A
# list's numbers are [N]. All that is in a report must have a rule, and whatever must be there is.
number='(0|[1-9][0-9]*)(\.[0-9]+)?'
part='(0(\.[0-9]+(e-[0-9]+)?)?|1)'

# Gradescope's results.json: the autograder specification.
cat >"$tmp/gradescope.rules" <<END
.score must $number
.output must .*
.output_format must text
.test_output_format must text
.test_name_format must text
.visibility must (hidden|after_due_date|after_published|visible)
.stdout_visibility must (hidden|after_due_date|after_published|visible)
.tests[N].name must .+
.tests[N].score must $number
.tests[N].max_score must $number
.tests[N].status must (passed|failed)
.tests[N].output must .*
.tests[N].visibility must (hidden|after_due_date|after_published|visible)
END

# PrairieLearn's results.json: external grading.
cat >"$tmp/prairielearn.rules" <<END
.gradable must (true|false)
.score must $part
.message must .*
.output must .*
.format_errors may .*
.tests[N].name must .+
.tests[N].description may .*
.tests[N].points must $number
.tests[N].max_points must $number
.tests[N].message may .*
.tests[N].output must .*
END

# CodeRunner's template grader.
cat >"$tmp/coderunner.rules" <<END
.fraction must $part
.got must .+
END

# Its own form: src/grade/marks-json.h.
cat >"$tmp/json.rules" <<END
.cudalab_marks must 1
.exercise must .+
.most must $number
.tests[N].name must .+
.tests[N].points must $number
.tests[N].hidden must (true|false)
.tests[N].needs must .*
.hand_ins[N].student must .+
.hand_ins[N].id must .*
.hand_ins[N].points must $number
.hand_ins[N].ungraded must [0-9]+
.hand_ins[N].cause must (null|check|script|compile|fault|limit)
.hand_ins[N].feedback must .*
.hand_ins[N].note must .*
.hand_ins[N].tests[N].name must .+
.hand_ins[N].tests[N].state must (passed|failed|skipped|ungraded)
.hand_ins[N].tests[N].points must ($number|null)
.hand_ins[N].tests[N].cause must (null|check|script|compile|fault|limit)
.hand_ins[N].tests[N].feedback must .*
.hand_ins[N].tests[N].note must .*
.hand_ins[N].tests[N].override.why may .+
.hand_ins[N].tests[N].override.state may (passed|failed|skipped|ungraded)
.hand_ins[N].tests[N].override.points may ($number|null)
END

# judge FORM FILE: what is wrong with a report, nothing if all is right.
judge() {
    tr -d '\n' <"$2" >"$tmp/line"
    echo >>"$tmp/line"
    "$JSONGET" --check <"$tmp/line" || return
    "$JSONGET" --leaves <"$tmp/line" >"$tmp/leaves"
    LC_ALL=C awk -F '\t' -v form="$1" '
        FNR == NR { split($0, rule, " "); wanted[rule[1]] = rule[3]; must[rule[1]] = rule[2] == "must"
                    next }
        { path = $2; gsub(/\[[0-9]+\]/, "[N]", path); value = $3; seen[path]++
          if (!(path in wanted)) print "unknown: " $2
          else if (value !~ "^" wanted[path] "$") print $2 " is " value
          at = $2; sub(/\.[^.]*$/, "", at)
          if (path ~ /tests\[N\]\.(score|points)$/) { got[at] = value; sum += value }
          if (path ~ /max_(score|points)$/) { all += value
              if (got[at] + 0 > value + 0) print $2 ": more points than there are" }
          if (path ~ /status$/) state[at] = value
          if (path == ".score" || path == ".fraction") total = value
          if (path ~ /\.name$/ && value ~ /^hidden/) hidden[at] = 1
          if (path ~ /tests\[N\]\.output$/ && (at in hidden) && value != "") print $2 " of a hidden test"
          if (form == "gradescope" && path ~ /N\]\.visibility$/ &&
              (value == "hidden") != (at in hidden)) print $2 " is " value }
        END { for (path in must)
                  if (must[path] && !(path in seen)) print "missing: " path
              if (form == "gradescope" && total != sum) print "the score is " total ", not " sum
              if (form == "prairielearn" && (total - sum / all) ^ 2 > 1e-20)
                  print "the score is " total ", not " sum / all }' "$tmp/$1.rules" "$tmp/leaves"
}

for form in gradescope prairielearn coderunner; do
    count=0 wrong=
    find "$tmp/$form" -type f >"$tmp/files"
    while IFS= read -r file; do
        count=$((count + 1))
        wrong=$wrong$(judge "$form" "$file")
        test "$(wc -c <"$file")" -le 1000000 || wrong="$wrong $file is too long"
        test "$form:$(wc -l <"$file" | tr -d ' ')" = "$form:1" || wrong="$wrong $file has several lines"
    done <"$tmp/files"
    is "$count" 20 "$form: a file for each student"
    is "$wrong" '' "$form: each is what the platform reads"
    is "$(grep -rl SECRET "$tmp/$form")" '' "$form: and has no secret"
done
is "$(judge json "$tmp/all.json")" '' 'json: all members, of the right type'

# The rules see what is wrong.
echo '{"score":3,"output":"","tests":[{"name":"a","score":1,"max_score":0.5,"status":"ok","x":1}]}' >"$tmp/bad"
is "$(judge gradescope "$tmp/bad" | grep -c .)" 11 'a wrong report is told from a right one'

# Where Automake's reader of TAP is, it counts what a test suite would.
driver=$top_srcdir/build-aux/tap-driver.sh
if test -f "$driver"; then
    (cd "$tmp" && AM_TAP_AWK='awk' sh "$driver" --test-name all --log-file log --trs-file trs \
        --color-tests no -- cat all.tap) >"$out" 2>"$err"
    is "$(cut -d: -f1 "$out" | sort | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
        "$(sed -n 's/^not ok .*/FAIL/p; s/^ok .* # SKIP another.*/SKIP/p; t
            s/^ok .*/PASS/p' "$tmp/all.tap" | sort | uniq -c | sed 's/^ *//' | tr '\n' ' ')" \
        'Automake reads the same states'
    diag_file Automake "$out"
else
    skip 'there is no tap-driver.sh' 'Automake reads the same states'
fi
if command -v xmllint >/dev/null; then
    ok 'xmllint reads the XML' xmllint --noout "$tmp/all.xml"
else
    skip 'there is no xmllint' 'xmllint reads the XML'
fi
done_testing
