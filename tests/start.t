# SPDX-License-Identifier: GPL-3.0-or-later
#
# The command line: options, what runs in which order, wrong usage, exit status.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

lab --version </dev/null
status_is 0 '--version'
out_like '^cudalab [0-9]+\.[0-9]+' '--version names it'
lab --help </dev/null
status_is 0 '--help'
out_has '--time-limit S' '--help lists the options'

# ---- what runs ----------------------------------------------------------------------------

printf 'echo from a file' >"$tmp/a.lab"
lab -c 'echo one' "$tmp/a.lab" -c 'echo two; echo three' -f "$tmp/a.lab" </dev/null
is "$(tr '\n' ' ' <"$out")" 'one from a file two three from a file ' 'all in the order given'
echo 'echo from stdin' | script
is "$(cat "$out")" 'from stdin' 'stdin is a script, without prompt or banner'
echo 'echo from stdin' | script -c 'echo first' -
is "$(tr '\n' ' ' <"$out")" 'first from stdin ' '- is stdin'
echo 'echo from stdin' | script -i -c 'echo first'
is "$(tr '\n' ' ' <"$out")" 'first from stdin ' '-i goes on with stdin'
lab -- "$tmp/a.lab" </dev/null
status_is 0 '-- ends the options'
script </dev/null
status_is 0 'an empty script is fine'
out_empty 'and says nothing'

# ---- settings -----------------------------------------------------------------------------

setting() { # setting OPTION VALUE NAME WANTED
    say_json "show $3" "$1" "$2"
    json_is .result.value "$4" "$1 $2"
}
setting --seed 2^20 seed 1048576
setting --step-limit 1e6 step-limit 1000000
setting --time-limit 2.5 time-limit 2.5
setting --threads 4 threads 4
setting --schedule random:7 schedule random:7
setting --schedule independent schedule independent
setting --color always color always
setting --charset utf8 charset utf8
setting --device sim:t4 device sim:t4
say_json 'show seed; show step-limit; show time-limit; show schedule'
json_is 1:.result.value 1 'the seed is 1'
json_is 2:.result.value 17179869184 'the step limit is 2^34'
json_is 3:.result.value 60 'the time limit of a script is 60 s'
json_is 4:.result.value lockstep 'the schedule is lockstep'
say 'show seed' --seed=9
out_like '^seed +9 ' '--seed=9 is the same'
say_json 'echo x' --device sim:a100
json_is .model a100 'the profile is told'

say 'echo a; # nothing
echo b' --echo
is "$(tr '\n' '|' <"$out")" 'cudalab> echo a|a|cudalab> echo b|b|' '--echo shows the commands'

# ---- exit status --------------------------------------------------------------------------

say 'nosuch; echo on'
status_is 1 'a command that fails gives 1'
out_has on 'and the next one runs'
say 'nosuch; echo on' --bail
status_is 1 '--bail gives 1'
out_empty 'and stops'
say 'quit 7; echo no'
status_is 7 'quit N gives N'
out_empty 'and nothing runs after it'
say 'nosuch; quit'
status_is 1 'quit alone gives what there was'
say 'nosuch; exit 0'
status_is 0 'exit 0 gives 0'

wrong() { # wrong REGEX ARGUMENT...
    wanted=$1
    shift
    lab "$@" </dev/null
    status_is 2 "$*: 2"
    err_like "$wanted" "$*: says what would be right"
    out_empty "$*: nothing runs"
}
wrong 'mean --json' --jsn -c 'echo x'
wrong 'mean --seed' -seed 3
wrong '--help' -x
wrong '--seed needs a value' --seed
wrong '--json takes no value' --json=yes
wrong 'is not a number' --seed five
wrong 'from 0 to 256' --threads 257
wrong 'seconds, 0 to' --time-limit -1
wrong 'mean never' --color nver
wrong 'lockstep, independent' --schedule some
wrong 'random:SEED' --schedule random:x
wrong 'mean sim' --device simm
wrong 'sim:h100' --device sim:h10
wrong 'No such file' "$tmp/none.lab"
wrong 'directory' "$tmp"
wrong 'No such file' -f "$tmp/none.lab" -c 'echo x'

lab hello 4 </dev/null
status_is 2 'a command where a script should be: 2'
err_has "commands come after -c, as in cudalab -c 'hello'" 'and where it should be is said'
wrong 'mean sim:h100' --device sim:H100

# ---- the surroundings ---------------------------------------------------------------------

status=0
(unset HOME; exec "$CUDALAB" -c 'echo home') >"$out" 2>"$err" </dev/null || status=$?
status_is 0 'no HOME is fine'
err_empty 'and no complaint'
mkdir -p "$tmp/config/cudalab"
echo 'echo start-up' >"$tmp/config/cudalab/init"
XDG_CONFIG_HOME=$tmp/config
export XDG_CONFIG_HOME
"$CUDALAB" -c 'echo script' >"$out" 2>"$err" </dev/null
is "$(cat "$out")" script 'the start-up file is for the prompt, not for scripts'

# Off a terminal the same bytes come out wherever and whoever it is.
same='trap -n 512; shfl-trace xor 3; hello 1 4; devquery; trap --variant all -n 100; help; nosuch'
env -i "$CUDALAB" -c "$same" >"$tmp/bare" 2>&1 </dev/null
for setting in LC_ALL=C.UTF-8 LC_ALL=C LANG=tr_TR.UTF-8 HOME="$tmp/bare/none" COLUMNS=40 \
    TERM=xterm-256color TZ=Asia/Tokyo CUDALAB_PAGER=false; do
    env "$setting" "$CUDALAB" -c "$same" >"$out" 2>&1 </dev/null
    ok "the same bytes with $setting" cmp -s "$tmp/bare" "$out"
done
is "$(LC_ALL=C grep -c '[^ -~]' "$tmp/bare")" 0 'all of them ASCII'
say 'shfl-trace xor 3' --charset utf8
is "$(LC_ALL=C grep -c '[^ -~]' "$out" | sed 's/^[1-9].*/some/')" some 'unless --charset utf8'
# A small stack is enough: what is large lies on the heap, and nothing calls itself without a limit.
deep=$(printf '%060d' 0 | tr 0 '(')
for line in 'atomics' 'throughput --variant all' 'trap -n 100 --variant all' \
    'snap; help; devquery' 'hello 2 4' "launch k<<<${deep}1,1>>>(0)" "trap -f '${deep}x' -n 4" 'memory; barrier'; do
    (ulimit -s 64 && exec "$CUDALAB" --no-init -c "$line") >"$out" 2>"$err" </dev/null
    ok "64 KB of stack: $line" test $? -lt 128
done

FORCE_COLOR=1
export FORCE_COLOR
say 'trap -n 1024'
out_lacks "$(printf '\033')" 'no colour off a terminal, whatever FORCE_COLOR says'

done_testing
