# SPDX-License-Identifier: GPL-3.0-or-later
#
# quiz and predict: every question takes its right answer and refuses a wrong one, for this seed and
# others; what a script gets, what is remembered, and that a session stays as it was.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

questions=$top_srcdir/quiz/questions.txt
grep -v '^#' "$top_srcdir/tests/data/quiz.txt" >"$tmp/rows"
can_load
compiles=$?
test "$compiles" = 0 || test "$(configured PROGRAMS)" = '#' || diag 'there is no compiler here'

# ---- the data -----------------------------------------------------------------------------

say_json quiz
status_is 0 'quiz'
grep -o '"lab":"[^"]*"' "$out" | cut -d'"' -f4 >"$tmp/labs"
sed -n 's/^== \([a-z-]*\) \([a-z0-9-]*\)$/\1 \2/p' "$questions" >"$tmp/entries"
is "$(sort "$tmp/entries" | uniq -d)" '' 'no two questions of a lab have the same name'
grep -v ' predict\(-all\)\{0,1\}$' "$tmp/entries" >"$tmp/asked"
sort "$tmp/labs" >"$tmp/sorted"
is "$(cut -d' ' -f1 "$tmp/asked" | sort -u | diff - "$tmp/sorted")" '' \
    'quiz lists every lab that has some'
lab_names | sort | comm -23 - "$tmp/sorted" >"$tmp/without"
is "$(cat "$tmp/without")" '' 'every lab has a question'
is "$(lab_names | sort | while read -r lab; do
        grep -qx "$lab predict" "$tmp/entries" || echo "$lab"; done)" '' 'and one to predict'
ok 'there are more than a hundred' test "$(wc -l <"$tmp/asked")" -gt 100
ok 'of the sources more than thirty' test "$(grep -c '^  asked ' "$questions")" -gt 30
is "$(sed 's/ |.*//' "$tmp/rows" | sort | diff - "$(sort "$tmp/asked" >"$tmp/a" && echo "$tmp/a")")" '' \
    'each has a row of answers'
is "$(tr '\n' ' ' <"$questions" | tr -s ' ' | grep -o '(help [^)]*)' | tr -d '(),' | tr ' ' '\n' | sort -u | grep -v '^help$' |
    while read -r word; do say "help $word"; test "$status" = 0 || echo "$word"; done)" '' \
    'every word that a text refers to has its help'

# ---- right and wrong ----------------------------------------------------------------------

# Without a compiler, a line of CUDA C can't be tried.
sed 's/ |.*//' "$tmp/rows" | while read -r lab name; do
    printf 'quiz %s --question %s\n' "$lab" "$name"
done >"$tmp/show.lab"
lab --json "$tmp/show.lab" </dev/null
status_is 0 'a question without an answer is shown'
is "$(wc -l <"$out")" "$(wc -l <"$tmp/rows")" 'each one'
sed -n 's/.*"lab":"\([^"]*\)","question":"\([^"]*\)".*"needs_compiler":true.*/\1 \2/p' "$out" >"$tmp/closed"
test "$compiles" = 0 || ok 'questions say that they need a compiler' test -s "$tmp/closed"
test "$compiles" != 0 || is "$(cat "$tmp/closed")" '' 'no question needs what is not there'
sed 's/ |/|/g; s/| /|/g' "$tmp/rows" | while IFS='|' read -r name right wrong; do
    grep -qx "$name" "$tmp/closed" || printf '%s|%s|%s\n' "$name" "$right" "$wrong"
done >"$tmp/open"
answers() { # answers COLUMN SEED: as a script, and the questions in $tmp/names
    cut -d'|' -f1 "$tmp/open" >"$tmp/names"
    awk -F'|' -v column="$1" -v seed="$2" '{ split($1, q, " ")
        printf "quiz %s --question %s --seed %s --answer \"%s\"\n", q[1], q[2], seed, $column }' "$tmp/open" \
        >"$tmp/answers.lab"
    lab --json "$tmp/answers.lab" </dev/null
}
each() { # each PATTERN NAME: a line of each question has it
    is "$(grep -v "$1" "$out" | cut -c1-300)" '' "$2"
    is "$(wc -l <"$out")" "$(wc -l <"$tmp/open")" "$2: all of them"
}
# An answer may hold a bar of C; none of these does.
is "$(awk -F' [|] ' 'NF != 3' "$tmp/rows")" '' 'a row has three columns'
answers 2 1
status_is 0 'right answers'
each '"status":"ok".*"ok":true' 'right answers are right'
each '"run":"\|"outcome":"' 'by a run'
answers 3 1
status_is 1 'wrong answers'
each '"status":"error".*"ok":false.*"error":{"message":"the answer `.*is not right' \
    'wrong answers are not right'
