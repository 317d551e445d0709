# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a lecturer has, as far as it can be seen without a terminal: transcript and replay, side,
# snap, play. At a terminal they are tests/play.t's.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

escape=$(printf '\033')

# ---- transcript ---------------------------------------------------------------------------

t=$tmp/t.txt
say "echo before; transcript $t; echo one; nosuch; transcript; echo after"
out_has "$t: 2 commands" 'transcript alone says how many commands are in it'
is "$(tr '\n' '|' <"$t")" "$(tr '\n' '|' <<'END'
# cudalab transcript
cudalab: width 80
cudalab: charset ascii
cudalab> echo one
one
cudalab> nosuch
there is no command `nosuch`; `help` lists all commands
END
)" \
    'commands, what they showed, and errors'
say 'transcript'
err_has 'no transcript is being written' 'nothing to end'
say "transcript $t --force; echo again"
is "$(tail -n 1 "$t")" again 'a transcript that nobody ended is whole'
say "transcript $tmp/a; echo a; transcript $tmp/b; echo b; transcript"
is "$(tail -n 1 "$tmp/a") $(tail -n 1 "$tmp/b")" 'a b' 'a second one ends the first'
script <<END
transcript $t --force
echo cudalab> x
echo cudalab: width 3
echo \\back
END
say "replay $t"
out_has '3 of 3 the same' 'and read back'
say "transcript $t --force; trap -n 64; banks 4; transcript" --color always
ok 'no colours in it' test "$(grep -c "$escape" "$t")" -eq 0
out_has "$escape" 'though the screen has some'
cp "$t" "$tmp/first"
say "transcript $t --force; trap -n 64; banks 4; transcript" --color always --json
ok '--json: the same file' cmp -s "$t" "$tmp/first"
say "set volatile on; transcript $t --force; trap -n 64; banks 4; transcript"
ok 'nothing volatile in it' cmp -s "$t" "$tmp/first"
echo 'int main(void) { }' >"$tmp/mine.cu"
say "transcript $tmp/mine.cu"
err_has 'is there already and no transcript' "no other file's place is taken"
is "$(cat "$tmp/mine.cu")" 'int main(void) { }' 'and it is left as it was'
cp "$t" "$tmp/first"
say "transcript $tmp/c; echo a; transcript $t; echo more; transcript"
status_is 1 'an older transcript is not overwritten in a script'
err_has "\`$t\` is there already; \`transcript $t --force\` overwrites it" 'it says how'
ok 'it is left as it was' cmp -s "$t" "$tmp/first"
out_has "$tmp/c: 2 commands" 'and the one that is being written goes on'
rm "$tmp/c"
: >"$tmp/nothing"
say "transcript $tmp/nothing; echo a; transcript"
out_has "$tmp/nothing: 1 command" 'an empty file has nothing to lose'
say "transcript $tmp/mine.cu --force"
err_has 'is there already and no transcript' '--force spares other files too'
say "transcript $tmp"
err_has 'it is not a regular file' 'a directory is none'
say "transcript $tmp/none/t"
err_has 'No such file' 'nor is there a folder to write to'
say "transcript $tmp/safe; replay $t" --safe
err_has '--safe allows no writing to files' '--safe writes none'
err_has '--allow FILE' 'and replays none'
say "replay $t" --safe --allow "$t"
out_has '2 of 2 the same' 'but one that is allowed'
printf 'echo in b\nnosuch\n' >"$tmp/b.lab"
say "transcript $t --force; source $tmp/b.lab; transcript; replay $t"
is "$(grep -c '^cudalab> ' "$t")" 2 'of a script that is sourced, its commands'
out_has '2 of 2 the same' 'which replay as they were'
if test -w /dev/full && ln -s /dev/full "$tmp/full" 2>/dev/null; then
    say "transcript $tmp/full"
    err_has 'it is not a regular file' 'nor a device'
fi
{
    echo "transcript $tmp/big"
    i=0
    while test $i -lt 40; do
        echo 'help trap'
        i=$((i + 1))
    done
    echo 'echo goes on'
} >"$tmp/long.lab"
(
    ulimit -f 16 # blocks of 512 bytes, or of 1024
    "$CUDALAB" --no-init "$tmp/long.lab" 2>&1
) | cat >"$tmp/piped"
is "$(grep -c 'cannot write the transcript' "$tmp/piped")" 1 'a full disk is told, once'
is "$(tail -n 1 "$tmp/piped")" 'goes on' 'and everything else goes on'

# ---- replay -------------------------------------------------------------------------------

say "set seed 7; set projector on; transcript $t --force; hello 4 2; array x f32 4 random; print x
transcript" \
    --charset utf8
