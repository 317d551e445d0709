# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reports of marks, held against what each platform reads: tests/schemas has which members there are,
# and of which type. tests/unit/mark-reports makes them, of students whose names and texts are
# hostile, and reads XML, TAP and CSV itself, too.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/reports.sh"
any_kernels

"$top_builddir/tests/unit/mark-reports" --write "$tmp" >"$out" 2>"$err"
is $? 0 'reports are written'

for form in gradescope prairielearn coderunner; do
    is "$(find "$tmp/$form" -type f | wc -l | tr -d ' ')" 20 "$form: a file for each student"
    is "$(judge_folder "$form" "$tmp/$form")" '' "$form: each is what the platform reads"
    is "$(grep -rl SECRET "$tmp/$form")" '' "$form: and has no secret"
done
is "$(judge_json json "$tmp/all.json")" '' 'json: all members, of the right type'
is "$(judge_csv "$tmp/all.csv")" '' 'csv: rows of the same length'
is "$(judge_tap "$tmp/all.tap")" '' 'tap: other readers count the same states'
if command -v xmllint >/dev/null; then
    is "$(judge_junit "$tmp/all.xml")" '' 'junit: what Jenkins reads'
else
    skip 'there is no xmllint' 'junit: what Jenkins reads'
fi

# ---- the rules see what is wrong -------------------------------------------------------------

# sees FORM NUMBER JSON: so many complaints
sees() {
    printf '%s\n' "$3" >"$tmp/bad"
    is "$(judge_json "$1" "$tmp/bad" | grep -c .)" "$2" "$1: a wrong report has $2 mistakes"
}
sees gradescope 11 '{"score":3,"output":"","tests":[{"name":"","score":1,"max_score":-0.5,"status":"ok","x":1}]}'
sees gradescope 1 '[]'
sees gradescope 1 '{"score":1'
right='"output_format":"text","test_output_format":"text","test_name_format":"text","visibility":"visible"'
right="$right"',"stdout_visibility":"hidden","output":""'
test='"name":"a","score":1,"max_score":2,"status":"passed","output":"","visibility":"visible"'
sees gradescope 0 "{\"score\":1,$right,\"tests\":[{$test}]}"
sees gradescope 1 "{\"score\":2,$right,\"tests\":[{$test}]}"
sees gradescope 1 "{\"score\":1,$right,\"tests\":[{$test,\"score\":1}]}"
sees gradescope 1 "{\"score\":\"1\",$right,\"tests\":[{$test}]}"
sees prairielearn 1 '{"gradable":true,"message":""}'
sees prairielearn 1 '{"gradable":false,"message":""}'
sees prairielearn 0 '{"gradable":false,"message":"","format_errors":["a"]}'
sees prairielearn 1 '{"gradable":true,"message":"","score":1.1,"tests":[]}'
sees coderunner 1 '{"fraction":1}'
sees coderunner 1 '{"fraction":true,"got":"a"}'
sees json 3 '{"cudalab_marks":1,"exercise":"x","most":2.0005}'
printf '"a","b"\r\n"c"\r\n' >"$tmp/bad"
is "$(judge_csv "$tmp/bad" | grep -c .)" 1 'csv: a short row'
printf 'TAP version 13\n1..2\nok 1 - a\n' >"$tmp/bad"
ok 'tap: a test that is missing' test -n "$(judge_tap "$tmp/bad")"
if command -v xmllint >/dev/null; then
    sed 's/ failures="[0-9]*"//' "$tmp/all.xml" >"$tmp/bad"
    ok 'junit: an attribute that is missing' test -n "$(judge_junit "$tmp/bad")"
fi
done_testing
