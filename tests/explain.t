# SPDX-License-Identifier: GPL-3.0-or-later
#
# Explanations: a screen has the first paragraph, --long and `explain` have all of them; commands to
# try stay apart; `explain WORD` and `help WORD` say the same.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

say 'explain race-shared'
cp "$out" "$tmp/explained"
say 'help race-shared'
ok 'explain KIND is its help' cmp -s "$out" "$tmp/explained"
say 'explain nosuchword'
status_is 1 'explain of an unknown word is an error'

say 'trap -n 100 --variant race'
cp "$out" "$tmp/screen"
say 'trap -n 100 --variant race --json; explain'
grep -v '^{' "$out" >"$tmp/explained"
is "$(sed -n '/^Try/,$p' "$tmp/explained")" "$(sed -n '/^Try/,$p' "$tmp/screen")" \
    'explain has the commands to try as the screen has them'
is "$(grep -B 1 '^Try' "$tmp/explained" | head -n 1)" '' 'apart from the text'
ok 'which begins with Why' grep -q '^Why  ' "$tmp/explained"
say_json 'trap -n 100 --variant race; explain'
is "$("$JSONGET" 1:.explain <"$out")" "$("$JSONGET" 2:.explain <"$out")" 'in JSON explain has the text'
json_is 1:.try[0].command 'trap --variant atomic' 'and the commands are in try'
json_is 2:.try[0].command 'trap --variant atomic' 'also those of explain'
json_like 1:.try[0].remark '^[a-z ]+$' 'with their remarks'
json_like 1:.explain 'has three steps' 'and the text'
! "$JSONGET" 1:.explain <"$out" | grep -q 'Try\|trap --'
verdict $? 'is without commands'

# Where a text has several paragraphs, the screen has the first of them.
words() { tr -s ' \n' ' ' <"$1" | wc -w; }
shorter=0
while read -r lab; do
    say "$lab"
    cp "$out" "$tmp/short"
    say "set width 80; $lab"
    ok "$lab fits a screen of 24 lines, with the prompt" test "$(wc -l <"$out")" -lt 24
    say "$lab --long"
    test "$(words "$tmp/short")" -ge "$(words "$out")" || shorter=$((shorter + 1))
    test "$(words "$tmp/short")" -le "$(words "$out")"
    verdict $? "$lab --long has no less"
done <<END
$(sed 's/#.*//; s/^[=+].*//; /^$/d' "$top_srcdir/src/labs/LIST")
END
diag "$shorter screens are shorter than with --long"
say_json 'trap -n 100; trap -n 100 --long'
is "$("$JSONGET" 1:.explain <"$out")" "$("$JSONGET" 2:.explain <"$out")" 'JSON has all of it anyway'

say "apropos 'bank conflict'"
out_like '^  bank ' 'apropos finds two words, in quotes'
say 'apropos bank conflict'
out_like '^  bank ' 'and without'
done_testing