say "replay $t; show seed; show projector; show width; show charset"
out_has '3 of 3 the same' 'replay takes its settings from the transcript'
out_like '^seed +1 ' 'and puts them back'
out_like '^projector +off ' 'all of them'
out_like '^width +0 ' 'the width as well'
out_like '^charset +auto ' 'and the characters'
sed 's/Hello from thread 0 of block 2/Hello from nobody/; /^Try/d' "$t" >"$tmp/changed"
say "replay $tmp/changed"
status_is 1 'a difference fails'
out_like '^differs  hello 4 2$' 'it names the command'
out_has '  - Hello from nobody' 'the line that was'
out_has '  + Hello from thread 0 of block 2' 'the line that is'
is "$(grep -c '^  [+-]' "$out")" 3 'a line more makes no other differ'
out_has '2 of 3 the same' 'and it counts'
err_has "1 of 3 commands shows something else than in" 'the error says the same'
say_json "replay $tmp/changed"
json_is .result.ok false '--json: the verdict'
json_is .result.commands 3 'how many'
json_is .result.same 2 'of them the same'
json_is '.result.replayed[0].command' 'hello 4 2' 'each by name'
json_is '.result.replayed[0].same' false 'and its own verdict'
json_count 1 'one object'
say "replay $tmp/mine.cu; replay $tmp; replay $tmp/none"
err_has 'is not a transcript: one begins with' 'a file of another kind'
err_has 'it is a directory' 'a directory'
err_has 'No such file' 'no file'
: >"$tmp/nothing"
printf '# cudalab transcript\n' >"$tmp/none.txt"
say "replay $tmp/nothing"
err_has 'is not a transcript' 'an empty file'
say_json "replay $tmp/none.txt"
json_is .status error 'a transcript without commands'
json_like .error.message 'has no command to replay' 'has nothing to replay'
printf '# cudalab transcript\ncudalab> quit 3\ncudalab> echo x\nx\n' >"$tmp/quit"
say "replay $tmp/quit; echo still here"
out_has 'still here' 'a transcript ends no session'
printf '# cudalab transcript\ncudalab> replay %s\n' "$tmp/loop" >"$tmp/loop"
say "replay $tmp/loop"
out_has 'inside side or' 'nor does it replay itself'
printf '# cudalab transcript\ncudalab: sed 3\n' >"$tmp/bad"
say "replay $tmp/bad"
err_has 'bad:2: there is no setting `sed`' 'a setting that is none'
{ sed -n 1p "$t"; head -c 10000 "$CUDALAB"; } >"$tmp/junk"
say "replay $tmp/junk; echo alive"
out_has alive 'junk does no harm'

# ---- snap ---------------------------------------------------------------------------------

say "snap $tmp/s.svg"
err_has 'no command has shown anything yet' 'nothing to snap'
say "echo 'a < b & \"c\"'; snap $tmp/s.txt; snap $tmp/s.svg; snap $tmp/again.txt"
is "$(cat "$tmp/s.txt")" "cudalab> echo 'a < b & \"c\"'
a < b & \"c\"" 'the command and what it showed'
ok 'snap itself is not what is snapped' cmp -s "$tmp/s.txt" "$tmp/again.txt"
ok 'in a picture it is escaped' grep -Fq '>a &lt; b &amp; &quot;c&quot;</text>' "$tmp/s.svg"
ok 'without colours, one colour' test \
    "$(grep -o 'fill="#[0-9a-f]*"' "$tmp/s.svg" | sort -u | wc -l)" -eq 2
say "trap -n 64; snap $tmp/c.svg; snap $tmp/d.svg --theme dark; snap $tmp/c.txt" --color always
ok 'bold where the screen is' grep -q 'font-weight="bold">Why<' "$tmp/c.svg"
ok 'a dark theme' grep -q '0d1117' "$tmp/d.svg"
ok 'no codes in text' test "$(grep -c "$escape" "$tmp/c.txt")" -eq 0
say "nosuch; snap $tmp/e.txt"
ok 'an error is something shown' grep -q 'there is no command' "$tmp/e.txt"
cat >"$tmp/codes.cu" <<'CU'
#include <stdio.h>
__global__ void k()
{
    printf("\033[31mred\033[0m \033[48;5;178m\033[30mon orange\033[0m \033[97;44mbright\033[m\n");
    printf("\346\274\242\345\255\227|x\001y\n");
}
CU
if can_load; then
    say "load $tmp/codes.cu; launch k<<<1,1>>>(); snap $tmp/k.svg" --charset utf8
    ok "codes of a kernel's colour nothing" grep -Fq '>\x1b[31mred\x1b[0m' "$tmp/k.svg"
    ok 'a wide character takes two columns' \
        grep -q 'x="16.8" y="[0-9]*" textLength="16.8"[^>]*>字<' "$tmp/k.svg"
    ok 'and what follows stands after them' \
        grep -q 'x="33.6" y="[0-9]*" textLength="58.8"[^>]*>|x.x01y<' "$tmp/k.svg"
