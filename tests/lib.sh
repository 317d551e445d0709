# SPDX-License-Identifier: GPL-3.0-or-later
#
# What every tests/*.t is written with. A test sources this file, says something to cudalab,
# looks at what came back, and ends with done_testing:
#
#     . "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
#     say 'trap -n 1024 --variant shuffle'
#     status_is 0 'trap runs'
#     out_like 'error +[0-9.e-]+' 'it tells its rounding error'
#     say_json 'trap -n 1024'
#     json_is .result.ok true 'it checked itself'
#     done_testing
#
# Output is TAP. By hand, in a build folder: sh ../tests/trap.t
# A golden file is rewritten from what came out by  make check UPDATE_GOLDEN=1.
set -u

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${top_builddir:=$(pwd)}"
: "${CUDALAB:=$top_builddir/cudalab}"
: "${JSONGET:=$top_builddir/tests/unit/jsonget}"
: "${JUDGES:=$top_builddir/tests/judge}"
: "${PTXDIR:=$top_builddir/kernels/ptx}"
: "${CUDALAB_WRAPPER:=}"
: "${BUILD_KIND:=plain}"
: "${KERNELS_BY:=unknown}"
: "${MAKE:=make}" "${CC:=cc}" "${NM:=nm}"

tap_count=0 tap_failed=0 tab=$(printf '\t')
tmp=$(mktemp -d "${TMPDIR:-/tmp}/cudalab-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
# What compilers make is kept for all tests of one suite: `make check` names a folder that it has
# emptied. By hand each test has its own, and the user's home stays as it is.
XDG_CACHE_HOME=${SUITE_CACHE:-$tmp/cache}
export XDG_CACHE_HOME
out=$tmp/out err=$tmp/err status=none last_run=nothing
: >"$out"
: >"$err"

# ---- TAP ----------------------------------------------------------------------------------

pass() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1"
}

flunk() {
    tap_count=$((tap_count + 1)) tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $1"
}

skip() { # skip WHY NAME
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $2 # SKIP $1"
}

diag() {
    printf '%s\n' "$*" | sed 's/^/# /'
}

diag_file() { # diag_file LABEL FILE: how it begins and ends
    diag "$1:"
    awk '{ line[NR] = $0 }
        END { for (i = 1; i <= NR; i++)
                  if (i <= 10 || i > NR - 15) print "#   " line[i]
                  else if (i == 11) print "#   ..." }' "$2"
}

# By hand, the status says whether all went well; who reads the lines (automake) takes a status
# other than 0 for an error on top of them.
done_testing() {
    echo "1..$tap_count"
    test "$tap_failed" = 0 || test -n "${TAP_READER:-}" || exit 1
    exit 0
}

skip_all() { # skip_all WHY: instead of any test
    echo "1..0 # SKIP $1"
    exit 0
}

# any_kernels: what this file tests is the same whoever compiled the labs' kernels. The second of
# .ci/run's suites leaves it to the first.
any_kernels() {
    test -z "${KERNELS_ONLY:-}" || skip_all 'the same for any kernels, and tried with others'
}

# in_full: is this `make check-long`? It tries all that a suite tries a sample of.
in_full() {
    test -n "${CHECK_LONG:-}"
}

# sample N: of the lines on stdin the first, and each Nth after it; all of them in full.
sample() {
    if in_full; then cat; else awk -v n="$1" 'NR % n == 1'; fi
}

# configured NAME: what configure decided, by its name in the Makefile.
configured() {
    sed -n "s/^$1 = *//p" "$top_builddir/Makefile"
}

# runs_programs: can this cudalab start compilers and a pager?
runs_programs() {
    test "$(configured enable_compile)" = yes
}

# find_nvcc: $nvcc is nvcc, if there is one.
find_nvcc() {
    nvcc=$(command -v nvcc) || nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
    test -x "$nvcc"
}

# with_fake_gpu LIBRARY: from here on there is a GPU of tests/fake, with this library of NVIDIA's;
# $fake is their folder.
with_fake_gpu() {
    fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
    test -f "$fake/libcuda.so.1" && test -f "$fake/$1" ||
        skip_all 'the libraries for tests are not built'
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    say 'show device' --device gpu
    if test "$status" != 0 && { test -n "$CUDALAB_WRAPPER" || test "$BUILD_KIND" != plain; }; then
        skip_all 'a process of another kind cannot be started under this checker'
    fi
}

# big_arrays: is there room for an array of 1 GB among a program's addresses?
big_arrays() {
    test "$(configured ADDRESS_BITS)" != 32
}

# lab_names: the names of all labs, in the order of the course
lab_names() {
    grep '^[a-z]' "$top_srcdir/src/labs/LIST"
}

