# SPDX-License-Identifier: GPL-3.0-or-later
#
# --json: one object a line for each command, and nothing else on stdout.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say_json 'trap -n 1024 --variant atomic; echo "hi; there"; nosuch; show seed; # nothing
; quit'
json_valid 'each line is an object'
json_count 5 'one for each command, none for comments and blanks'
json_is 1:.command 'trap -n 1024 --variant atomic' 'the command as written'
json_is 1:.status ok 'ok'
json_is 1:.device sim 'the device'
json_is 1:.model h100 'the model'
json_is 1:.result.ok true 'it checked itself'
json_is 1:.grid.# 3 'a grid of three'
json_like 1:.counters.warp_instructions '^[1-9]' 'counters'
json_like 1:.explain '[a-z] [a-z]' 'the explanation'
json_absent 1:.error 'no error where there is none'
json_absent 1:.time.measured_s 'measured times are volatile'
json_is '2:.result.text[0]' 'hi; there' 'text of a command that is no lab'
json_absent 2:.counters 'absent means not known'
json_is 3:.status error 'an error'
json_like 3:.error.message 'no command' 'its message'
json_is 3:.error.line 1 'its line'
err_has '-c:1: ' 'and it is on stderr as well'
json_is 4:.result.value 1 'a number as a number'
json_is 5:.command quit 'quit is a command'

say_json 'show'
json_is .result.seed 1 'all settings'
json_is .result.echo false 'a switch is true or false'

printf 'echo a\nnosuch\n' >"$tmp/a.lab"
say_json "source $tmp/a.lab; source $tmp/none"
json_count 3 'source: one for each inner command, none for itself'
json_is 1:.command 'echo a' 'the inner ones'
json_is 3:.status error 'but one if it fails'

printf 'echo "x\necho \001\necho \377\n' | script --json
json_valid 'lines that are no commands'
json_count 3 'have an object each'
json_is 1:.status error 'an error'
json_is 1:.error.line 1 'with its line'

script --json <<'END'
echo one
# nothing

help
END
json_count 2 'a script'
json_like '2:.result.text[0]' 'Labs' 'text of help'

say 'trap -n 64 --json; echo plain'
is "$(sed -n '$p' "$out")" plain 'trap --json: this command alone'
is "$(sed -n 1p "$out" | cut -c1-11)" '{"command":' 'is an object'
say 'set json on; echo a; set json off; echo b'
is "$(sed -n '$p' "$out")" b 'set json on and off'
json_is '1:.result.text[0]' a 'in between objects'

say_json 'hello 1 1' --echo
json_count 1 '--echo adds nothing'

done_testing
