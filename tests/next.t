# SPDX-License-Identifier: GPL-3.0-or-later
#
# next: the course from its first lab to its last task, and back; what it remembers at a prompt,
# and that scripts and --safe neither read nor write that.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# ---- every lab has its place --------------------------------------------------------------

list=$top_srcdir/src/labs/LIST
labs_of() { # labs_of SESSION: how many it has
    awk -v session="$1" '/^= / { here = $2 == session } here && /^([a-z]|[+] )/ { n++ } END { print n }' \
        "$list"
}
say_json 'next --list'
json_is .result.sessions.# 6 'six sessions'
grep -o '"labs":\[[^]]*\]' "$out" | tr -d '":[]' | sed 's/^labs//' | tr ',' '\n' | sed '/^$/d' \
    >"$tmp/walked"
lab_names | sort >"$tmp/labs"
is "$(sort "$tmp/walked" | uniq -d)" '' 'no lab is in two'
is "$(sort "$tmp/walked" | comm -13 - "$tmp/labs" | tr '\n' ' ')" '' 'and every lab is in one'
for session in $(sed -n 's/^= \([a-z]*\) .*/\1/p' "$list"); do
    for kind in goal task; do
        ok "session $session has a $kind" \
            grep -q "^== $kind $session\$" "$top_srcdir/help/course.txt"
    done
done
is "$(awk '/^= / { if (name && !labs) print name; name = $2; labs = 0 } /^([a-z]|[+] )/ { labs++ }
           END { if (!labs) print name }' "$list")" '' 'no session is empty'
is "$(grep -c '^== \(goal\|task\) ' "$top_srcdir/help/course.txt")" 12 'no goal or task is left over'

# src/labs/LIST is the one list. help, next, README and the manual page have the same order.
sed -n 's/^+ //; /^[a-z]/p' "$list" >"$tmp/course"
same_order() { # same_order NAME: the commands are stdin; those that are not of the course don't count
    grep -xFf "$tmp/course" >"$tmp/order"
    is "$(diff "$tmp/course" "$tmp/order")" '' "$1 has the course in its order"
}
same_order next <"$tmp/walked"
say help
awk '/^  [a-z]/ { print $1 }' "$out" >"$tmp/helped"
same_order help <"$tmp/helped"
out_like '^3 Sums$' 'by sessions'
awk '/^[0-9] / { n++ } /^Your own/ { exit } END { print n }' "$out" >"$tmp/count"
is "$(cat "$tmp/count")" 6 'and with all six of them'
sed -n 's/^| \(`[^|]*\)|.*/\1/p' "$top_srcdir/README.md" | grep -o '`[a-z-]*`' | tr -d '`' >"$tmp/readme"
same_order "the README's table" <"$tmp/readme"
sed -n 's/^\.It Ic \([a-z-]*\)$/\1/p' "$top_srcdir/man/cudalab.1" >"$tmp/manual"
same_order 'the manual page' <"$tmp/manual"
sed -n 's/^Session [0-9], \(.*\):$/\1/p' "$top_srcdir/man/cudalab.1" >"$tmp/titles"
is "$(sed -n 's/^= [a-z]* *//p' "$list" | diff - "$tmp/titles")" '' 'with the same sessions'
say help
is "$(awk '/^  [a-z]/ { print $1 }' "$out" | sort | uniq -d)" '' 'help lists no command twice'

# ---- walking, in a script -----------------------------------------------------------------

sessions=$(grep -c . "$tmp/walked")
for i in $(awk -v n="$sessions" 'BEGIN { for (i = 0; i < n + 8; i++) print i }'); do
    echo next
