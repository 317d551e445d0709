# SPDX-License-Identifier: GPL-3.0-or-later
#
# play, in a terminal that expect makes: Enter, stepping out, back, Ctrl-C, Ctrl-D, a window
# that changes its size.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

has_terminal || skip_all 'no readline, no expect, or no terminal here'
at_home
NO_COLOR=1
export NO_COLOR

plays() { # plays <<END: cudalab in a folder with the lecture
    at_terminal "cd '$tmp'; exec '$CUDALAB' --quiet --no-init"
}

cat >"$tmp/lect.lab" <<'END'
#: The first slide
hello 1 1
# a note
trap --repeat 100000
nosuch
#: Two on a line
echo first; echo second
quit 9
END

plays <<'END'
see "cudalab> "
key "play le\t\r"
see "  The first slide"
see "cudalab> hello 1 1"
see "play 1/5> "
key "\r"
see "Hello from thread 0 of block 0"
see "cudalab> trap --repeat 100000"
see "play 2/5> "
key "echo step\t out\025ech 'in between'\r"
see "in between\r"
see "cudalab> trap --repeat 100000"
see "play 2/5> "
key "bac\t\r"
see "not undone"
see "  The first slide"
see "play 1/5> "
key "b\r"
see "none before it"
see "play 1/5> "
key "\033\[A\033\[A\033\[A\r"
see "in between\r"
see "play 1/5> "
key "skip\r"
see "play 2/5> "
key "half a line\003"
see "play 2/5> "
key "\r"
sleep 2
key "\003"
see "Enter goes on, back returns to the step"
see "play 3/5> "
key "\r"
see "there is no command `nosuch`"
see "line 5 of the script did not work. Enter goes on"
see "  Two on a line"
see "play 4/5> "
key "list\r"
see "   1 hello 1 1"
see ">   4 echo first; echo second"
see "play 4/5> "
key "goto 9\r"
see "1 to 5"
key "goto 1\r"
see "The first slide"
see "play 1/5> "
key "go 4\r"
see "there is no command"
see "play 1/5> "
key "play lect.lab\r"
see "a play can't run in a play"
see "play 1/5> "
key "goto 4\r"
see "play 4/5> "
stty columns 60 < $spawn_out(slave,name)
key "\r"
see "first\r\nsecond"
see "cudalab> quit 9"
see "play 5/5> "
key "\r"
see "the play is at its end"
see "cudalab> "
key "echo 'goes on'\r"
see "goes on\r"
see "cudalab> "
key "\004"
END
status_is 0 \
    'a lecture: Enter, stepping out and back, Ctrl-C, a new width; `quit` in it ends only it'
ok 'what was typed is in the history' \
    grep -qx "ech 'in between'" "$HOME/.local/state/cudalab/history"

plays <<'END'
see "cudalab> "
key "play lect.lab\r"
see "play 1/5> "
key "\004"
see "the play is left at step 1 of 5. `play lect.lab --from 1` goes on there"
see "cudalab> "
key "play lect.lab --from 4\r"
see "  Two on a line"
see "play 4/5> "
key "quit\r"
see "the play is left at step 4 of 5"
see "cudalab> "
key "play lect.lab\r"
see "play 1/5> "
key "quit 4\r"
END
status_is 4 'Ctrl-D and quit leave the play; quit N ends the session'

TERM=xterm plays <<'END'
see "cudalab> "
key "play lect.lab --clear\r"
see "\033\[H\033\[2J"
see "  The first slide"
see "play 1/5> "
key "\r"
see "Hello from thread 0 of block 0"
see "play 2/5 (Enter shows it)> "
key "echo 'in between'\r"
see "in between\r"
see "play 2/5 (Enter shows it)> "
key "\r"
see "\033\[H\033\[2J"
see "cudalab> trap --repeat 100000"
see "play 2/5> "
key "goto 4\r"
see "\033\[H\033\[2J"
see "  Two on a line"
see "play 4/5> "
key "\r"
see "first\r\nsecond"
see "play 5/5 (Enter shows it)> "
key "back\r"
see "not undone"
see "  Two on a line"
see "play 4/5> "
key "\004"
see "cudalab> "
key "\004"
END
status_is 0 '--clear: each step on an empty screen, and its output is read before the next'

