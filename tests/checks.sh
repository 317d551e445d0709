# SPDX-License-Identifier: GPL-3.0-or-later
#
# Files of kernels whose comments say how they are launched and what the checkers must find, such
# as those in tests/checks; tests/judge/findings.c lists these comments. Source it after lib.sh.

compiler=auto
test "$KERNELS_BY" != clang || compiler=clang

# commands_of FILE: what is typed at the prompt
commands_of() {
    echo "set compiler $compiler"
    sed -n 's|^//@first ||p' "$1"
    echo "load $1"
    sed -n 's|^//@ ||p' "$1"
}

# right_of FILE: the same, without the launches in which something must be found
right_of() {
    commands_of "$1" | sed '/^load /q'
    awk '/^\/\/@found/ { held = "" }
         /^\/\/@ / { if (held) print held; held = substr($0, 5) }
         END { if (held) print held }' "$1"
}

# values_of FILE DEVICE LIST: what the right launches leave: a line with the kernel, the array and its
# elements for each line of LIST, which begins with a kernel and an array
values_of() {
    right_of "$1" | awk -v list="$3" -v asked="$tmp/asked" '
        BEGIN { while ((getline line <list) > 0) {
                    split(line, f)
                    arrays[f[1]] = arrays[f[1]] " " f[2]
                }
                printf "" >asked }
        { print }
        /launch / { kernel = $0; sub(/.*launch /, "", kernel); sub(/<<<.*/, "", kernel)
            n = split(arrays[kernel], a)
            for (i = 1; i <= n; i++) {
                print "print " a[i]
                print kernel, a[i] >>asked
            } }' >"$tmp/typed"
    $CUDALAB --no-init --json --device "$2" <"$tmp/typed" 2>"$err" |
        sed -n 's/^{"command":"print [^"]*".*"values":\[\([^]]*\)\].*/\1/p' | tr ',' ' ' >"$tmp/values"
    paste -d ' ' "$tmp/asked" "$tmp/values"
}

# run_file FILE TITLE: run it under all three schedules, with a test for each launch
run_file() {
    commands_of "$1" >"$tmp/typed"
    for schedule in lockstep random independent; do
        $CUDALAB --no-init --json --device sim --schedule $schedule \
            <"$tmp/typed" 2>"$tmp/said" | "$JSONGET" --leaves >"$tmp/leaves"
        "$JUDGES/findings" "$1" "$tmp/leaves" "$2, $schedule" >"$tmp/verdicts"
        judged "$tmp/verdicts"
    done
}