each '"outcome":"[^"]' 'and get what came of them'
is "$(grep -o '"outcome":"[^"]*{[a-z0-9]*[.][^"]*"' "$out")" '' 'with all values filled in'
cut -d: -f1 "$err" | sort -u >"$tmp/places"
is "$(wc -l <"$err")" "$(wc -l <"$tmp/open")" 'each is one error'

# All below is the same for any kernels: .ci/run tries it once.
test -z "${KERNELS_ONLY:-}" || done_testing

# Another seed draws other numbers. Where the run says what is right, that is right.
for seed in 2 3; do
    answers 3 "$seed"
    grep '"ok":false' "$out" | sed -n 's/.*"lab":"\([^"]*\)","question":"\([^"]*\)".*"found":"\([^"]*\)".*/quiz \1 --question \2 --answer \3/p' \
        >"$tmp/found"
    sed "s/\$/ --seed $seed/" "$tmp/found" >"$tmp/found.lab"
    lab --json "$tmp/found.lab" </dev/null
    is "$(grep -v '"ok":true' "$out" | cut -c1-300)" '' "seed $seed: what the run found is right"
    ok "seed $seed: of many" test "$(wc -l <"$out")" -gt 40
done

# Of the choices exactly one is right, whatever the order.
awk '/^== / { name = $2 " --question " $3 } name && /^  choice / { print name }' "$questions" |
    uniq -c |
    while read -r n question; do
        i=0
        for letter in a b c d e f; do
            i=$((i + 1))
            test "$i" -gt "$n" || echo "quiz $question --seed 5 --answer $letter"
        done
    done >"$tmp/choices.lab"
lab --json "$tmp/choices.lab" </dev/null
is "$(sed -n 's/.*"lab":"\([^"]*\)","question":"\([^"]*\)".*"seed":\([0-9]*\).*"ok":\(true\|false\).*/\1 \2 \3 \4/p' "$out" |
    awk '{ n[$1 " " $2 " " $3] += $4 == "true" } END { for (q in n) if (n[q] != 1) print q, n[q] }')" '' \
    'exactly one choice is right'
is "$(grep -vc '"ok":\(true\|false\)' "$out")" 0 'and each can be tried'

# ---- a script -----------------------------------------------------------------------------

printf 'quiz banks\n8\necho next\n' >"$tmp/blocks.lab"
lab "$tmp/blocks.lab" </dev/null
status_is 1 'a script is not asked'
out_has 'wavefronts does this load take' 'it gets the question'
err_like 'blocks.lab:2: ' 'and its next line is a command'
is "$(tail -n 1 "$out")" next 'as the one after it'
lab <"$tmp/blocks.lab"
is "$(tail -n 1 "$out")" next 'from a pipe as well'
say 'quiz banks --question broadcast --answer 1'
status_is 0 'a right answer: status 0'
out_like '^right: 1' 'it says so'
out_like 'checked by +banks 0' 'with what ran'
err_empty 'and no error'
say 'quiz banks --question broadcast --answer 32'
status_is 1 'a wrong answer: status 1'
out_like '^not so: 32' 'it says so'
err_like '^-c:1: the answer `32` is not right: It takes 1' 'and what came of it'
say 'quiz banks --question 1; quiz banks --question passes'
is "$(sed -n 1p "$out")" "$(sed -n 6p "$out")" 'a number or a name'
say_json 'quiz banks --question passes; quiz banks --question passes; quiz banks --question passes --seed 77'
is "$(sed -n 1p "$out")" "$(sed -n 2p "$out")" 'the same seed draws the same numbers'
test "$(sed -n 1p "$out" | grep -o '"text":"[^"]*"')" != "$(sed -n 3p "$out" | grep -o '"text":"[^"]*"')"
verdict $? 'another seed draws others'
say 'set seed 77; quiz banks --question passes'
cp "$out" "$tmp/by-setting"
say 'quiz banks --question passes --seed 77'
is "$(head -n 2 "$out")" "$(head -n 2 "$tmp/by-setting")" 'the setting is a seed too'
say_json 'quiz banks --question broadcast --answer 1; quiz banks --question broadcast --answer 1; quiz; quiz banks --list'
json_is '4:.result.questions[3].right' 2 'a session counts'
say 'quiz banks --list'
out_like '^ +1  Lane i' 'the list of a lab'
refused 'quiz bnks' 'no questions about `bnks`: did you mean banks' 'a misspelt lab'
refused 'quiz set' 'no questions about `set`' 'a command without questions'
refused 'quiz banks --question 99' 'banks has no question `99`: write a number from 1 to' \
    'a question that is not there'