done >"$tmp/walk.lab"
lab --json "$tmp/walk.lab" </dev/null
sed -n 's/.*"lab":"\([^"]*\)".*/\1/p' "$out" >"$tmp/seen"
cmp -s "$tmp/seen" "$tmp/walked"
verdict $? 'next comes to every lab, in order'
is "$(grep -c '"task":' "$out")" "$(grep -c '"goal":' "$out")" 'with as many goals as tasks'
is "$(grep -c '"task":' "$out")" 6 'of all sessions'
status_is 1 'behind the last task there is nothing'
err_has 'the course is done' 'which is said'

say 'next'
status_is 0 'next'
out_has 'Session 1 of 6: First kernels' 'a script begins at the beginning'
out_like '^Goal ' 'with the goal'
out_has 'Lab 1 of 5: `hello`' 'and hello'
out_like '^Try ' 'and what to type'
cp "$out" "$tmp/first"
say 'next --here'
cmp -s "$out" "$tmp/first"
verdict $? 'and so does --here'
say_json 'next 3; next --back; next --back'
like "$(sed -n 2p "$out")" '"task":"Write a kernel that reverses' 'back from a session: the task before'
like "$(sed -n 3p "$out")" '"lab":' 'and then its last lab'
say 'next --back'
status_is 1 'there is nothing before the first'
say 'next; next --back'
status_is 1 'nor before what next shows first'
err_has 'first lab' 'which is said'
say 'next 2; next; next --restart; next'
is "$(grep -c '^Session 1 of 6' "$out")" 1 '--restart: the first again'
say 'next 3; trap; next; next --list'
out_has 'you are at sumtree' '--list says where you are'
out_like '^ +done +trap$' 'which labs are done'
out_like '^ +begun +sumtree$' 'which are begun'
out_like '^ +open +hello, grid' 'and which are open, also before that place'
say_json 'next; hello 4; next; next --back; next --list'
last=5:.result.sessions
json_is "$last[0].state" begun 'a session is begun'
json_is "$last[1].state" open 'or open'
json_is "$last[0].here" hello 'with the place'
json_is "$last[0].done[0]" hello 'what is done stays so, also on the way back'
json_is "$last[0].begun[0]" grid 'and what is begun'
json_is "$last[0].open[3]" task 'the task is a step too'
say 'next; hello 2; next; next; next; next; next; next; next --list'
out_like '^ +done +hello$' 'a lab that ran is done'
out_like '^ +skipped +grid, vecadd, return, errors, the task$' 'what did not run was skipped'
say 'next; next; next; next; next; next'
out_has 'Try  load help:load' 'a task that needs a kernel says how to begin'
say 'trap; next 3; next; next --list'
is "$(grep -c '^ *done *trap$' "$out")" 1 'a lab may run at any time'
say "$(awk -v n="$sessions" 'BEGIN { for (i = 0; i < n + 8; i++) printf "next; " }')next --list"
is "$(grep -cE '^ +(open|begun) ' "$out")" 0 'behind the last task all is done'

# The labs of the first session send nobody to a lab of a later one.
first=$(sed -n '/^= kernels/,/^= /p' "$top_srcdir/src/labs/LIST" | grep '^[a-z]')
for lab in $first; do
    sed -n '/^== try$/,$p' "$top_srcdir/help/$lab.txt" | sed '1d; /^== /,$d' | awk '{ print $1 }'
done | sort -u >"$tmp/named"
lab_names | grep -Fxv "$first" | grep -Fxf "$tmp/named" >"$tmp/later"
is "$(cat "$tmp/later")" '' 'the first session suggests no lab of a later session'

for bad in 'next 0' 'next 7' 'next 1 2' 'next --back --here' 'next 2 --list' 'next soon'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done
for width in 72 60 40; do
    say "set width $width; next; next --list; next 3; next"
    is "$(awk -v most="$width" 'length > most && !/^ *[a-z-]+ .*#|^ {5,}[a-z]/' "$out")" '' \
        "nothing is wider than $width columns"
done

