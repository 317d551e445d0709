# SPDX-License-Identifier: GPL-3.0-or-later
#
# Modelled times: where they are shown, `explain time`, and what if a part were faster. How good they
# are is tested in modelled.t.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

num() { # num EXPRESSION: is it true?
    awk "BEGIN { exit !($1) }"
}
field() { # field PATH: a number of the last output
    json "$1"
}

say_json 'explain time' --device sim
json_is .status error 'nothing ran yet'
json_like .error.message 'no command has a modelled time yet' 'and says what to do'

say_json 'trap -n 2^20 --variant shuffle; explain time; explain time what if 2x address' --device sim
s=$(field 1:.time.modelled_s)
ok "the launch has a modelled time: $s" num "$s > 0"
json_is 2:.result.bound address 'atomics at one address take most of it'
json_is 2:.result.sure true 'for an H100 the model is sure'
json_is '2:.result.kernels[0].name' trap_shuffle 'the kernel'
is "$(field '2:.result.kernels[0].modelled_s')" "$s" 'the same time as in the launch'
ok 'its share is that of the part' num "$(field 2:.result.share) * $s - $(field 2:.result.parts_s.address) < 1e-12"
half=$(field '2:.result.what_if[0].modelled_s')
ok 'half of the part gives nearly half of the time' num "$half > $s * 0.5 && $half < $s * 0.6"
is "$(field '3:.result.what_if[0].modelled_s')" "$half" 'what if 2x says the same'
json_is '3:.result.what_if[0].factor' 2 'its factor'
json_like 2:.explain '1.8 nanoseconds' 'why'

# Words for a factor and a part.
for words in '2x address' '2 address' 'half the atomic' 'if 2x address' 'what if half of address'; do
    say_json "trap -n 2^20 --variant shuffle; explain time $words" --device sim
    is "$(field '2:.result.what_if[0].modelled_s')" "$half" "explain time $words"
done
bad_words() {
    say_json "trap -n 2^20; explain time $1" --device sim
    json_is 2:.status error "explain time $1"
    json_like 2:.error.message "$2" "explain time $1: told what would be right"
}
bad_words '2x bandwith' 'not a part of a time: did you mean bandwidth'
bad_words '2x' 'a factor and a part'
bad_words 'bandwidth' 'a factor and a part'
bad_words '0x memory' 'a factor and a part'
bad_words '2x memory l2' 'a factor and a part'
say_json 'trap; explain warp time' --device sim
json_is 2:.status error 'only time takes more words'

# Several launches, and all variants of a lab.
say_json 'dot -n 2^16 --variant two-kernels; explain time' --device sim
json_is '2:.result.kernels[1].name' dot_finish 'two kernels'
ok 'their sum is the time of the command' num "($(field '2:.result.kernels[0].modelled_s') \
    + $(field '2:.result.kernels[1].modelled_s')) / $(field 1:.time.modelled_s) - 1 < 1e-9"
say_json 'trap -n 2^20 --variant all; explain time' --device sim
slow=$(field '1:.variants[1].time.modelled_s') fast=$(field '1:.variants[9].time.modelled_s')
ok 'variants have modelled times, the slowest first' num "$slow > 100 * $fast"
json_is '2:.result.kernels[0].name' atomic 'and explain time has them'
say 'trap -n 2^20 --variant all' --device sim
out_has 'modelled ms' 'the table has a column'

say_json 'trap -n 2^20 --variant shuffle; quiz banks --question 1 --answer 2; explain time' --device sim
json_is '3:.result.kernels[0].name' trap_shuffle "a quiz's run is not the student's"

# The time line is on the screen where the kernel takes more than the launch.
say 'trap -n 2^20 --variant shuffle' --device sim
out_like '^  time  *0\.0617 ms, modelled: 93 % atomics at one address' 'the line'
say 'trap -n 64' --device sim
out_lacks 'modelled' 'no line where the launch takes most'

