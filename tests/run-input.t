# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a whole program reads from stdin: that of the shell which started cudalab, or the keyboard at
# a prompt. A script that comes from stdin stays cudalab's.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc
cat >ask.cu <<'END'
#include <cstdio>
int main()
{
    char word[20];
    printf("a word? ");
    while (scanf("%19s", word) == 1)
        printf("read %s\n", word);
    printf("no more\n");
}
END
say 'run ask.cu'
can_run
status_is 0 'a program that reads'
out_like '^a word\? no more$' 'nothing is on stdin'
printf 'ann\nbob\n' >data

lab run ask.cu <data
out_like '^read bob$' 'cudalab run FILE <data: the program reads it'
cat data | lab -c 'run ask.cu'
out_like '^read bob$' 'from a pipe, and with -c'
echo 'run ask.cu; echo after' >script.lab
lab script.lab <data
out_like '^read bob$' 'and where a script is a file'
out_like '^after$' 'which goes on'
lab run --input script.lab ask.cu <data
out_like '^read after$' '--input comes first'
out_lacks 'read ann' 'and alone'
lab run --input /dev/null ask.cu <data
out_lacks 'read ann' 'even where it has nothing'

printf 'run ask.cu\necho rest\n' >lines
for how in '' - /dev/stdin '-i -c "echo first"'; do
    eval "lab $how" <lines
    out_like '^rest$' "cudalab $how <script: the script's rest stays its own"
    out_lacks 'read echo' 'and the program reads nothing of it'
done
printf 'echo rest\n' | lab -i -c 'run ask.cu'
out_like '^rest$' 'a script that comes later stays whole, too'
echo 'side "run ask.cu" "echo b"' >side.lab
lab side.lab <data
out_lacks 'read ann' 'what a command runs to show it reads nothing'

has_terminal || { done_testing; exit; }
at_home
at_terminal "exec '$CUDALAB' --no-init" <<'END'
see "cudalab> "
key "run ask.cu\r"
see "a word? "
key "carl\r"
see "read carl"
key "\004"
see "no more"
see "cudalab> "
key "run ask.cu\r"
see "a word? "
key "\003"
see "stopped"
see "cudalab> "
key "show color\r"
see "colours: auto"
see "cudalab> "
key "quit\r"
END
status_is 0 'at a prompt the program has the keyboard, and the prompt has it back'
done_testing