# With a new home folder, goes from the first lab to the last, and types all commands to try.
mkdir "$tmp/course-home" "$tmp/course-work"
awk '{ print "next" }' "$tmp/walked" >"$tmp/steps.lab"
for i in 1 2 3 4 5 6; do echo next; done >>"$tmp/steps.lab"
lab --json "$tmp/steps.lab" </dev/null
while IFS= read -r step; do
    echo next
    printf '%s\n' "$step" | sed -n 's/.*"try":\[\(.*\)\]}.*/\1/p' |
        sed 's/^"//; s/"$//; s/","/\n/g; s/\\"/"/g; s/\\\\/\\/g'
done <"$out" >"$tmp/course-work/course.lab"
tries=$(grep -vc '^next$' "$tmp/course-work/course.lab")
ok 'the course has things to try' test "$tries" -gt 50
can_load
compiles=$?
(cd "$tmp/course-work" && HOME=$tmp/course-home && export HOME &&
    lab course.lab </dev/null; echo "$status" >"$tmp/status")
# A program that is wrong on purpose fails and says so. If a command is refused, its remark says it.
sed -n 's/^course\.lab:\([0-9]*\):.* wrong on purpose.*/\1/p' "$err" | sort -u >"$tmp/purpose"
sed -n 's/^course\.lab:\([0-9]*\):.*/\1/p' "$err" | sort -u | comm -23 - "$tmp/purpose" |
    while read -r line; do sed -n "${line}p" "$tmp/course-work/course.lab"; done >"$tmp/failed"
