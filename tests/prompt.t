# SPDX-License-Identifier: GPL-3.0-or-later
#
# The prompt, in a terminal that expect makes: what is said there and only there, Ctrl-C,
# Ctrl-D, history.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

has_terminal || skip_all 'no readline, no expect, or no terminal here'
at_home

at_terminal "stty columns 60; exec '$CUDALAB' --no-init" <<'END'
see "Ctrl-D to\r\nleave."
see "cudalab> "
key "\004"
END
status_is 0 'a narrow terminal: the banner is broken between words'

at_terminal "exec '$CUDALAB'" <<'END'
see "next for the course, help for all commands, Ctrl-D to leave"
see "cudalab> "
key "trpa\r"
see "         ^"
see "did you mean trap?"
see "cudalab> "
key "trap --var\t-n 64 shuf\025"
key "show see\t\r"
see "the number from which all random choices are computed"
see "cudalab> "
key "ban 4\r"
see "4-way conflict"
see "Try"
see "cudalab> "
key "set step-limit 100; trap; set step-limit 2^34\r"
see "fault  timeout"
see "cudalab> "
key "nosuch with a long tail\003"
see "cudalab> "
key "trap --repeat 100000\r"
sleep 2
key "\003"
see "cudalab> "
key "show color\r"
see "colours: auto"
see "cudalab> "
key "\004"
END
status_is 0 'slips at the prompt are no failure of the session'
out_lacks 'no command `nosuch`' 'Ctrl-C drops the line'
history=$HOME/.local/state/cudalab/history
ok 'there is a history' grep -qx 'show color' "$history"
is "$(ls -l "$history" | cut -c1-10)" '-rw-------' 'for nobody else to read'

at_terminal "exec '$CUDALAB' -i -c 'echo first'" <<'END'
see "first"
see "cudalab> "
key "quit 7\r"
END
status_is 7 '-i stays at the prompt, and quit N gives N'

at_terminal "'$CUDALAB' >'$tmp/piped'" <<'END'
see "cudalab> "
key "echo into the pipe\r"
see "cudalab> "
key "\004"
END
is "$(cat "$tmp/piped")" 'into the pipe' 'banner and prompt stay out of a pipe'

at_terminal "'$CUDALAB' --json 2>'$tmp/err'" <<'END'
sleep 2
key "echo one\r"
see "\"text\":\[\"one\"\]"
sleep 2
key "\004"
END
is "$(grep -c '^cudalab' "$out")" 0 '--json: no banner between the objects'

at_terminal "env -u HOME TERM=dumb PAGER=false '$CUDALAB'" <<'END'
see "cudalab> "
key "help; show color\r"
see "help topics"
see "colours: auto"
see "cudalab> "
key "\004"
END
status_is 0 'no HOME, and a terminal that can do little'
out_lacks "$(printf '\033[')" 'no escapes for it'

done_testing
