# SPDX-License-Identifier: GPL-3.0-or-later
#
# --talk: requests and answers of a program that stands between the student and cudalab.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

talk() { # talk [ARGUMENT...] <REQUESTS: all objects are in $out, each on its own line
    lab --talk --quiet "$@"
}

object_is() { # object_is NUMBER PATH WANTED NAME: a value of the object in this line
    sed -n "$1p" "$out" >"$tmp/object"
    is "$("$JSONGET" "$2" <"$tmp/object" 2>&1)" "$3" "$4"
}

kinds() { # the kinds of all objects, in order
    sed -e 's/^{"talk":"\([a-z]*\)".*/\1/' -e 's/^{"command".*/command/' "$out" | tr '\n' ' '
}

in_tmp() {
    cd "$tmp" || exit 99
}
in_tmp

# ---- what is run --------------------------------------------------------------------------
printf '%s\n' '{"run":"echo one\nnosuch\necho two"}' >requests
talk <requests
status_is 0 'a command that fails is no failure of the program'
is "$(kinds)" 'ready begin out command err command end ' 'texts come before their object'
object_is 3 .text 'one' 'what a command shows'
object_is 5 .text 'there is no command `nosuch`; `help` lists all commands' 'what is wrong'
object_is 6 .cause script 'the object tells the cause'
object_is 6 .error.line 2 'and the line of the request'
object_is 7 .ok false 'the rest does not run'

printf '%s\n' '{"run":"let n = 3\nif $n == 3\n  echo yes\nend\n# no command\n\necho \\\n  joined"}' \
    '{"run":"let n = 4; echo $n"}' >requests
talk <requests
is "$(grep '"talk":"out"' "$out" | tr '\n' ' ')" \
    '{"talk":"out","text":"yes\n"} {"talk":"out","text":"joined\n"} {"talk":"out","text":"4\n"} ' \
    'blocks, comments and lines that go on; variables stay'

printf '%s\n' '{"run":"testcase \"t\"\nexpect 1 == 2\nend\necho no"}' '{"run":"echo after"}' >requests
talk <requests
is "$(grep -c '"text":"no' "$out")" 0 'a failed testcase ends its request'
is "$(grep -c '"text":"after' "$out")" 1 'and no other one'

printf '%s\n' '{"run":"banks 32 --json"}' >requests
talk <requests
is "$(kinds)" 'ready begin out command end ' 'JSON that was asked for is shown as a text'

printf '%s\n' '{"run":"banks 32\nsnap a.svg\nbanks 4 --svg b.svg"}' '{"run":"echo x"}' >requests
talk <requests
is "$(grep -o '"files":.*' "$out" | tr '\n' ' ')" '"files":["a.svg","b.svg"]} "files":[]} ' \
    'files that were written are listed'
ok 'they are there' test -s a.svg -a -s b.svg

printf '%s\n' '{"picture":"light"}' '{"run":"banks 32\nlet n = 1"}' '{"picture":"dark"}' >requests
talk --safe <requests
object_is 3 .svg '' 'there is no picture before something was shown'
like "$(sed -n 10p "$out")" '^\{"talk":"end","svg":"<\?xml.*cudalab.*banks 32.*</svg>' \
    'a picture of what was shown last, also under --safe'

# ---- colours and sizes --------------------------------------------------------------------
printf '%s\n' '{"run":"set width 60"}' '{"run":"banks 32"}' >requests
talk --color always <requests
out_has '\u001b[' 'colours where they are wanted'
talk <requests
out_lacks '\u001b[' 'and else none'

# ---- questions ----------------------------------------------------------------------------
printf '%s\n' '{"run":"set predict on\nbanks 4"}' '{"answer":"4"}' '{"run":"banks 4"}' \
    '{"answer":null}' >requests
talk <requests
is "$(kinds)" \
    'ready begin command out question out command end begin out question out command end ' \
    'a question, its answer, the rest'
out_has 'right: you said 4' 'the answer is heard'

echo old >kept.svg
printf '%s\n' '{"run":"set predict on"}' '{"run":"banks 4\nsnap kept.svg","ask":false}' \
    '{"run":"banks 4\nset predict off","ask":true}' '{"answer":"4"}' >requests
