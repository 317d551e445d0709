# SPDX-License-Identifier: GPL-3.0-or-later
#
# Scripts: how lines are read and cut, what they may hold, and what --safe forbids.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

# reads TEXT WANTED NAME: what a script made by printf echoes, lines joined by |
reads() {
    printf "$1" | script
    is "$(tr '\n' '|' <"$out")" "$2" "$3"
}
reads 'echo a\necho b' 'a|b|' 'the last line needs no newline'
reads 'echo a\r\necho b\r\n' 'a|b|' 'carriage returns are dropped'
reads '\357\273\277echo a\n' 'a|' 'a byte order mark is dropped'
reads 'echo a; echo b;;  ; echo c\n' 'a|b|c|' '; separates'
reads '# note\n\n  \necho a # note; echo b\n;#x\n' 'a|' 'blanks and comments run nothing'
reads 'echo a#b\n' 'a#b|' 'a # inside a word is no comment'
reads 'echo "a;b # c"\n' 'a;b # c|' 'quotes keep ; and #'
reads "echo 'a;b'\n" 'a;b|' 'so do single quotes'
reads 'echo f(a; b) <<<1; 2>>> x\n' 'f(a; b) <<<1; 2>>> x|' 'and parentheses and <<< >>>'
reads 'echo a \\\n b\n' 'a  b|' 'a backslash continues a line'
reads 'echo a # no \\\necho b\n' 'a|b|' 'but not a comment'
reads 'echo a\\' 'a|' 'nor past the end'
reads 'echo "a \\"b\\" c"\n' 'a "b" c|' 'a quote within quotes'
reads 'echo   two   blanks\n' 'two   blanks|' 'echo leaves the text as it is'
reads 'echo\n' '|' 'echo alone'
reads '   echo indented\n' 'indented|' 'lines may be indented'

# ---- errors with their place --------------------------------------------------------------

printf 'echo a\n\nnosuch\necho "b\necho c' >"$tmp/e.lab"
lab "$tmp/e.lab" </dev/null
status_is 1 'a script with errors gives 1'
err_has "$tmp/e.lab:3: " 'FILE:LINE: message'
err_has "$tmp/e.lab:4: the quote \" in column 6" 'an unclosed quote, with its column'
is "$(tr '\n' ' ' <"$out")" 'a c ' 'the rest runs'
script <<'END'
echo a; trap (2,
END
err_has '<stdin>:1: the ( in column 14' 'an unclosed parenthesis'
say 'echo <<<1'
err_has '-c:1: the <<< in column 6' 'an unclosed <<<'
printf 'echo a \\\n\\\n ; nosuch\nnosuch' | script
err_has '<stdin>:1: ' 'a continued command has the line of its start'
err_has '<stdin>:4: ' 'and lines are counted on'

# ---- what is no text ----------------------------------------------------------------------

printf 'echo a\000b\necho c\n' | script
status_is 1 'a NUL byte fails its line'
err_has '<stdin>:1: column 7 has a NUL byte' 'and is named'
is "$(cat "$out")" c 'the next line runs'
printf 'echo \001\necho c\n' | script
err_has 'the control byte 0x01' 'a control byte is named'
printf 'echo \377\n# \377 is fine here\necho c\n' | script
err_has 'not UTF-8' 'what is not UTF-8 is refused'
is "$(cat "$out")" c 'but not in a comment'
printf 'nosuch\033[31m\n' | script
is "$(grep -c "$(printf '\033')" "$err")" 0 'no escape sequence reaches the terminal'
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "%01000d", 0; print ""; print "echo after" }' |
    script
status_is 1 'a line of 10 MB fails'
err_has '<stdin>:1: this line is longer than 1 MiB' 'and is named'
is "$(cat "$out")" after 'the next line runs'
awk 'BEGIN { for (i = 0; i < 100000; i++) print "echo a \\"; print "" }' | script
err_has 'goes on over more than' 'an endless continuation is refused'
head -c 100000 "$CUDALAB" | script
status_is 1 'a program is no script'

