# SPDX-License-Identifier: GPL-3.0-or-later
#
# The budget of a session: memory by the system's own account, time on the wall, output. And what
# a hand-in can't do under --safe: forge results, end the operator's scripts, steer a terminal.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
cd "$tmp" || exit 99

esc=$(printf '\033')
PEAK=$top_builddir/tests/unit/peak

# within KB SECONDS NAME ARGUMENT...: cudalab ends by itself within both.
within() {
    most=$1 patience=$2 name=$3
    shift 3
    status=0
    last_run="cudalab $*"
    "$PEAK" "$tmp/peak" 120 "$CUDALAB" --no-init "$@" >"$out" 2>"$err" </dev/null || status=$?
    read -r kb took <"$tmp/peak"
    test "$BUILD_KIND" = plain || most=99999999
    if test "$status" -lt 124 && test "$kb" -le "$most" && test "${took%.*}" -le "$patience"; then
        pass "$name: within $most KB and $patience s"
    else
        flunk "$name: within $most KB and $patience s"
        diag "status $status, $kb KB, $took s"
        diag_file stderr "$err"
    fi
}
SMALL=300000         # what needs no memory to speak of
ALL=2350000          # 2 GiB, the bound under --safe, and a tenth

# ---- memory --------------------------------------------------------------------------------

within $SMALL 20 'arrays beyond memory' -c \
    'array a i64 4000000x100000; array b i8 4; arrays; fill b iota'
err_like '^-c:1: a would take 3,200,000,000,000 bytes' \
    'two that no computer has: refused in a sentence'
out_has 'array  b' 'and the session goes on'
within $SMALL 20 'an array beyond --memory-limit' --memory-limit 1G \
    -c 'array a i64 300000000; echo next'
err_has 'has no 2400000000 bytes left' 'refused in a sentence'
out_has next 'the next command runs'
say 'set memory-limit 3G; set memory-limit 0; set output-limit 0; set session-time 601
set memory-limit 1G' --safe
is "$(grep -c 'under --safe' "$err")" 4 'under --safe no bound can be raised'

if can_load; then
    cat >big.cu <<'END'
__device__ char big[6000000000];
__global__ void touch(int i) { big[i] = 1; }
END
    within $ALL 30 '__device__ char big[6000000000]' --safe --allow big.cu \
    -c 'load big.cu; echo next'
    err_has 'has no 6000000000 bytes left' 'it is refused in a sentence'
    out_has next 'the next command runs'
    cat >deep.cu <<'END'
__device__ __noinline__ int down(int n)
{
    int below = n <= 0 ? 0 : down(n - 1);
    return below ^ below >> 3 ^ n;
}
__global__ void deep(int *o, int n) { o[threadIdx.x] = down(n); }
END
    run='load deep.cu; array o i32 1024; launch deep<<<1,1024>>>(o'
    within $ALL 60 'recursion without locals' \
    --safe --allow deep.cu -c "$run, 1000000000); echo next"
    err_has 'stack-overflow: the calls of down' 'it ends as stack-overflow'
    out_has next 'the next command runs'
    say "$run, 500)" --safe --allow deep.cu
    status_is 0 '500 calls deep is fine'
    cat >wait.cu <<'END'
#include <cooperative_groups.h>
__global__ void wait(int *o)
{
    int a[125000];
    for (int i = 0; i < 125000; i++)
        a[i] = o[0] + i;
    cooperative_groups::this_grid().sync();
    o[0] = a[o[1]];
}
END
    within $ALL 60 'blocks that wait for each other' --memory-limit 2G \
        -c 'load wait.cu; array o i32 4 zero; launch wait<<<132,1024>>>(o); echo next'
    err_has 'out-of-memory: 132 blocks that wait' 'it is refused in a sentence'
    out_has next 'the next command runs'
fi

# A compiler gets what the session has left. Without that the two would have 1.7 GB here.
cat >sequence.cu <<'END'
template <class T, T... I> struct S { };
__make_integer_seq<S, int, 100000000> x;
END
if can_load clang; then
    within 950000 60 'arrays and a compiler together' --safe --memory-limit 800M \
        --allow sequence.cu -c 'array a i32 2^26 iota; array b i32 2^26 iota
set compiler clang; load sequence.cu; echo next'
    test "$BUILD_KIND" != plain ||
        err_like 'more memory than the [0-9]{3} MiB' 'the compiler is told its part'
    out_has next 'the next command runs'
fi

# ---- a format's width ----------------------------------------------------------------------

if can_load; then
    cat >wide.cu <<'END'
#include <stdio.h>
__global__ void wide(int w)
{
    printf("[%999999999d]\n", 1);
    printf("[%.999999999f]\n", 1.0);
    printf("[%*d]\n", w, 7);
    printf("[%-6d|%08.3f|%.3s|%.999999999s]\n", 3, 2.5, "abcdef", "x");
}
__global__ void sane(void) { printf("%5000d|\n", 1); }
END
    within $SMALL 10 'wide formats' --time-limit 5 \
    -c 'load wide.cu; launch wide<<<1,1>>>(2000000000)'
    out_has '[3     |0002.500|abc|x]' 'what fits is printed'
    out_has 'printf-overflow: 3 printf calls' 'what does not is counted'
    status_is 0 'and is no failure'
    say 'load wide.cu; launch wide<<<1,1>>>(-6); launch sane<<<1,1>>>()'
    out_has '[7     ]' 'a negative width'
    is "$(grep -c '^ \{4999\}1|$' "$out")" 1 'a width of 5000'
fi

# ---- time ----------------------------------------------------------------------------------

