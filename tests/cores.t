# SPDX-License-Identifier: GPL-3.0-or-later
#
# A launch on several cores gives the same bytes as on one: arrays, counters, findings, text. Most
# kernels here would show the order of their blocks.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

fresh='array out u32 8192; array bins i32 128 zero; array more f64 8 zero; array sum f32 8 zero
array many i32 8192 zero; array bytes u8 16384 zero; array made i64 128 zero; fill many iota
array high i32 4 value:100000; array low i32 4 value:-100000
array high64 i64 4 value:100000; array low64 i64 4 value:-100000'
after='print out; print bins; print more; print sum; print many; print bytes; print made
print high; print low; print high64; print low64'

# What is launched, one in a line, each with fresh arrays.
each_launch() {
    cat <<'END'
apart<<<128, 64>>>(out, 400)
flags<<<128, 64>>>(bins, out, 400)
neighbours<<<128, 64>>>(bytes, 400)
bytes<<<4096, 64>>>(bytes, 20)
histogram<<<128, 64>>>(bins, 400)
floats<<<128, 64>>>(sum, more, 400)
one_sum<<<128, 64>>>(sum, 400)
three_sums<<<128, 64>>>(sum, 400)
many_sums<<<128, 64>>>(sum, many, 400)
mixed_sums<<<128, 64>>>(sum, 400)
no_numbers<<<128, 64>>>(sum, 400)
both<<<128, 64>>>(bins, 400)
ends<<<128, 64>>>(high, low, high64, low64, 400)
sum_and_read<<<128, 64>>>(bins, many, 400)
ticket<<<128, 64>>>(bins, many, 400)
hidden_ticket<<<128, 64>>>(bins, many, 400)
own_counters<<<128, 64>>>(many, 400)
block_scope<<<128, 64>>>(bins, 400)
prints<<<128, 64>>>(600)
last_fault<<<128, 64>>>(out, 400)
far_race<<<128, 64>>>(out, 400)
far_read<<<128, 64>>>(many, out, 400)
unwritten<<<128, 64>>>(out, many, 400)
half_written<<<128, 64>>>(out, 400)
in_place<<<128, 64>>>(many, 400)
divergent<<<128, 64>>>(out, 2000)
grid<<<128, 64>>>(out, many, 400)
pairs<<<128, 64>>>(out, 400)
mallocs<<<128, 64>>>(made, 400)
clocks<<<128, 64>>>(made, 400)
traps<<<128, 64>>>(out, 400)
sleeps<<<128, 64>>>(out, 400)
long_blocks<<<64, 64>>>(sum, out, 400)
chain<<<128, 64>>>(bins, many, 400)
swaps<<<128, 64>>>(bins, 400)
END
}

# session CORES SCHEDULE FILE: all launches in one session
session() {
    {
        echo "set schedule $2"
        echo "load $top_srcdir/tests/cores/meet.cu"
        each_launch | while read -r launch; do
            echo "$fresh"
            echo "launch $launch"
            echo "launch $launch --check none"
            echo "$after"
            echo 'free out; free bins; free more; free sum; free many; free bytes; free made'
            echo 'free high; free low; free high64; free low64'
        done
    } | tr ';' '\n' >"$tmp/script"
    "$CUDALAB" --no-init --device sim --json --threads "$1" <"$tmp/script" >"$3" 2>&1
}

compare() { # compare SCHEDULE CORES...
    schedule=$1
    shift
    session 1 "$schedule" "$tmp/one"
    is "$(grep -c '"command":"launch' "$tmp/one")" "$(($(each_launch | wc -l) * 2))" \
        "$schedule: all are launched"
    for cores in "$@"; do
        session "$cores" "$schedule" "$tmp/several"
        diff "$tmp/one" "$tmp/several" | cut -c 1-300 >"$tmp/diff"
        is "$(head -4 "$tmp/diff")" '' "$schedule: $cores cores leave the same bytes as one"
    done
}
# Nothing of this depends on who compiled the labs' kernels, but for the code of these here.
if test -z "${KERNELS_ONLY:-}"; then
    compare lockstep 2 3 8
    compare random:3 3
    compare independent:5 2
else
    compare lockstep 3
fi

# ---- the setting --------------------------------------------------------------------------

say 'set threads 3; show threads'
out_like 'threads +3 ' 'show tells the setting'
say 'set threads 257'
err_has 'from 0 to 256' 'its values have bounds'
done_testing