else
    skip 'no compiler of CUDA C' "codes of a kernel's colour nothing"
fi
if command -v python3 >/dev/null; then
    for svg in s c d k; do
        test -f "$tmp/$svg.svg" || continue
        ok "$svg.svg is XML" python3 -c \
            'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$tmp/$svg.svg"
    done
elif command -v xmllint >/dev/null; then
    ok 'the pictures are XML' xmllint --noout "$tmp/s.svg" "$tmp/c.svg" "$tmp/d.svg"
else
    skip 'neither python3 nor xmllint' 'the pictures are XML'
fi
say "echo x; snap $tmp/x.png; snap $tmp/none/x.svg; snap $tmp/x.svg --theme drak"
err_has 'let the name end in .svg or .txt' 'another ending'
err_has 'No such file' 'no folder'
err_has 'dark' 'a misspelt theme'
say "echo x; snap $tmp/safe.svg" --safe
err_has '--safe allows no writing to files' '--safe writes none'
say_json "echo x; snap $tmp/s.svg"
is "$(json 2:.result.of)" 'echo x' '--json: what it is a picture of'

# ---- --svg --------------------------------------------------------------------------------

say "banks 2 --svg $tmp/b.svg; snap $tmp/b2.svg; banks 2; snap $tmp/plain.svg" --color always
ok '--svg saves the screen of a lab' cmp -s "$tmp/b.svg" "$tmp/plain.svg"
ok 'the command in it is without the option' grep -q '>banks 2</text>' "$tmp/b.svg"
say "banks 2 --svg '$tmp/b 3.svg' --pad 1; banks 2 --svg=$tmp/b4.svg"
ok 'a name with a blank' grep -q '>banks 2 --pad 1</text>' "$tmp/b 3.svg"
ok 'and one behind =' grep -q '>banks 2</text>' "$tmp/b4.svg"
say "banks 2 --svg $tmp/b.png; banks 5000 --svg $tmp/no.svg"
err_has '--svg saves a picture: let the name end in .svg' '--svg: another ending'
ok 'a lab that is refused leaves no picture' test ! -e "$tmp/no.svg"
say "banks 2 --svg $tmp/none/b.svg"
status_is 1 '--svg: a file that cannot be written'
err_has 'No such file' 'why not'
say "banks 2 --svg $tmp/safe.svg" --safe
err_has '--safe allows no writing to files' '--svg under --safe'
ok 'the lab did not run' test ! -s "$out"
ok 'and there is no file' test ! -e "$tmp/safe.svg"
say_json "banks 2 --svg $tmp/j.svg"
json_is .result.ok true '--svg with --json'
ok 'the picture is of the screen' grep -q '>bank ' "$tmp/j.svg"

# ---- side ---------------------------------------------------------------------------------

printf 'echo one\necho two\necho three\n' >"$tmp/3.lab"
printf 'echo one\necho more\necho two\necho tree\n' >"$tmp/4.lab"
say "set width 80; side 'source $tmp/3.lab' 'source $tmp/4.lab'"
status_is 0 'side'
out_like '^one {38}one$' 'lines that agree stand side by side'
out_like '^ {39}> more$' 'one line more'
out_like '^two {38}two$' 'makes no other differ'
out_like '^three {34}[|] tree$' 'a line in place of another'
out_has '2 of 4 lines differ' 'they are counted'
say "set width 60; side 'source $tmp/3.lab' 'source $tmp/4.lab'"
out_like '^[|] three$' 'below 80 columns the marks stand in front'
out_like '^> more$' 'of both'
out_like '^  two$' 'and nothing before what agrees'
say "side 'echo same' 'echo same'"
out_has 'both show the same' 'no difference'
say "side 'banks 2' 'banks 33'" --color always
plain=$(sed "s/$escape\[[0-9;]*m//g" "$out")
say "side 'banks 2' 'banks 33'"
is "$plain" "$(cat "$out")" 'with colours, the same columns'
for width in 60 72 80 132; do
    say "set width $width; side 'trap -n 64' 'trap -n 64 --variant shuffle'"
    ok "at most $width columns" test "$(awk -v w=$width 'length > w' "$out" | wc -l)" -eq 0