talk <requests
is "$(grep -c '"question"' "$out")" 1 'no question where nobody can be asked'
ok 'a file is replaced then, as in a script' grep -q '<svg' kept.svg

printf '%s\n' '{"run":"set predict on\nbanks 4"}' >requests
talk <requests
status_is 0 'who ends in a question is asked nothing more'

# ---- asides, completion, what is open -----------------------------------------------------
printf '%s\n' '{"run":"banks 32"}' '{"aside":"help warp"}' '{"aside":"nosuch"}' \
    '{"run":"snap last.txt"}' >requests
talk <requests
like "$(sed -n 7p "$out")" '^\{"talk":"end","ok":true,"text":"warp: 32 threads' 'a text for the program'
like "$(sed -n 9p "$out")" '"ok":false' 'an aside that fails'
ok 'they leave no trace' grep -q 'cudalab> banks 32' last.txt

complete() { # complete LINE WANTED: as JSON
    printf '{"complete":"%s"}\n' "$1" >requests
    talk <requests
    is "$(sed -n '3s/^{"talk":"end",//p' "$out")" "$2}" "complete $1"
}
complete 'trap --variant bl' '"from":15,"names":["block-1024","block-shared","block-shuffle"],"calls":false'
complete 'echo a; bank' '"from":8,"names":["banks"],"calls":false'
complete 'echo \"x' '"from":6,"names":[],"calls":false'
say_json 'complete bank'
json_is .result.from 0 'the command complete tells the place too'
json_is '.result.names[0]' banks 'and the names'

unfinished() { # unfinished TEXT true|false
    printf '{"unfinished":"%s"}\n' "$1" >requests
    talk <requests
    is "$(sed -n '3s/.*"unfinished":\([a-z]*\)}/\1/p' "$out")" "$2" "unfinished: $1"
}
unfinished 'echo x' false
unfinished '' false
unfinished 'if 1 == 1' true
unfinished 'if 1 == 1\necho x' true
unfinished 'if 1 == 1\necho x\nend' false
unfinished 'echo \"a' true
unfinished 'launch k<<<1,' true
unfinished 'echo a \\\\' true
unfinished 'nosuch; # \"' false

# ---- requests that are none ---------------------------------------------------------------
{
    printf '%s\n' 'garbage' '{}' '{"run":5}' '{"run":"a\u0000b"}' '[]' '' '{"run":"echo on"}'
    awk 'BEGIN { printf "{\"run\":\""; for (i = 0; i < 1200000; i++) printf "x"; print "\"}" }'
    printf '%s\n' '{"run":"echo still"}'
} >requests
talk <requests
status_is 0 'no request ends the program'
is "$(grep -c '"talk":"end","error"' "$out")" 7 'each that is none gets an answer'
out_has '"text":"on\n"' 'and the next one'
out_has '"text":"still\n"' 'also after one that is too long'

talk --json </dev/null
status_is 2 '--json and --talk are one too many'

# ---- what stops a command -----------------------------------------------------------------
write_endless
mkfifo in
"$CUDALAB" --no-init --quiet --talk <in >stopped 2>&1 &
process=$!
exec 3>in
printf '%s\n' '{"run":"load endless.ptx"}' '{"run":"launch endless<<<1,1>>>()\necho no"}' >&3
until_true grep -q '"command":"load' stopped
until_true sh -c 'test "$(grep -c begin stopped)" = 2'
kill -INT "$process"
until_true sh -c 'test "$(grep -c \"end\" stopped)" = 2'
for _ in 1 2 3 4 5 6 7 8 9; do
    kill -INT "$process" # nothing runs: nothing happens
done
printf '%s\n' '{"run":"set predict on\nbanks 4"}' >&3
until_true grep -q question stopped
kill -INT "$process"
until_true sh -c 'test "$(grep -c \"end\" stopped)" = 3'
printf '%s\n' '{"run":"set predict off\necho goes on"}' >&3
exec 3>&-
wait "$process"
is $? 0 'SIGINT ends no session'
is "$(grep -c '"text":"no\\n"' stopped)" 0 'SIGINT ends a launch, and the rest does not run'
is "$(grep -c 'goes on\\n"' stopped)" 1 'it ends a question, and the next request is answered'
done_testing