refused 'quiz banks --answer 3' '--answer needs --question' 'an answer to nothing'
refused 'quiz --question 3' 'quiz needs a lab' 'a question of no lab'
refused 'quiz banks --list --question 1' 'only one of --list and --question' 'two wishes'
refused 'quiz banks --question passes --answer many' 'the answer is a number, and `many` is none' \
    'no number'
refused 'quiz banks --question passes --answer 33' 'a whole number from 1 to 32' \
    'a number out of range'
refused 'quiz trap --question firstelement --answer d' 'a letter from a to c' 'no choice'
refused "quiz grid --question index --answer 'a; quit'" "can't have \`;\`" 'no expression'
say "quiz grid --question index --answer 'blockIdx.x +'"
status_is 1 'an expression that is none is a wrong answer'
refused 'load quiz:answer' 'there only while `quiz` checks an answer' 'the kernel of an answer'
say 'set schedule random:3; set device sim:quadro600; set define N=3; quiz banks --question old --answer 2'
status_is 0 'nor do settings'
say 'quiz banks --question broadcast --answer 1' --safe
status_is 0 'under --safe as well'
say "quiz banks; set width 40; quiz trap --question firstelement; quiz; quiz trap --list"
status_is 0 'on a narrow screen'

# A run has a session of its own.
say_json 'array x i32 4 list:1,2,3,4; banks 2; quiz banks --question broadcast --answer 1; print x; arrays; explain; findings'
json_is '4:.result.values[3]' 4 'arrays stay'
say 'banks 2; explain'
cp "$out" "$tmp/explained"
say 'banks 2; quiz trap --question warp0 --answer a; explain'
ok 'so does what is explained' grep -qF "$(tail -n 3 "$tmp/explained" | head -n 1)" "$out"
if test "$compiles" = 0; then
    say_json "quiz atomics --question line --answer 'atomicAdd(sum, x[threadIdx.x]);'; kernels; arrays"
    out_lacks '"name":"add"' 'kernels of an answer go'
    say "quiz dot --question stride --answer 'mine = a[i * b[i];'"
    status_is 1 'what does not compile is not right'
    err_has 'error' 'with the words of the compiler'
    say "quiz atomics --question line --answer 'while (*(volatile int *)sum >= 0) ;'"
    err_has 'timeout' 'an endless loop ends'
else
    refused "quiz dot --question stride --answer 'x'" 'needs a compiler' \
        'a line of code without a compiler'
fi

# ---- predict ------------------------------------------------------------------------------

say 'set predict on; banks 4; banks 4 --json; show predict'
status_is 0 'set predict on'
out_lacks 'answer>' 'a script is never asked'
out_lacks 'Guess' 'and nothing is compared'
printf 'set predict on\nbanks 4\n4\n' >"$tmp/predict.lab"
lab <"$tmp/predict.lab"
err_like ':3: ' 'nor is a pipe'

# ---- at a prompt --------------------------------------------------------------------------

at_home
state=$HOME/.local/state/cudalab/quiz
say 'quiz banks --question broadcast --answer 1'
ok 'a script keeps nothing' test ! -e "$state"
has_terminal || done_testing