done
say "side 'hello 2 2' 'nosuch'; show width"
status_is 1 'one that fails fails it'
out_has 'Hello from thread 1' 'the other one is shown'
out_has 'there is no command' 'and the error'
err_has '`nosuch`: there is no command' 'is told'
out_like '^width +0 ' 'the width is what it was'
say_json "side 'hello 2 2' 'nosuch'"
json_count 1 '--json: one object'
json_is '.status' error 'its status'
json_is '.result.a[0].result.lines' 4 'with the results of both'
json_is '.result.b[0].status' error 'inside'
json_is '.result.same' false 'and whether they are the same'
say_json "set step-limit 10; side 'hello 2' 'hello 4'"
json_is '2:.status' fault 'a fault is a fault'
json_is '2:.faults[0].kind' timeout 'and named'
say "side 'quit 3' 'echo x'; side 'side a b' 'echo b'; side a; side '' b; echo still here"
out_has 'still here' 'it ends no session'
err_has 'the first of the two commands shows nothing' 'quit is nothing to show'
err_has 'run inside side' 'nor side'
err_has 'B is missing' 'it takes two'
say "transcript $t --force; side 'echo a' 'echo b'; transcript; replay $t"
out_has '1 of 1 the same' 'a transcript with it replays'
say "alias x side x x; x; echo alive"
out_has alive 'an alias of itself ends'
say "side 'echo a' 'echo b'; snap $tmp/side.txt"
ok 'a snap of it has both' grep -q '^a  *| b$' "$tmp/side.txt"

# ---- play, where nobody can press Enter ---------------------------------------------------

say "play $tmp/mine.cu"
err_has 'is CUDA C, not a script of commands' 'a source is no script'
cat >"$tmp/lect.lab" <<END
#: One atomic a thread: right, and slow. This slide is longer than the screen is wide, and so it
#: is wrapped.
#:
#:   as it stands
# the lecturer's own note
echo one \\
   and more  # remark
nosuch
source sub.lab; echo after
#: the last slide
END
echo 'echo in sub' >"$tmp/sub.lab"
say "play $tmp/lect.lab; echo end"
status_is 1 'a step that fails fails the script'
cat >"$tmp/wanted" <<END

  One atomic a thread: right, and slow. This slide is longer than the screen is
  wide, and so it is wrapped.

    as it stands

cudalab> echo one    and more
one    and more
cudalab> nosuch
cudalab> source sub.lab; echo after
in sub
after

  the last slide

end
END
ok 'slides, commands and what they show' cmp -s "$tmp/wanted" "$out"
test -s "$out" && diff "$tmp/wanted" "$out" | sed 's/^/# /'
err_has "$tmp/lect.lab:8: there is no command" 'errors with the place in the script'
say_json "play $tmp/lect.lab"
json_count 4 '--json: an object for each command, none for itself'
json_valid 'and nothing else'
say "play $tmp/lect.lab" --bail
out_lacks 'in sub' '--bail ends it where a command fails'
say "play $tmp/none; play $tmp; play"
err_has 'No such file' 'no file'
err_has 'it is a directory' 'a directory'
err_has 'FILE is missing' 'no name'
: >"$tmp/empty.lab"
say "play $tmp/empty.lab; play $CUDALAB"
err_has 'has nothing to play' 'an empty script'
err_has 'has bytes that no text has' 'a program'
say "play $tmp/lect.lab --from 3 --clear"
is "$(sed -n 1p "$out")" 'cudalab> source sub.lab; echo after' '--from begins at a step'
out_lacks "$escape" '--clear clears nothing where nobody reads'
say "play $tmp/lect.lab --from 5; play $tmp/lect.lab --from 0"
err_has 'has 4 steps: --from takes 1 to 4' 'a step that is not there'
err_has 'at least 1' 'nor is step 0'
printf 'echo a\nplay %s\necho b\n' "$tmp/self.lab" >"$tmp/self.lab"
say "play $tmp/self.lab"
err_has 'is being played' 'a script does not play itself'
is "$(grep -c '^b$' "$out")" 1 'and goes on'
say "source $tmp/self.lab"
err_has 'is being read already' 'nor one that sources it'
say "play $tmp/lect.lab" --safe
err_has '--allow FILE' '--safe: as source'
say "play $tmp/lect.lab" --safe --allow "$tmp/lect.lab"
out_has 'one    and more' 'and allowed'
say "transcript $t --force; play $tmp/lect.lab; transcript"
is "$(grep -c '^cudalab> ' "$t")" 4 'a transcript has its commands'

say "echo one; snap; nosuch; snap $tmp/last.txt"
is "$(cat "$tmp/last.txt")" "$(printf 'cudalab> echo one\none')" \
    'snap keeps the last screen, also after a command that was refused'
for typed in 'side hello 2 2 hello 2 3' 'side atomics -- atomics --variant plain' \
    'side atomics --variant all'; do
    say "$typed"
    err_has 'put each of the two commands in quotes' "$typed: it says what is missing"
done

say 'set width 120; side atomics "atomics --variant plain"'
out_like '^Why  .* [|] Why  ' 'Why stands next to Why'
out_like '^Try  .* [|] Try  ' 'and Try next to Try'

done_testing
