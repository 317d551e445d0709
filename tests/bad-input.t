# SPDX-License-Identifier: GPL-3.0-or-later
#
# Bad input: each gives a clear message that names what would be right, status 1, and the next
# command works. Output that can't be written is an error too.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# refused COMMAND REGEX: nothing of it runs
refused() {
    say "$1; echo next"
    status_is 1 "$1: 1"
    err_like "^-c:1: .*$2" "$1: says what would be right"
    is "$(cat "$out")" next "$1: nothing ran, and the next command works"
}
refused nosuch 'no command `nosuch`; `help` lists'
refused 'trpa -n 4' 'did you mean trap'
refused 'vim k.cu' 'edit the file in a second window'
refused 'TRAP' 'did you mean trap'
refused 'i' '`help` lists'
refused 'tra -n 4' 'did you mean trap'
refused '-n 4' 'no command'
refused '5' 'no command'
refused 'trap --varaint all' 'did you mean --variant'
refused 'trap -variant all' 'did you mean --variant'
refused 'trap --n 5' 'did you mean -n'
refused 'trap --zzzzzz 5' 'help trap'
refused 'trap --variant shufle' 'did you mean shuffle'
refused 'trap --variant' '--variant needs a value: --variant NAME'
refused 'trap -a -n 5' '-a needs a value'
refused 'trap -n' '-n needs a value'
refused 'trap -n 5 -n 6' 'twice'
refused 'trap --trace=yes' 'takes no value'
refused 'trap -n 0' 'at least 1'
refused 'trap -n -5' 'at least 1'
refused 'trap -n 2^40' 'at most 2147483647'
refused 'trap -n 99999999999999999999' 'at most'
refused 'trap -n 1.5' 'whole number'
refused 'trap -n 5x' 'is not a number'
refused 'trap -n ""' 'number is missing'
refused 'trap -a 1e400' 'too big'
refused 'trap -a x' 'is not a number'
refused 'trap --threads 1025' 'at most 1024'
refused 'trap --threads 0' 'from 1 to 1024'
refused 'trap --blocks 0' 'at least 1'
refused 'trap 7' 'one word too many, did you mean -n 7?'
refused 'trap calls' 'did you mean --calls?'
refused 'sum all' 'did you mean --variant all?'
refused 'code sum tree' 'did you mean --variant tree?'
refused 'ptx vecadd blocks' 'did you mean --variant blocks?'
refused 'code sum host' 'did you mean --host?'
refused 'trap -n5' 'did you mean -n 5'
refused 'trap -f x + 1' 'needs quotes'
refused 'alias a b; alias b a; a' 'leads back to itself'
refused 'alias a a; a' 'leads back to itself'
refused 'hello' 'B is missing: .*; for example: hello 2 4$'
refused 'hello 1 2000' 'at most 1024; take more blocks of fewer threads'
refused 'hello 0' 'at least 1'
refused 'hello 2x2x2x2 1' 'three parts'
refused 'hello x 1' 'is neither a number'
refused 'banks x' 'is not a number'
refused 'banks --width 5 1' 'it takes 4, 8, 16'
refused 'code' 'NAME is missing'
refused 'code trp' 'did you mean trap'
refused 'code set' 'name a lab'
refused 'code trap --variant shufle' 'did you mean shuffle'
refused "code trap --save $tmp/none/x" 'No such file'
refused 'ptx trap_atomc' 'did you mean trap_atomic'
refused 'help trpa' 'did you mean trap'
refused 'apropos zzzzz' 'another word'
refused 'show sed' 'did you mean seed'
refused 'quit 256' 'at most 255'
refused 'explain' 'run a lab first'
refused "output $tmp/none/x" 'No such file'

# Every lab, and what reads it: none, negative, too many, more than the card has.
. "$top_srcdir/tests/labs.sh"
refused_rows >"$tmp/refused"
while IFS='|' read -r command right card; do
    case $command in '' | '#'*) continue ;; esac
    command=$(echo "$command" | sed 's/ *$//') right=$(echo "$right" | sed 's/^ *//; s/ *$//')
    say "$command; echo next" --device "sim:$(echo "${card:-h100}" | tr -d ' ')"
    test "$status" = 1 && grep -q '^-c:1: ' "$err" && grep -Fq -e "$right" "$err" &&
        test "$(tail -n 1 "$out")" = next
    verdict $? "$command${card:+ on$card}: refused" "stderr should have: $right; and next should follow"
done <"$tmp/refused"
for command in $(labs_rows | sed -n 's/^\([a-z-]\{1,\}\) .*|.*/\1/p' | sort -u); do
    grep -q "^$command\( \|$\)" "$tmp/refused"
    verdict $? "$command: its bad input is tried"
done

# The time limit is a fault wherever it strikes: in a launch, and in what the host does for it.
say_json 'trap -n 2^30; echo next' --time-limit 0.05
json_is 1:.status fault 'the time limit is a fault on the host too'
json_is '1:.faults[0].kind' timeout 'a timeout'
json_is 2:.status ok 'and the next command works'
err_has '-c:1: timeout: ' 'stderr names it'
say_json 'trap -n 2^16 --repeat 100000; echo next' --time-limit 0.5
json_is 1:.status fault 'many short launches are one command too'
say_json 'trap --variant shuffle; echo next' --step-limit 1000
json_is '1:.faults[0].kind' timeout 'so is the step limit'
status_is 1 'with status 1'

# ---- where stdout fails -------------------------------------------------------------------

if test -w /dev/full; then
    status=0
    "$CUDALAB" -c 'echo a; echo b' >/dev/full 2>"$err" </dev/null || status=$?
    status_is 1 'a full disk gives 1'
    err_has 'cannot write the output: No space left' 'and is named'
    is "$(wc -l <"$err" | tr -d ' ')" 1 'once'
    status=0
    "$CUDALAB" --version >/dev/full 2>"$err" </dev/null || status=$?
    status_is 1 'in --version too'
    say 'output /dev/full; echo lost; echo next'
    status_is 1 'and in output FILE'
else
    skip 'no /dev/full here' 'a full disk'
fi
status=0
"$CUDALAB" -c 'echo a' >&- 2>"$err" </dev/null || status=$?
status_is 1 'a closed stdout gives 1'
err_has 'cannot write the output' 'and is named'
status=0
"$CUDALAB" <&- >"$out" 2>"$err" || status=$?
status_is 2 'a closed stdin is an unreadable script'
"$CUDALAB" -c 'help; help; help' 2>"$err" </dev/null | sed -n 1q
err_empty 'a reader that walks away is no news'

# stdout comes before the error that follows it, when both go to one place.
"$CUDALAB" -c 'echo a; nosuch; echo b' >"$out" 2>&1 </dev/null
is "$(cut -c1-4 "$out" | tr '\n' '|')" 'a|-c:1|b|' 'errors and output are in order'

# ---- interrupted --------------------------------------------------------------------------

# A fifo keeps the script waiting for its second line while the signal comes. (A shell starts
# background jobs with SIGINT ignored, so the job asks for the default back where it can.)
mkfifo "$tmp/fifo"
if command -v env >/dev/null && env --default-signal=INT true 2>/dev/null; then
    env --default-signal=INT "$CUDALAB" "$tmp/fifo" >"$out" 2>"$err" &
    job=$!
    exec 9>"$tmp/fifo"
    echo 'echo waiting' >&9
    until_true grep -q waiting "$out"
    kill -INT $job
    status=0
    wait $job || status=$?
    exec 9>&-
    status_is 130 'interrupted in a script gives 130'
else
    skip 'env has no --default-signal' 'interrupted in a script gives 130'
fi

done_testing