# until_true COMMAND...: waits until the command succeeds, a minute at most. Other processes may
# keep the processors busy, so a test waits for what it needs, and not for a time.
until_true() {
    for _ in $(awk 'BEGIN { for (i = 0; i < 600; i++) print i }'); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

# ok NAME COMMAND...: passes if the command does.
ok() {
    ok_name=$1
    shift
    if "$@"; then pass "$ok_name"; else flunk "$ok_name"; fi
}

is() { # is GOT WANTED NAME
    if test "x$1" = "x$2"; then
        pass "$3"
    else
        flunk "$3"
        diag "got:    $1"
        diag "wanted: $2"
    fi
}

like() { # like TEXT REGEX NAME
    if printf '%s\n' "$1" | grep -Eq -e "$2"; then
        pass "$3"
    else
        flunk "$3"
        diag "got:     $1"
        diag "matches: $2"
    fi
}

# judged FILE: a test for each line that a judge (tests/judge) wrote there: its verdict, the
# test's name and the reason, with tabs between.
judged() {
    test -s "$1" || flunk 'the judge came to no verdict'
    while IFS=$tab read -r judged_verdict judged_name judged_why; do
        case $judged_verdict in
        pass) pass "$judged_name" ;;
        skip) skip "$judged_why" "$judged_name" ;;
        *) flunk "$judged_name"
            diag "$judged_why" ;;
        esac
    done <"$1"
}

# ---- talking to cudalab -------------------------------------------------------------------

# lab ARGUMENT...: run cudalab; stdin is the caller's. Leaves $out, $err and $status.
lab() {
    status=0
    last_run="cudalab $*"
    # The wrapper (valgrind, say) is a command with its options: it is meant to be split.
    # shellcheck disable=SC2086
    $CUDALAB_WRAPPER "$CUDALAB" --no-init "$@" >"$out" 2>"$err" || status=$?
}

say() { # say COMMANDS [ARGUMENT...]
    say_commands=$1
    shift
    lab "$@" -c "$say_commands" </dev/null
}

can_load() { # can_load [COMPILER]: is there a compiler of CUDA C here?
    say "${1:+set compiler $1; }load $top_srcdir/tests/data/empty.cu"
    test "$status" = 0
}

# needs_compiler: skip the whole file where nothing here compiles CUDA C.
needs_compiler() {
    can_load || skip_all 'there is no compiler of CUDA C'
}

say_json() { # say_json COMMANDS [ARGUMENT...]
    say_commands=$1
    shift
    lab --json "$@" -c "$say_commands" </dev/null
}

# refused COMMANDS REGEX NAME: the last command fails, says so, and the next one works
refused() {
    say "$1; echo next"
    status_is 1 "$3: status 1"
    err_like "^-c:1: .*$2" "$3"
    is "$(tail -n 1 "$out")" next "$3: the next command works"
}

# gives COMMANDS WANTED NAME: the values that the last command prints
gives() {
    say_json "$1"
    is "$(tail -n 1 "$out" | sed 's/.*"values":\(\[[^]]*\]\).*/\1/')" "$2" "$3"
    test "$status" = 0 || tell
}

cards() { # the cards that the simulator can stand for, by name
    say_json 'devquery --list'
    tr ',{' '\n\n' <"$out" | sed -n 's/^"profile":"\(.*\)"$/\1/p'
}

write_endless() { # endless.ptx, here: a kernel that runs until it is stopped
    cat >endless.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry endless()
{
again:
    bra again;
}
END
}

script() { # script [ARGUMENT...] <<END: the commands are stdin
    lab "$@"
}

# ---- cudalab at a terminal ----------------------------------------------------------------

has_terminal() { # has_terminal: can expect make one, and does this cudalab edit lines there?
    test -n "$(configured READLINE_LIBS)" &&
        expect -c 'spawn -noecho true; expect eof' >/dev/null 2>&1
}

# at_home: from here on in a new home, with no settings but these.
at_home() {
    mkdir "$tmp/home"
    HOME=$tmp/home PAGER=cat LC_ALL=C.UTF-8 INPUTRC=/dev/null
    export HOME PAGER LC_ALL INPUTRC
    unset XDG_STATE_HOME XDG_CONFIG_HOME CUDALAB_HISTORY CUDALAB_PAGER
}

# at_terminal SHELL-COMMAND <<END: expect's script talks to it; what the terminal showed is in
# $out, the exit status in $status. `see` waits for a text, `key` types.
at_terminal() {
    cat >"$tmp/talk"
    last_run="$1 at a terminal"
    : >"$err"
    status=0
    expect >"$out" 2>"$err" - "$1" <<END || status=$?
set timeout 60
proc see {what} {
    expect {
        -ex \$what {}
        timeout { puts "\nno <\$what> came"; exit 99 }
        eof { puts "\nended before <\$what>"; exit 99 }
    }
}
proc key {text} { send -- \$text }
set stty_init "rows 50 columns 80"
spawn -noecho sh -c [lindex \$argv 0]
source $tmp/talk
expect { eof {} timeout { puts "\nit did not end"; exec sh -c "kill -9 [exp_pid]"; exit 99 } }
exit [lindex [wait] 3]
END
}