plays <<'END'
see "cudalab> "
key "transcript asked.txt; echo a; transcript\r"
see "asked.txt: 1 command"
see "cudalab> "
key "transcript asked.txt\r"
see "asked.txt exists. Type y to overwrite the file: "
key "n\r"
see "`asked.txt` is kept"
see "cudalab> "
key "transcript asked.txt\r"
see "to overwrite the file: "
key "\003"
see "`asked.txt` is kept"
see "cudalab> "
key "transcript asked.txt\r"
see "to overwrite the file: "
key "y\r"
see "cudalab> "
key "echo b; history; echo c; transcript\r"
see "asked.txt: 2 commands"
see "cudalab> "
key "\004"
END
status_is 0 'transcript asks before it overwrites an older one'
is "$(grep -c history "$tmp/asked.txt")" 0 'history, which no replay can repeat, is not in it'
is "$(grep -cx '[ny]' "$HOME/.local/state/cudalab/history")" 0 'the answer is no line of the history'

plays <<'END'
see "cudalab> "
key "play lect.lab\r"
see "play 1/5> "
exec sh -c "kill -TERM [exp_pid]"
END
status_is 143 'SIGTERM ends it while it waits for Enter'
is "$(grep -c 'play 1/5> ' "$out")" 1 'and it does not ask again'

plays <<'END'
see "cudalab> "
key "set json on\r"
see "cudalab> "
key "play lect.lab\r"
see "play 1/5> "
key "\r"
see "\"command\":\"hello 1 1\""
see "play 2/5> "
key "\004"
see "cudalab> "
key "\004"
END
status_is 0 'with --json as well'

plays <<'END'
see "cudalab> "
key "set bail on; nosuch\r"
see "there is no command"
see "cudalab> "
key "play lect.lab\r"
see "play 1/5> "
key "goto 4\r"
see "play 4/5> "
key "\r"
see "first\r\nsecond"
see "play 5/5> "
key "\004"
see "cudalab> "
key "\004"
END
status_is 0 'an earlier slip under --bail does not stop it'

plays <<'END'
see "cudalab> "
stty columns 132 < $spawn_out(slave,name)
key "side 'hello 2 2' 'hello 2 3'\r"
see "hello<<<2, 3>>>(): 2 x 3 threads"
see "lines differ"
see "cudalab> "
key "\004"
END
status_is 0 'side at a wide terminal'
out_like '^hello<<<2, 2>>>.{40,60}[|] hello<<<2, 3>>>' 'uses all of it'

# ---- nothing is overwritten silently ------------------------------------------------------

echo mine >"$tmp/mine.cu"
echo mine >"$tmp/mine.bin"
echo mine >"$tmp/mine.txt"
echo mine >"$tmp/mine.svg"
: >"$tmp/empty.bin"
plays <<'END'
see "cudalab> "
key "array x f32 4; hello 1 1\r"
see "cudalab> "
foreach {command file} {{save x mine.bin} mine.bin {output mine.cu} mine.cu \
        {code vecadd --save mine.cu} mine.cu {snap mine.txt} mine.txt {output mine.cu} mine.cu \
        {banks 2 --svg mine.svg} mine.svg} {
    key "$command\r"
    see "$file exists. Type y to overwrite the file: "
    key "n\r"
    see "`$file` is kept"
    see "cudalab> "
}
key "save x mine.bin\r"
see "to overwrite the file: "
key "y\r"
see "mine.bin: 16 bytes written"
see "cudalab> "
key "save x mine.bin; save x empty.bin; echo not asked\r"
see "not asked\r"
see "cudalab> "
key "output new.txt\r"
see "new.txt gets what the next commands show, until you type `output`"
see "cudalab> "
key "hello 1 1\r"
see "(written to new.txt, until you type `output`)"
see "cudalab> "
key "output new.txt; output\r"
see "new.txt is complete"
see "cudalab> "
exec sh -c "echo edited >$env(HOME)/../mine.bin"
key "save x mine.bin\r"
see "mine.bin exists."
key "\004"
see "cudalab> "
key "\004"
END
status_is 0 'a file that the session has not written so is overwritten only after a yes'
is "$(cat "$tmp/mine.cu" "$tmp/mine.txt")" "$(printf 'mine\nmine')" 'and is kept on a no'

