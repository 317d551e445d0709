# SPDX-License-Identifier: GPL-3.0-or-later
#
# What outside scripts rely on: one JSON object a command, and the same bytes on every run. As
# tests/contract.t, written from the published rules, whose words stand in the comments.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

cp "$top_srcdir"/tests/contract/* "$tmp"
cd "$tmp" || exit 99
compiler=$(can_load && echo yes)

# Everything but volatile things, in one script of PTX and, where it can be, of CUDA C.
cat >all.lab <<'END'
load plain.ptx
kernels
array o i32 8 random
array x f32 6 list:0.1,nan,inf,-inf,1e-45,3.4028235e38
array d f64 3 list:0.1,-0.0,1e300
array h f16 2 list:0.1,1024.5
array big u64 2 list:2^63,18446744073709551615
array low i64 1 value:-9223372036854775808
launch fine<<<2,3>>>(o)
print o
print x
print d
print h
print big
print low
launch fine<<<1,1>>>(null)
arrays
nosuch
END
test -z "$compiler" || cat >>all.lab <<'END'
load shape.cu
load names.cu
launch hello<<<3,40>>>()
launch odd_bytes<<<1,1>>>()
launch shape<<<(2,2),64>>>(o)
print o
kernels
arrays
load faults.cu
launch store<<<4,64>>>(o, o, 1000)
launch traps<<<4,64>>>(o, 3)
load wrong.cu
END

# ---- "one JSON object a line on stdout for each command, and nothing else there" ----------

lab --json all.lab </dev/null
json_valid 'each line is an object'
json_count "$(wc -l <all.lab)" 'one for each command'
cp "$out" first.json
i=0
while IFS= read -r command; do
    i=$((i + 1))
    json_is "$i:.command" "$command" "its command: $command"
    json_like "$i:.status" '^(ok|error|fault)$' "its status: $command"
done <all.lab
json_is 9:.device sim 'device'
json_is 9:.model h100 'model'
json_is 9:.kernel fine 'kernel'
json_is 9:.grid '[2,1,1]' 'grid'
json_is 9:.block '[3,1,1]' 'block'
json_is 9:.shared_bytes 0 'shared_bytes'
json_is 9:.output '[]' 'output'
json_is 9:.status ok 'status'
json_like 9:.counters '^\{' 'counters: an object'
for counter in warp_instructions thread_instructions branches divergent_branches barriers \
    shuffles shared_load_requests shared_load_wavefronts shared_load_conflicts \
    shared_store_requests shared_store_wavefronts shared_store_conflicts global_load_requests \
    global_load_sectors global_store_requests global_store_sectors global_atomic_requests \
    local_load_requests local_store_requests constant_load_requests texture_requests \
    shared_atomic_requests global_atomics shared_atomics; do
    json_like "9:.counters.$counter" '^[0-9]+$' "counters: $counter"
done
json_is 9:.counters.warp_instructions 8 'two warps of four instructions'
json_is 9:.counters.thread_instructions 24 'of three threads each'
json_is 9:.counters.global_load_requests 2 'a load each'
json_is 9:.counters.global_load_sectors 2 'of one sector'
json_is 9:.counters.global_store_requests 2 'a store each'
# "Absent means not known here; never 0 in its place."
json_absent 9:.time.measured_s 'measured times are volatile'
json_like 9:.time.modelled_s '^[0-9.e-]+$' 'a modelled time is the same everywhere'
json_absent 9:.error 'no error where there is none'
json_absent 9:.counters_from 'counters_from: only of a gpu'
json_absent 9:.launches 'one launch is no list'
json_absent 10:.counters 'print counts nothing'
json_absent 10:.kernel 'print has no kernel'
json_absent 10:.faults 'print has no faults'
json_absent 18:.result 'an error found nothing'
# "an error is both there and on stderr", "error":{"message":"...","line":3}
json_is 18:.status error 'an error'
json_like 18:.error.message '`nosuch`' 'its message'
json_is 18:.error.line 18 'its line'
err_like '^all\.lab:18: .*`nosuch`' 'the same on stderr, as FILE:LINE: message'
# "NaN and infinities are the strings"; "an f32 prints as the shortest text that reads back"
json_is 11:.result.values '[0.1,"nan","inf","-inf",1e-45,3.4028235e38]' 'f32'
json_like 12:.result.values '^\[0\.1,-0(\.0)?,1e300\]$' 'f64'
json_is 13:.result.values '[0.1,1024]' 'f16'
# "64-bit integers exact"
json_is 14:.result.values '[9223372036854775808,18446744073709551615]' 'u64'
json_is 15:.result.values '[-9223372036854775808]' 'i64'
# "`print`: name type count lo hi values"
json_is 10:.result.name o 'print: name'
json_is 10:.result.type i32 'print: type'
json_is 10:.result.count 8 'print: count'
json_is 10:.result.lo 0 'print: lo'
json_is 10:.result.hi 7 'print: hi'
json_is 10:.result.values.# 8 'print: values'
# The keys that are fixed for commands other than these.
say_json 'trap -n 64; hello 1 2; banks 2; devquery; trap -n 64 --variant all'
for key in area exact error variant n ok; do json_like "1:.result.$key" '[^)]$' "trap: $key"; done
for key in blocks threads lines; do json_like "2:.result.$key" '[^)]$' "hello: $key"; done
for key in stride width degree wavefronts; do json_like "3:.result.$key" '[^)]$' "banks: $key"; done
json_like '4:.result.devices[0]' '^\{' 'devquery: devices, objects'
json_like '5:.variants[1].variant' '^[a-z]' '--variant all: variants, each with its name'

# "The innermost": one object for each inner command of source, none for itself
printf '# a comment\n\narray a i32 1\n   \nprint a\n' >inner.lab
say_json 'source inner.lab; # nothing
array b i32 1'
json_count 3 '`source`: one for each inner command, none for itself; none for blanks and comments'
json_is 1:.command 'array a i32 1' 'the first inner command'
json_is 3:.command 'array b i32 1' 'the one after it'
printf 'array a i32 1\nnosuch\n' >inner.lab
say_json 'source inner.lab'
json_is 2:.error.line 2 'an inner error has the line of its file'
err_like '^inner\.lab:2: ' 'and its file on stderr'

if test -n "$compiler"; then
    # "output":["a line the kernel printed", ...]; "invalid UTF-8 in output becomes U+FFFD"
    say_json 'load shape.cu; launch hello<<<1,2>>>(); launch odd_bytes<<<1,1>>>()'
    json_is 2:.output '["b0 t0","b0 t1"]' 'output: a line each'
    json_valid 'output: valid JSON whatever a kernel prints'
    grep -q \
        "\"a$(printf '\357\277\275')b $(printf '\303\251') \\\\\"q\\\\\" \\\\\\\\ \\\\t|\"" "$out"
    verdict $? 'output: U+FFFD for a wrong byte, the others as they are'
    # "Status is `fault` ..."
    say_json 'load faults.cu; array o i32 4; launch traps<<<1,64>>>(o, 3); print o'
    json_is 3:.status fault 'a fault: status'
    json_is '3:.faults[0].kind' trap 'a fault: kind'
    json_is 3:.kernel traps 'a fault: kernel'
    json_absent 3:.error 'a fault is no error'
    json_is 4:.status ok 'the next command works'
    status_is 1 'a fault: status 1'
    err_like '^-c:1: trap: ' 'a fault: on stderr too'
fi

# ---- "addresses "0x..." strings"; "volatile: hidden when stdout is no terminal" -----------

say_json 'array a i32 4; arrays; set volatile on; arrays; load plain.ptx; launch fine<<<1,1>>>(a)
launch fine<<<1,1>>>(3)'
json_absent '2:.result.arrays[0].address' 'addresses are hidden'
json_like '4:.result.arrays[0].address' '^0x[0-9a-f]+$' 'set volatile on: an address is a string'
json_like 6:.time.measured_s '^[0-9.e-]+$' 'set volatile on: the time, a number'
json_is '7:.faults[0].address' 0x3 'set volatile on: the address of a fault'

# ---- "One binary, the same script, --seed and --schedule, on sim: the same bytes" ---------

# same NAME: stdout is as the first time
same() {
    if cmp -s first.json "$out"; then pass "$1"; else
        flunk "$1"
        diff first.json "$out" | cut -c1-300 | sed -n '1,6s/^/# /p'
    fi
}
lab --json all.lab </dev/null
same 'a second run, with a warm cache'
lab --json --threads 2 all.lab </dev/null
same '--threads 2'
lab --json --threads 7 all.lab </dev/null
same '--threads 7'
XDG_CACHE_HOME=$tmp/other lab --json all.lab </dev/null
same 'a cold cache'
XDG_CACHE_HOME=$tmp/all.lab lab --json all.lab </dev/null
same 'no cache'
lab --json <all.lab
same 'on stdin'
lab --json -f all.lab </dev/null
same 'by -f'
HOME=$tmp/all.lab TZ=Asia/Tokyo LC_ALL=C.UTF-8 COLUMNS=40 lab --json all.lab </dev/null
same 'another environment'
mkdir elsewhere && cp ./*.cu ./*.ptx ./*.h ./*.lab elsewhere
(cd elsewhere && $CUDALAB_WRAPPER "$CUDALAB" --no-init --json all.lab </dev/null >"$out" 2>"$err")
same 'in another folder'
lab all.lab </dev/null
cp "$out" first.txt
cp "$err" first.err
lab --threads 3 all.lab </dev/null
ok 'the same text' cmp -s first.txt "$out"
ok 'the same text on stderr' cmp -s first.err "$err"
for schedule in independent random random:5; do
    lab --json --schedule $schedule all.lab </dev/null
    cp "$out" first.json
    lab --json --schedule $schedule --threads 4 all.lab </dev/null
    same "--schedule $schedule"
done
lab --json --seed 9 all.lab </dev/null
ok 'another seed is another result' test "$(json 3:.status)" = ok -a \
    "$(json 10:.result.values)" != "$("$JSONGET" 10:.result.values <first.json)"

# With `set volatile on` only times and addresses come besides.
lab --json all.lab </dev/null
cp "$out" first.json
{ echo 'set volatile on'; cat all.lab; } >volatile.lab
lab --json volatile.lab </dev/null
sed '1d; s/"time":{"measured_s":[^}]*},//g; s/,"measured_s":[^}]*}/}/g; s/,"address":"0x[0-9a-f]*"//g; s/"line":\([0-9]*\)}}$/"line":\1}}/' \
    "$out" >stripped
sed 's/"line":19}}$/"line":18}}/; s/"line":31}}$/"line":30}}/' stripped >"$out"
same 'set volatile on: only times and addresses come besides'

done_testing
