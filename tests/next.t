# SPDX-License-Identifier: GPL-3.0-or-later
#
# next: the course from its first lab to its last task, and back; what it remembers at a prompt,
# and that scripts and --safe neither read nor write that.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# ---- every lab has its place --------------------------------------------------------------

say_json 'next --list'
json_is .result.sessions.# 6 'six sessions'
grep -o '"labs":\[[^]]*\]' "$out" | tr -d '":[]' | sed 's/^labs//' | tr ',' '\n' | sed '/^$/d' \
    >"$tmp/walked"
lab_names | sort >"$tmp/labs"
is "$(sort "$tmp/walked" | uniq -d)" '' 'no lab is in two'
is "$(sort "$tmp/walked" | comm -13 - "$tmp/labs" | tr '\n' ' ')" '' 'and every lab is in one'
for session in reading kernels sums memory matrices hardware; do
    for kind in goal task; do
        ok "session $session has a $kind" \
            grep -q "^== $kind $session\$" "$top_srcdir/help/course.txt"
    done
done
say help
is "$(awk '/^[A-Z]/ { lab = $1 == "Labs," } /^  [a-z]/ && lab { print $1 }' "$out" |
    tr '\n' ' ')" "$(grep -vxE 'code|ptx|sass|fatbin|occupancy' "$tmp/walked" | tr '\n' ' ')" \
    'help lists the labs in the order that next has'
out_like '^3 Sums$' 'by sessions'

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
ok 'of more than three sessions' test "$(grep -c '"task":' "$out")" -gt 3
status_is 1 'behind the last task there is nothing'
err_has 'the course is done' 'which is said'

say 'next'
status_is 0 'next'
out_has 'Session 1 of 6: Reading and the machine' 'a script begins at the beginning'
out_like '^Goal ' 'with the goal'
out_has 'devquery' 'a lab'
out_like '^Try ' 'and what to type'
cp "$out" "$tmp/first"
say 'next --here'
cmp -s "$out" "$tmp/first"
verdict $? 'and so does --here'
say_json 'next 3; next --back; next --back'
like "$(sed -n 2p "$out")" '"task":"Write saxpy' 'back from a session: the task before'
like "$(sed -n 3p "$out")" '"lab":' 'and then its last lab'
say 'next --back'
status_is 1 'there is nothing before the first'
say 'next; next --back'
status_is 1 'nor before what next shows first'
err_has 'begins' 'which is said'
say 'next 2; next; next --restart; next'
is "$(grep -c '^Session 1 of 6' "$out")" 1 '--restart: the first again'
say 'next 3; next; next --list'
out_like 'you are at (sumtree|shfl-trace)' '--list says where one is'
out_has '; done' 'and what is done'

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
is "$(cat "$state")" 'reading devquery' 'it is kept'
is "$(stat -c %a "$HOME/.local/state/cudalab")" 700 'in a folder of ours alone'
at_prompt 'next 3' 'Session 3 of 6'
at_prompt 'next' 'Lab 2 of'
status_is 0 'the next time it goes on'
at_prompt 'next --here' 'Lab 2 of'
status_is 0 '--here shows where one stopped'
at_prompt 'next --back' 'Lab 1 of'
status_is 0 '--back the one before'
is "$(cat "$state")" 'sums trap' 'and that is kept'
say 'next'
out_has 'Session 1 of 6' 'a script does not read it'
is "$(cat "$state")" 'sums trap' 'nor write it'
at_prompt 'next' 'Session 1 of 6' --safe
status_is 0 'nor does --safe'
is "$(cat "$state")" 'sums trap' 'which leaves it as it was'
echo next >"$tmp/inner.lab"
at_prompt "source $tmp/inner.lab" 'Session'
is "$(cat "$state")" 'sums trap' 'nor a script that is sourced at the prompt'

for damage in '' 'sums' 'nonsense here' 'sums  ' ' trap' 'sums trap extra' \
    "$(printf 'sums\001trap')" "$(awk 'BEGIN { while (n++ < 5000) printf "x" }')"; do
    printf '%s' "$damage" >"$state"
    at_prompt next 'Session' && out_lacks 'rror' \
        "damaged: $(printf '%.20s' "$damage" | tr -c 'a-z ' '?')"
    status_is 0 'is no error'
done
printf 'sums nosuchlab\n' >"$state"
at_prompt 'next --here' 'Lab 1 of'
out_has 'Session 3 of 6' 'a lab that is gone: its session begins'
head -c 3000 /dev/urandom >"$state"
at_prompt next 'Session 1 of 6'
status_is 0 'and what is no text at all is passed over'
rm "$state"
mkdir "$state"
at_prompt next 'Session 1 of 6'
status_is 0 'a folder in its place is no error either'
rmdir "$state"
at_prompt 'next 4' 'Session 4 of 6'
at_prompt 'next --restart' 'anew'
at_prompt 'next' 'Session 1 of 6'
status_is 0 '--restart forgets'
is "$(find "$HOME/.local/state/cudalab" -name 'course*' | wc -l)" 1 'no other file is left'

mkdir "$tmp/state"
XDG_STATE_HOME=$tmp/state
export XDG_STATE_HOME
at_prompt 'next 2' 'Session 2 of 6'
is "$(cat "$tmp/state/cudalab/course")" 'kernels hello' 'under XDG_STATE_HOME where that is set'
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
done_testing