# ---- source -------------------------------------------------------------------------------

mkdir "$tmp/sub"
printf 'echo in sub\nsource c.lab\n' >"$tmp/sub/b.lab"
printf 'echo in c\nnosuch\n' >"$tmp/sub/c.lab"
printf 'source sub/b.lab\necho back\nsource a.lab\n' >"$tmp/a.lab"
lab "$tmp/a.lab" </dev/null
is "$(tr '\n' '|' <"$out")" 'in sub|in c|back|' 'source counts from the script that sources'
err_has "$tmp/sub/c.lab:2: " 'errors name the inner script'
err_has "$tmp/a.lab:3: " 'a script cannot source itself'
say "source $tmp/none"
err_has 'No such file' 'a script that is not there'
status_is 1 'is an error of the command'
say 'source'
err_has 'FILE is missing' 'source needs a file'

# ---- alias, output, the settings ----------------------------------------------------------

say 'alias hi echo hello; hi there; alias hi; alias echo x; alias nope'
is "$(sed -n 1p "$out")" 'hello there' 'an alias stands for its text'
err_has 'echo is a command already' 'not for a command'
err_has 'no alias nope' 'an unknown alias'
say "output $tmp/o; echo in a file; output; echo on the screen"
is "$(cat "$tmp/o")" 'in a file' 'output FILE'
is "$(cat "$out")" 'on the screen' 'output alone goes back'
say 'set seed 2^20; set seed 5'
is "$(cut -d' ' -f1 "$out")" seed 'set says what number it understood, where that is news'
out_like '^seed +1048576 ' 'in full'
say 'set counters on; show counters; set counters maybe; set counters; set sed 3; set seed -1'
out_like '^counters +on ' 'set and show'
err_has 'it takes on or off' 'a switch is on or off'
err_has 'a value for counters is missing' 'a value must be given'
err_has 'did you mean seed' 'the nearest setting is offered'
err_has 'at least 0' 'the range is named'
say 'history'
err_has 'no history in a script' 'no history in a script'

# ---- --safe -------------------------------------------------------------------------------

lab --safe "$tmp/a.lab" </dev/null
err_has '--allow FILE' '--safe sources no other file'
lab --safe --allow "$tmp/sub/b.lab" "$tmp/a.lab" </dev/null
is "$(tr '\n' '|' <"$out")" 'in sub|back|' 'but one named by --allow'
ln -s /etc/passwd "$tmp/link"
say "source $tmp/link" --safe --allow "$tmp/sub/b.lab"
err_has 'under --safe' 'a link opens nothing else'
say "output $tmp/x; code trap --save $tmp/x" --safe
status_is 1 '--safe writes nothing'
ok 'no file came to be' test ! -e "$tmp/x"
script --safe <<'END'
set time-limit 0
set time-limit 61
set step-limit 2^35
set time-limit 5
show time-limit
END
is "$(grep -c 'under --safe' "$err")" 3 '--safe keeps its bounds'
out_like '^time-limit +5 ' 'which may be lowered'

# ---- a pipe --------------------------------------------------------------------------------

say 'trap -n 64' --color auto
is "$(grep -c "$(printf '\033')" "$out")" 0 'no escapes in a pipe'
ok 'and no prompt' test "$(grep -c cudalab "$out")" = 0

# ---- the same bytes -----------------------------------------------------------------------

say 'trap -n 4096; banks 2; hello 3 2; trap --variant race'
cp "$out" "$tmp/first"
say 'trap -n 4096; banks 2; hello 3 2; trap --variant race'
ok 'twice the same bytes' cmp -s "$tmp/first" "$out"
say 'trap -n 4096; banks 2; hello 3 2; trap --variant race' --threads 2
ok 'whatever --threads is' cmp -s "$tmp/first" "$out"

done_testing
