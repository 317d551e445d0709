# SPDX-License-Identifier: GPL-3.0-or-later
#
# SOURCES.md: each command that its tables name is there and does what it is named for: it ends
# well, or as one that is wrong on purpose. labs.t judges those that are in its list as well.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/labs.sh"

sed -n '/^|/p' "$top_srcdir/SOURCES.md" | awk -F'|' '{ print $4 }' | grep -o '`[^`]*`' |
    tr -d '`' | grep -v '^here$' | sort -u >"$tmp/commands"
ok 'there are commands to try' test "$(wc -l <"$tmp/commands")" -gt 60
labs_rows | sed 's/ *|.*//' | sort -u | comm -13 - "$tmp/commands" >"$tmp/others"
while IFS= read -r command; do
    say "$command"
    test "$status" = 0 ||
        grep -q 'is wrong on purpose\|runs on the host\|no disassembler\|built without the programs\|cublas' "$err"
    if test $? = 0; then pass "$command"; else flunk "$command"; diag_file stderr "$err"; fi
done <"$tmp/others"
# ---- what is for the build is not for the student ----------------------------------------

for lab in $(lab_names); do
    say "code $lab; code $lab --variant all; code $lab --host"
    is "$(grep -n 'SPDX\|^ *[0-9]* *//: ' "$out" | head -n 3)" '' \
        "code $lab: no license, no marker"
done
say "code trap --host --save $tmp/trap.cu"
ok 'a program that is saved has its license' grep -q SPDX "$tmp/trap.cu"
say 'set width 60; code trap --variant all'
n=$(grep -n -m 1 '#include' "$top_srcdir/kernels/trap.cu" | cut -d: -f1)
out_like "^ +$n  #include" 'lines keep their numbers'
is "$(awk 'length > 60' "$out")" '' 'long lines break within the width'
out_like '^           [^ ]' 'what goes on is set in'
is "$(grep -c '^       [^ ]' "$out")" 0 'always'

done_testing