at_prompt() { # at_prompt TYPED ANSWER SEEN
    at_terminal "'$CUDALAB' --device sim" <<END
see "cudalab> "
key "$1\r"
see "answer> "
key "$2\r"
see "$3"
see "cudalab> "
key "\004"
END
}
at_prompt 'quiz banks --question broadcast' 1 'right'
status_is 0 'the next line is the answer'
is "$(cat "$state")" 'banks broadcast 1 0' 'it is kept'
at_prompt 'quiz banks --question broadcast' 7 'not so'
status_is 0 'a wrong one'
is "$(cat "$state")" 'banks broadcast 1 1' 'is kept too'
at_prompt 'quiz banks --question broadcast' '' 'No answer'
status_is 0 'Enter leaves the question'
is "$(cat "$state")" 'banks broadcast 1 1' 'which changes nothing'
# What can't be an answer is refused in lines that break at blanks.
at_terminal "'$CUDALAB' --device sim" <<'END'
see "cudalab> "
key "set width 40; quiz banks --question broadcast\r"
see "answer> "
key "x\r"
see "answer> "
key "\r"
see "cudalab> "
key "\004"
END
status_is 0 'no number where one is asked for'
grep -A3 'is none' "$out" | tr -d '\r' | sed '/^answer/,$d' >"$tmp/refusal"
ok 'the refusal is there' test -s "$tmp/refusal"
is "$(awk 'length > 40' "$tmp/refusal")" '' 'and it keeps to the width'
# gives_up TYPED QUESTION SEEN: Ctrl-C at the question ends what was typed, also behind a ;
gives_up() {
    at_terminal "'$CUDALAB' --device sim" <<END
see "cudalab> "
key "$1; echo the rest of it\r"
see "$2"
key "\003"
see "$3"
see "cudalab> "
key "echo the next line\r"
see "the next line\r\n"
see "cudalab> "
key "\004"
END
    status_is 0 "$1: Ctrl-C at its question"
    is "$(grep -c '^the rest of it' "$out")" 0 'gives up the rest of the line'
}
gives_up 'quiz banks --question broadcast' 'answer> ' 'No answer'
is "$(cat "$state")" 'banks broadcast 1 1' 'and is no answer'
at_terminal "'$CUDALAB' --device sim" <<END
see "cudalab> "
key "quiz banks --question broadcast\r"
see "answer> "
key "none\r"
see "none"
see "answer> "
key "1\r"
see "right"
see "cudalab> "
key "quiz --list\r"
see "banks"
see "cudalab> "
key "\004"
END
status_is 0 'what is no answer is asked again'
say 'quiz banks --question broadcast --answer 1'
is "$(cat "$state")" 'banks broadcast 2 1' 'a script does not write it'
printf 'nonsense\nbanks broadcast 5 x\nno such 1 1\nbanks wide 3 0\n' >"$state"
at_prompt 'quiz banks --question broadcast' 1 'right'
is "$(cat "$state")" "$(printf 'banks broadcast 1 0\nbanks wide 3 0')" 'a damaged file does no harm'

at_prompt 'set predict on; banks 4' 4 'right'
status_is 0 'a lab asks first'
out_has 'with stride 4?' 'with its own parameters'
at_prompt 'set predict on; banks 4' 2 '2 times too low'
status_is 0 'and compares'
at_prompt 'set predict on; banks 4' '' 'wavefronts'
out_lacks 'Guess' 'Enter: no guess'
gives_up 'set predict on; banks 4' 'answer> ' stopped
out_lacks 'lane i reads' 'and the lab does not run'
echo old >"$tmp/old.cu"
gives_up "code hello --save $tmp/old.cu" 'overwrite the file: ' 'is kept'
is "$(cat "$tmp/old.cu")" old 'and the file is as it was'
cat >"$tmp/predict.play" <<'END'
# = First
set predict on
banks 4
# = Second
echo the second step
END
at_terminal "'$CUDALAB' --device sim" <<END
see "cudalab> "
key "play $tmp/predict.play\r"
see "play 1/"
key "\r"
see "play 2/"
key "\r"
see "answer> "
key "\003"
see "Enter goes on"
see "play 3/"
key "\r"
see "the second step\r\n"
see "cudalab> "
key "\004"
END
status_is 0 'in a play Ctrl-C gives up the step'
out_lacks 'lane i reads' 'whose lab does not run'
# Every lab asks something that its run tells.
for lab in $(lab_names); do
    case $lab in
    hello) echo "$lab 2 4" ;;
    grid) echo "$lab 4 8" ;;
    shfl-trace) echo "$lab down 4" ;;
    latency | throughput | timing | relaunch)
        say "complete \"$lab --variant \""
        echo "$lab --variant $(grep -vx all "$out" | head -n 1)" ;;
    *) echo "$lab" ;;
    esac
done >"$tmp/guesses"
{
    printf 'see "cudalab> "\nkey "set predict on\\r"\n'
    while IFS= read -r line; do
        printf 'see "cudalab> "\nkey "%s\\r"\nsee "answer> "\nkey "1\\r"\nsee "Guess"\n' "$line"
    done <"$tmp/guesses"
    printf 'see "cudalab> "\nkey "\\004"\n'
} >"$tmp/guessing"
at_terminal "'$CUDALAB' --device sim" <"$tmp/guessing"
status_is 0 'every lab asks for a guess, and compares'
out_lacks 'does not tell' 'with a value of its run'
at_prompt 'set predict on; dot --variant all -n 1000' gridstride 'Guess'
status_is 0 'with all variants: which is the fastest'
done_testing