# The same bytes for any number of cores; and for own kernels.
cat >"$tmp/k.cu" <<'CU'
extern "C" __global__ void k(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = 2 * x[i];
}
CU
own="array x f32 2^22 iota; array y f32 2^22; launch k<<<256, 256>>>(x, y, 2^22); explain time"
if can_load; then
    say_json "load $tmp/k.cu; $own" --device sim --threads 1
    cp "$out" "$tmp/one"
    say_json "load $tmp/k.cu; $own" --device sim --threads 4
    ok 'the same with four cores' cmp -s "$tmp/one" "$out"
    json_like 5:.result.bound 'memory|latency' 'a copy is bound by memory'
    read_bytes=$(field 5:.result.parts_s.memory)
    ok "16 MiB take about 5 us at 3 TB/s: $read_bytes" num "$read_bytes > 4.5e-6 && $read_bytes < 8e-6"
fi

# Other cards: by their figures, less sure; none where a figure is not known.
say_json 'trap -n 2^20; explain time' --device sim:t4
json_is 2:.result.sure false 'a T4 is less sure'
say 'trap -n 2^20; explain time' --device sim:t4
out_has 'less sure' 'and says so'
say_json 'trap -n 2^20' --device sim:gk20a
json_like .time.modelled_s '^[0-9.e-]+$' 'an old card'

# The textbook's tables 6.8 and 6.10: milliseconds of its launches on two cards. Modelled times are
# within a factor of 2, and in the same order where the textbook's differ by more than a tenth.
book() { # book CARD: VARIANT BLOCKS THREADS MS on stdin
    while read -r variant blocks threads ms; do
        say_json "trap -n 2^20 --variant $variant --blocks $blocks --threads $threads" --device "sim:$1"
        echo "$variant $ms $(field .time.modelled_s)"
    done >"$tmp/book"
    while read -r variant ms s; do
        ok "$1 $variant: $ms ms in the textbook, modelled $s s" num "$s * 2000 > $ms && $s * 500 < $ms"
    done <"$tmp/book"
    ok "$1: in the same order" awk '
        { ms[NR] = $2; s[NR] = $3 }
        END { for (i = 1; i <= NR; i++) for (k = 1; k <= NR; k++)
                  if (ms[i] > 1.1 * ms[k] && s[i] <= s[k]) exit 1 }' "$tmp/book"
}
book gk20a <<'MS'
atomic 1024 1024 20.7
shuffle 32768 32 14.4
shared 32768 32 15.0
block-shuffle 1024 1024 12.8
block-shared 1024 1024 14.3
MS
book titanx <<'MS'
atomic 1024 1024 3.08
shuffle 32768 32 0.210
shared 32768 32 0.206
block-shuffle 1024 1024 0.141
block-shared 1024 1024 0.150
MS

# The numbers of the model are in a table, each with its source. The formulas have only units, powers,
# and the sizes in which the simulator counts.
units='0|1|2|8\.0|100|1e3|1e9|1e-9|1e-12'
names='MEASURED_MAJOR|MEASURED_MINOR|WARP|SECTOR|LINE|KIB'
sed 's|/\*.*\*/||; /^ \*/d; /^\/\*/d; s/"[^"]*"//g' "$top_srcdir/src/dev/model.c" |
    sed -E "s/($names) = [0-9]+//g" |
    grep -oE '(^|[^A-Za-z_0-9.])[0-9][0-9a-zA-Z.]*(e-[0-9]+)?' | sed 's/^[^0-9]//' |
    grep -vxE "$units" >"$tmp/numbers"
is "$(cat "$tmp/numbers")" '' 'the formulas have no number of their own'

# How long it takes: within 50 ms beyond the run, by this process's own time.
cpu() { # cpu COMMANDS: the processor's milliseconds, the least of five
    for i in 1 2 3 4 5; do
        ( lab -c "$1" >/dev/null; times ) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/)
            printf "%d\n", 60000 * (u[1] + s[1]) + 1000 * (u[2] + s[2]) }'
    done | sort -n | head -1
}
for command in trap sum vecadd matmul stencil heat; do
    run=$(cpu "$command") more=$(cpu "$command; explain time")
    ok "$command: $run ms, explain time takes $((more - run)) more" test $((more - run)) -lt 50
done
done_testing