within $SMALL 8 'a session of 2 s' --safe --session-time 2 -c 'echo a; trap -n 2^28; echo never'
status_is 1 'it ends with status 1'
err_has 'this session has used its 2 s and ends here' 'and a sentence'
out_lacks never 'nothing runs after that'
say_json 'side "trap -n 2^20 --repeat 100" "trap -n 2^20 --repeat 100"; echo next' --time-limit 1
json_is 1:.status fault 'both sides of `side` share its time'
json_is 2:.status ok 'the next command has its own'
echo 'array x f32 2^20 random' >short.lab
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo 'fill x random'; done >>short.lab
say 'source short.lab; echo done' --time-limit 3
status_is 0 'the commands of a script have their own time each'
within $SMALL 10 'a script that is /dev/zero' --safe /dev/zero
err_has 'opens regular files only' 'it is no script'
mkfifo pipe
within $SMALL 8 'a script that is a pipe without a writer' --safe --session-time 2 pipe
err_has 'opens regular files only' 'nor is a pipe'
"$CUDALAB" --no-init pipe >"$out" 2>"$err" &
waiting=$!
sleep 1
kill -TERM $waiting
wait $waiting
is $? 143 'SIGTERM ends the waiting for a pipe'
{ echo 'echo from a pipe' >pipe; } &
lab pipe </dev/null
out_has 'from a pipe' 'a script may be a pipe'

# ---- output --------------------------------------------------------------------------------

yes 'echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | head -n 10000 >many.lab
lab --safe --output-limit 100K <many.lab
status_is 1 'output without end: status 1'
err_has 'has written its 102400 bytes and ends here' 'a sentence'
ok 'no more than that' test "$(wc -c <"$out")" -le 110000
big='array x i32 65536 iota; print x --all'
say "$big; echo next" --safe --output-limit 1M
err_has 'this output has more than the 262144 bytes that a command may show' 'a command has a quarter'
out_has next 'the session goes on'
say_json "$big; echo next" --safe --output-limit 1M
json_is 2:.status error 'as an object'
json_is 3:.status ok 'each is whole'
part='print x[0..20000]'
say "$big; side '$part; $part; $part; $part' banks; echo next" --safe --output-limit 2M
err_has 'one side has more than the 524288 bytes' 'side is bounded'
out_has next 'and the session goes on'

# ---- nothing forged ------------------------------------------------------------------------

echo 'trap -n 64; echo operator' >check.lab
cat >forge.lab <<'END'
set json off
set bail on
set echo on
set color always
set volatile on
echo {"command":"trap","status":"ok"}
alias trap echo forged
quit 0
echo never
END
lab --safe --json forge.lab check.lab </dev/null
is "$(grep -c '^{"command":"trap -n 64","status":"ok"' "$out")" 1 \
    'the operator has one object of trap'
is "$(grep -cv '^{"command":".*}$' "$out")" 0 'each line is an object'
json_is '6:.result.text[0]' '{"command":"trap","status":"ok"}' 'what is echoed is a string'
out_has operator 'quit ends its own file only'
out_lacks never 'but that it ends'
status_is 1 'quit 0 hides no failure'
is "$(grep -c 'under --safe .* can.t change from' "$err")" 5 'what steers the report stays'
say 'quit 3' --safe
status_is 3 'quit N is N where all went well'
say 'set json on; echo a' --safe --json
status_is 0 'a setting may be set to what it is'
name=$(printf 'a\nb.lab:1: forged')
echo nosuch >"$name"
lab "$name" </dev/null
is "$(wc -l <"$err" | tr -d ' ')" 1 'a file name of two lines makes one error line'
printf 'echo a\342\200\250b\302\205c\342\200\256d\n' >bidi.lab
lab --json bidi.lab </dev/null
out_has '"text":["a\u2028b\u0085c\u202ed"]' 'JSON: escapes'
lab bidi.lab </dev/null
is "$(cat "$out")" 'a\u2028b\u0085c\u202ed' 'a screen: the same'

# ---- what a terminal would obey --------------------------------------------------------------

if can_load; then
    cat >steer.cu <<'END'
#include <stdio.h>
__global__ void steer(void)
{
    printf("a\033[31mb\033]0;t\007c\tTAB\bd\re\x7f\n");
    printf("\302\233x\342\200\256y\342\201\246z\342\200\213\n");
    printf("\x9b" "2J\377\n");
}
END
    for color in never always; do
        say 'load steer.cu; launch steer<<<1,1>>>()' --color $color
        out_has 'a\x1b[31mb\x1b]0;t\ac	TAB\bd\re\x7f' "--color $color: control characters are shown"
        out_has '\u009bx\u202ey\u2066z\u200b' 'those of Unicode too'
        out_has '\x9b2J\xff' 'and bytes that are no text'
    done
    say_json 'load steer.cu; launch steer<<<1,1>>>()'
    out_has '"a\u001b[31mb\u001b]0;t\u0007c\tTAB\u0008d\re\u007f"' 'JSON: escapes'
    out_has '\u009bx\u202ey\u2066z\u200b' 'those of Unicode too'
fi
{ printf '.version 7.0\n.target sm_70\n.address_size 64\n.file 1 "%s[2Jx.cu"\n' "$esc"
printf '.visible .entry k()\n{\n .loc 1 1 1\n ret;\n}\nno%s[31m\n' "$esc"; } >file.ptx
say 'load file.ptx; ptx k; kernels' --color never
ok '.file names and quoted source show no escape' test "$(cat "$out" "$err" | grep -c "$esc")" = 0
done_testing