for failed in $(tr ' ' '~' <"$tmp/failed"); do
    failed=$(printf '%s' "$failed" | tr '~' ' ')
    grep -qF -e "$failed  " "$top_srcdir"/help/*.txt &&
        grep -hF -e "$failed  " "$top_srcdir"/help/*.txt | grep -Eq '  (refused|wrong|fault|finding)' ||
        echo "$failed"
done >"$tmp/surprises"
test "$compiles" = 0 || sed -i -E '/^(load|sass) |help:| scale/d' "$tmp/surprises"
is "$(cat "$tmp/surprises")" '' 'from the first lab to the last task, every Try line works'
is "$(grep -c '^Session . of 6' "$out")" "$(($(wc -l <"$tmp/walked") + 6))" 'and every step is shown'
is "$(find "$tmp/course-home" -type f | grep -v /.cache/)" '' 'a script leaves nothing in the home'

# ---- what is remembered -------------------------------------------------------------------

at_home
state=$HOME/.local/state/cudalab/course
say 'next 3'
say 'next 3' --safe
ok 'a script keeps nothing' test ! -e "$state"
has_terminal || { every_try next; done_testing; }

at_prompt() { # at_prompt WHAT-TO-TYPE WHAT-TO-SEE [ARGUMENT...]
    typed=$1 seen=$2
    shift 2
    at_terminal "'$CUDALAB' --device sim $*" <<END
see "cudalab> "
key "$typed\r"
see "$seen"
see "cudalab> "
key "\004"
END
}
at_prompt next 'Session 1 of 6'
status_is 0 'at a prompt the first time: the first lab'
is "$(cat "$state")" 'kernels hello
begun hello' 'it is kept'
is "$(stat -c %a "$HOME/.local/state/cudalab")" 700 'in a folder of ours alone'
at_prompt 'next 3' 'Session 3 of 6'
at_prompt 'next' 'You stopped here.'
status_is 0 'the next time it resumes'
out_has "Lab 1 of $(labs_of sums): \`trap\`" 'at the lab where you stopped'
at_prompt 'trap; next; next' 'Lab 2 of'
status_is 0 'and then goes on'
at_prompt 'next --list' 'you are at sumtree'
out_like '^ +done +trap' 'with what is done'
out_like '^ +begun +hello' 'and what was begun'
at_prompt 'next --here' 'Lab 2 of'
status_is 0 '--here shows where you stopped'
at_prompt 'next --back' 'Lab 1 of'
status_is 0 '--back the one before'
out_lacks 'You stopped here' 'which is not where you stopped'
kept='sums trap
done trap
begun hello sumtree'
is "$(cat "$state")" "$kept" 'and that is kept'
say 'next'
out_has 'Session 1 of 6' 'a script does not read it'
is "$(cat "$state")" "$kept" 'nor write it'
at_prompt 'next' 'Session 1 of 6' --safe
status_is 0 'nor does --safe'
is "$(cat "$state")" "$kept" 'which leaves it as it was'
echo next >"$tmp/inner.lab"
at_prompt "source $tmp/inner.lab" 'Session'
is "$(cat "$state")" "$kept" 'nor a script that is sourced at the prompt'

for damage in '' 'sums' 'nonsense here' 'sums  ' ' trap' 'sums trap extra' \
    "$(printf 'sums\001trap')" "$(awk 'BEGIN { while (n++ < 5000) printf "x" }')"; do
    printf '%s' "$damage" >"$state"
    at_prompt next 'Session' && out_lacks 'rror:' \
        "damaged: $(printf '%.20s' "$damage" | tr -c 'a-z ' '?')"
    status_is 0 'is no error'
done
printf 'sums nosuchlab\n' >"$state"
at_prompt 'next --here' 'Lab 1 of'
out_has 'Session 3 of 6' 'a lab that is gone: its session begins'
printf 'reading devquery\n' >"$state"
at_prompt 'next --here' 'Lab 1 of'
out_has 'Session 6 of 6' 'a lab that has moved: its new session'
printf 'sums task\ndone nosuchlab trap task:together\nbegun\nmore words\n' >"$state"
at_prompt 'next --list' 'you are at the task'
out_like '^ +done +trap' 'unknown names are passed over'
out_like '^ +done +the task' 'and tasks have the names of their sessions'
head -c 3000 /dev/urandom >"$state"
at_prompt next 'Session 1 of 6'
status_is 0 'and what is no text at all is passed over'
rm "$state"
mkdir "$state"
at_prompt next 'Session 1 of 6'
status_is 0 'a folder in its place is no error either'
rmdir "$state"
at_prompt 'next 4' 'Session 4 of 6'
at_prompt 'next --restart' 'begins again'
at_prompt 'next' 'Session 1 of 6'
status_is 0 '--restart forgets'
is "$(find "$HOME/.local/state/cudalab" -name 'course*' | wc -l)" 1 'no other file is left'

mkdir "$tmp/state"
XDG_STATE_HOME=$tmp/state
export XDG_STATE_HOME
at_prompt 'next 2' 'Session 2 of 6'
is "$(head -n 1 "$tmp/state/cudalab/course")" 'together shared' 'under XDG_STATE_HOME where that is set'
chmod 500 "$tmp/state/cudalab" "$tmp/state"
at_prompt 'next' 'Session'
status_is 0 'where nothing can be written it goes on all the same'
chmod 700 "$tmp/state" "$tmp/state/cudalab"
at_terminal "env -u HOME -u XDG_STATE_HOME '$CUDALAB' --device sim" <<'END'
see "cudalab> "
key "next\r"
see "Session 1 of 6"
see "cudalab> "
key "next 3\r"
see "Session 3 of 6"
see "cudalab> "
key "\004"
END
status_is 0 'and where there is no home'
unset XDG_STATE_HOME

every_try next
say 'next banks; next'
out_has "Lab 2 of $(labs_of memory): \`banks\`" 'next goes to a lab by its name'
out_has "Lab 3 of $(labs_of memory): \`coalesce\`" 'and on from there'
say 'next 2; next task'
out_has 'Task ' 'and to the task'
say 'next back'
err_has 'did you mean --back?' 'an option without its dashes is offered'
say 'next soon'
err_has 'write a session from 1 to 6 or a lab, as in `next 3` or `next banks`' 'a wrong place'

done_testing