# ---- what came back -----------------------------------------------------------------------

tell() { # what a failing test shows
    diag "ran: $last_run (status $status)"
    diag_file stdout "$out"
    diag_file stderr "$err"
}

verdict() { # verdict STATUS NAME [MORE]: pass on 0, else flunk and tell
    if test "$1" = 0; then
        pass "$2"
    else
        flunk "$2"
        test -z "${3-}" || diag "$3"
        tell
    fi
}

status_is() { # status_is N NAME
    test "$status" = "$1"
    verdict $? "$2" "status wanted: $1"
}

out_like() { # out_like REGEX NAME
    grep -Eq -e "$1" "$out"
    verdict $? "$2" "stdout should match: $1"
}

err_like() {
    grep -Eq -e "$1" "$err"
    verdict $? "$2" "stderr should match: $1"
}

out_has() { # out_has STRING NAME
    grep -Fq -e "$1" "$out"
    verdict $? "$2" "stdout should have: $1"
}

err_has() {
    grep -Fq -e "$1" "$err"
    verdict $? "$2" "stderr should have: $1"
}

out_lacks() {
    ! grep -Fq -e "$1" "$out"
    verdict $? "$2" "stdout should not have: $1"
}

err_empty() { # err_empty NAME
    test ! -s "$err"
    verdict $? "$1" "stderr should be empty"
}

out_empty() {
    test ! -s "$out"
    verdict $? "$1" "stdout should be empty"
}

bad() { # bad COMMANDS REGEX: refused, and told what would be right
    say "$1"
    status_is 1 "$1: refused"
    err_like "$2" "$1: told what would be right"
}

# same_as FILE NAME: stdout is FILE (under tests/), byte for byte.
same_as() {
    if test -n "${UPDATE_GOLDEN:-}"; then
        mkdir -p "$(dirname "$top_srcdir/tests/$1")"
        cp "$out" "$top_srcdir/tests/$1"
    fi
    if cmp -s "$top_srcdir/tests/$1" "$out"; then
        pass "$2"
    else
        flunk "$2"
        diag "ran: $last_run (status $status); - is tests/$1, + came out"
        diff -u "$top_srcdir/tests/$1" "$out" | sed -n '1,60s/^/#   /p'
        sed 's/^/#   stderr: /' "$err"
    fi
}

# ---- JSON ---------------------------------------------------------------------------------

# json PATH: one value of stdout: .result.area  .faults[0].kind  .result.lines.#
# 2:.result is that of the second line.
json() {
    "$JSONGET" "$1" <"$out"
}

json_is() { # json_is PATH VALUE NAME
    got=$(json "$1" 2>&1)
    test "x$got" = "x$2"
    verdict $? "$3" "$1 is $got, wanted $2"
}

json_like() { # json_like PATH REGEX NAME
    got=$(json "$1" 2>&1)
    printf '%s\n' "$got" | grep -Eq -e "$2"
    verdict $? "$3" "$1 is $got, should match $2"
}

json_near() { # json_near PATH VALUE TOLERANCE NAME
    got=$(json "$1" 2>&1)
    awk -v got="$got" -v want="$2" -v tolerance="$3" 'BEGIN {
        if (got !~ /^-?[0-9]/) exit 1
        d = got - want
        exit !(d <= tolerance && -d <= tolerance)
    }'
    verdict $? "$4" "$1 is $got, wanted $2 within $3"
}

json_absent() { # json_absent PATH NAME
    got=$(json "$1" 2>&1)
    test "x$got" = 'x(absent)'
    verdict $? "$2" "$1 is $got, wanted none"
}

json_valid() { # json_valid NAME: every line of stdout is a JSON object
    json_why=$("$JSONGET" --check <"$out" 2>&1)
    verdict $? "$1" "$json_why"
}

json_count() { # json_count N NAME: as many objects as commands
    test "$(wc -l <"$out" | tr -d ' ')" = "$1"
    verdict $? "$2" "lines wanted: $1"
}

# ---- labs ---------------------------------------------------------------------------------

# every_try LAB: each command that help/LAB.txt offers works as it stands there. One that
# runs a variant which is wrong on purpose fails, and says so. No {slot} stays unfilled.
every_try() {
    awk '/^== / { on = $2 == "try"; next }
         on && NF { sub(/^ +/, ""); sub(/   *.*/, ""); gsub(/{width}/, 8); gsub(/{[a-z_]+}/, 32)
                    print }' \
        "$top_srcdir/help/$1.txt" | sort -u >"$tmp/tries"
    while IFS= read -r try; do
        say "$try"
        test "$status" = 0 || grep -q 'wrong on purpose' "$err"
        verdict $? "try: $try"
        case $try in
        code* | ptx*) continue ;; # code has braces of its own
        esac
        ! grep -Eq '[{][a-z_]+[}]' "$out"
        verdict $? "try: $try: every slot is filled"
    done <"$tmp/tries"
}