printf '#: Long\natomics --variant plain\n#: More\necho one more\necho the end\n' >"$tmp/long.lab"
PAGER='' TERM=xterm
export TERM
unset PAGER
at_terminal "stty rows 24 columns 80; cd '$tmp'; exec '$CUDALAB' --quiet --no-init" <<'END'
see "cudalab> "
key "play long.lab --clear\r"
see "play 1/3> "
key "\r"
see "wrong on purpose: load, change and store"
see "Space: more"
key " "
see "plain is wrong on purpose"
see "play 2/3 (Enter shows it)> "
key "next\r"
see "play 2/3> "
key "next\r"
see "one more\r"
see "play 3/3 (Enter shows it)> "
key "\004"
see "step 3 of 3. `play long.lab --from 3 --clear` goes on there"
see "cudalab> "
key "play long.lab --from 3\r"
see "play 3/3> "
key "next --list\r"
see "the task"
see "play 3/3> "
key "\r"
see "the play is at its end. `play long.lab --from 3` shows the last step again"
see "cudalab> "
key "\004"
END
status_is 0 'a step is paged as at the prompt; next is the next step; the end says how to return'
ok 'a variant that is wrong on purpose has not failed' \
    test "$(grep -c 'did not work' "$out")" -eq 0
TERM=dumb PAGER=cat
export PAGER

# ---- watch says that it waits -------------------------------------------------------------

cat >"$tmp/k.ptx" <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry k() { ret; }
END
plays <<'END'
see "cudalab> "
key "watch k.ptx k<<<1, 32>>>()\r"
see "is one word too many: watch takes only a file"
see "cudalab> "
key "watch k.ptx\r"
see "no kernel was launched yet"
see "waiting for a change of k.ptx"
sleep 1
key "\003"
see "cudalab> "
key "launch k<<<1, 32>>>()\r"
see "cudalab> "
key "watch k.ptx\r"
see "waiting for a change of k.ptx (Ctrl-C ends this)"
sleep 1
key "\003"
see "cudalab> "
key "\004"
END
status_is 0 'watch says that it waits, and that it needs a launch'

# ---- said once ----------------------------------------------------------------------------

plays <<'END'
see "cudalab> "
key "banks 4\r"
see "Why  Word w is in bank w mod 32."
see "cudalab> "
key "banks 8\r"
see "Why  As before. `explain` shows the text with the numbers"
see "Try  banks 32 --pad 1"
see "cudalab> "
key "explain\r"
see "bank w mod 32"
see "need 8 different words"
see "cudalab> "
key "banks 0\r"
see "Why  Several lanes access the same word"
see "cudalab> "
key "set json on; banks 8; set json off\r"
see "\"explain\":\"Word w is"
see "cudalab> "
key "transcript t.txt; banks 8; transcript\r"
see "Why  Word w is in bank w mod 32."
see "t.txt: 1 command"
see "cudalab> "
key "\004"
END
status_is 0 'at the prompt an explanation is told once; explain tells it again'

# The explanation of a mistake is complete, unless the same mistake was explained before.
plays <<'END'
see "cudalab> "
key "errors --variant async --fault null\r"
see "Why  "
see "cudalab> "
key "errors --variant async --fault trap\r"
see "Why  "
see "cudalab> "
key "errors --variant async --fault null\r"
see "Why  As before."
see "cudalab> "
key "\004"
END
is "$(grep -c 'Why  As before' "$out")" 1 \
    'of two mistakes each is explained whole; the same one is as before'

done_testing
