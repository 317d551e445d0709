# SPDX-License-Identifier: GPL-3.0-or-later
#
# What outside scripts rely on for a student's own kernels, held to the letter: load, kernels,
# arrays, launches and their arguments. Written from the published rules, whose words stand in
# the comments, and not from the code. contract-json.t has JSON and the promise of same bytes,
# contract-faults.t the faults. The kernels are in tests/contract; any compiler will do.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

cp "$top_srcdir"/tests/contract/* "$tmp"
cd "$tmp" || exit 99

compilers=
for each in nvrtc nvcc clang; do
    can_load "$each" && compilers="$compilers $each"
done
ptxas=
runs_programs && ptxas=$(PATH=$PATH:/usr/local/cuda/bin command -v ptxas)
toolkit=no
case $compilers in *nv*) toolkit=yes ;; esac

# ---- "load FILE.cu | FILE.ptx" ------------------------------------------------------------

if test -z "$compilers"; then
    skip 'there is no compiler of CUDA C' '.cu files'
fi
for each in $compilers; do
    say_json "set compiler $each; load names.cu; load wrong.cu"
    json_is 2:.status ok "$each: .cu"
    case $each in nvrtc) name=NVRTC ;; *) name=$each ;; esac
    json_like 2:.result.compiler "^$name [0-9]+\\.[0-9]" "$each: which compiler and version"
    json_is 2:.result.kernels.# 9 "$each: nine kernels"
    # "the compiler's errors as they are, with file and line"
    json_is 3:.status error "$each: a wrong file"
    err_like '^wrong\.cu[:(]4[:)].*error.*undeclared_thing' "$each: its words, with file and line"
    err_like '^-c:1: ' "$each: and the line of the script"
done

say_json 'load plain.ptx; array o i32 1; launch fine<<<1,1>>>(o); print o'
json_is 1:.status ok '.ptx'
json_absent 1:.result.compiler '.ptx: no compiler'
json_is '4:.result.values' '[3]' '.ptx: it runs'
refused 'load nosuch.cu' 'nosuch\.cu.*No such file' 'a file that is not there'
refused 'load names.txt' 'names\.txt' 'a file that is neither'
printf 'this is no PTX\n' >bad.ptx
refused 'load bad.ptx' 'bad\.ptx' 'a .ptx that is none'
printf '%s\n' '.version 6.4' '.target sm_70' '.address_size 64' '' '.visible .entry k()' '{' \
    '    .reg .b32 %r<2>' '}' >bad.ptx
refused 'load bad.ptx' 'bad\.ptx`?(:|, line )[78]' 'a wrong .ptx: file and line'

# "compiles for the device that is in use (H100 90, A100 80, T4 75, older cards 75 as the compiler
# allows; clang as far as it goes); `set arch` fixes it"
echo '__global__ void target(int *o) { *o = __CUDA_ARCH__; }' >target.cu
run='launch target<<<1,1>>>(o); print o'
go="array o i32 1; $run"
for each in $compilers; do
    begin="set compiler $each"
    for device in a100:80 t4:75 c2050:75; do
        gives "$begin; set device sim:${device%:*}; load target.cu; $go" "[${device#*:}0]" \
            "$each: ${device%:*}"
    done
    say_json "$begin; set device sim:h100; load target.cu; $go"
    newest=$(json '3:.result.arch')
    json_like '3:.result.arch' '^(8[069]|90)$' "$each: an H100, as far as the compiler goes"
    json_is '6:.result.values' "[${newest}0]" "$each: and that is what the kernel sees"
    say "$begin; set device sim:h100; load target.cu; load target.cu"
    is "$(grep -c 'knows no sm_90' "$out")" "$(test "$newest" -ge 90; echo $?)" "$each: said once"
    say_json "$begin; set device sim:t4; load target.cu; $go; set device sim:a100; $run"
    json_is '9:.result.values' '[800]' "$each: set device compiles again"
    gives "$begin; set arch 80; set device sim:t4; load target.cu; $go" '[800]' "$each: set arch"
    say_json "$begin; set arch 75; load target.cu; $go; set device sim:a100; $run"
    json_is '9:.result.values' '[750]' "$each: what set arch fixed stays so"
    refused "set compiler $each; set arch 12; load target.cu" '12|-arch' "$each: no such target"
done
# What nvcc takes and clang does not: alignas behind __shared__.
cat >aligned.cu <<'EOF'
__global__ void aligned(int *o)
{
    __shared__ char first[3];
    __shared__ alignas(128) int tile[32];
    tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 3)
        first[threadIdx.x] = 0;
    __syncthreads();
    o[threadIdx.x] = (int)((size_t)tile % 128) + tile[31 - threadIdx.x] + first[1];
}
EOF
for each in $compilers; do
    gives "set compiler $each; load aligned.cu; array o i32 32; launch aligned<<<1,32>>>(o); print o[0..1]" \
        '[31,30]' "$each: __shared__ alignas(128)"
done
test ! "$compilers" || { echo '__global__ void target(int *o) { *o = HERE; }' >moved.cu
say_json "load moved.cu -D HERE=__CUDA_ARCH__; $go; set device sim:t4; kernels; $run"
json_is '8:.result.values' '[750]' 'set device: with the options of the load'
printf '#if __CUDA_ARCH__ < 800\n#error old\n#endif\n__global__ void k(int *o) { *o = 1; }\n' >new.cu
say_json 'set device sim:a100; load new.cu; array o i32 1; set device sim:t4; launch k<<<1,1>>>(o)'
json_is 5:.status ok 'set device: a file that does not compile any more keeps its PTX'; }
# "with line information"
for each in $compilers; do
    say "set compiler $each; load names.cu; ptx c_name"
    out_like 'names\.cu:5[0-9]' "$each: line information"
done
refused 'set compiler gcc' 'auto, nvrtc, nvcc or clang' 'set compiler: only those'

if test -n "$compilers"; then

# ---- "kernels: what is loaded" ------------------------------------------------------------

say_json 'load names.cu; kernels'
json_is 2:.result.kernels.# 9 'kernels: all'
n=$(json 2: | sed 's/"signature"/\n&/g' | grep -n '"c_name(' | cut -d: -f1)
at="2:.result.kernels[$((n - 2))]"
json_is "$at.name" c_name 'kernels: its name'
json_is "$at.parameters.#" 2 'kernels: parameters'
json_is "$at.parameters[0].type" 'int*' 'kernels: the type of one'
json_is "$at.parameters[1].name" add 'kernels: the name of one'
json_is "$at.shared_bytes" 128 'kernels: shared bytes'
if test -n "$ptxas"; then
    json_like "$at.registers" '^[1-9][0-9]*$' 'kernels: registers, as ptxas says'
    json_is "$at.registers_from" ptxas 'kernels: and it says so'
else
    json_absent "$at.registers" 'kernels: registers are not known without ptxas'
fi
json_like "$at.compiler" '[0-9]\.[0-9]' 'kernels: which compiler and version'
say 'load names.cu; kernels; set device sim:c2050; kernels; set device sim:t4; kernels'
out_lacks 'after ptxas' 'nothing is said of registers that are not known'
if test -n "$ptxas"; then
    out_like 'registers per thread .ptxas, sm_90., 128 B shared' 'load and kernels: for this card'
    out_like 'registers per thread .ptxas, sm_75., 128 B shared' 'for another one, other registers'
    is "$(grep -c 'ptxas, sm_20' "$out")" 0 'none for a card that ptxas does not know'
    say 'load names.cu' --safe --allow names.cu
    out_like 'registers per thread .ptxas, sm_90.' '--safe: likewise, by a confined ptxas'
    mkdir "$tmp/scripts"
    for name in nvcc ptxas nvdisasm clang; do
        real=$(PATH=$PATH:/usr/local/cuda/bin command -v $name) || continue
        printf '#!/bin/sh\nexec %s "$@"\n' "$real" >"$tmp/scripts/$name"
        chmod +x "$tmp/scripts/$name"
    done
    before=$PATH PATH=$tmp/scripts:$PATH
    for home in "" "${CUDA_HOME-/usr/local/cuda}"; do
        for compiler in $compilers; do
            test "$compiler" != nvcc || continue # --safe refuses it
            (
                CUDA_HOME=$home
                say "set compiler $compiler; load names.cu; sass c_name" --safe --allow names.cu
            )
            status_is 0 "scripts on the PATH, --safe, $compiler, CUDA_HOME '$home'"
            out_like 'registers per thread .ptxas, sm_90.' '--safe runs the programs themselves'
        done
    done
    PATH=$before
    mkdir "$tmp/crashes"
    cat >"$tmp/crashes/ptxas" <<EOF
#!/bin/sh
test -e $tmp/crashes/once || { touch $tmp/crashes/once; kill -SEGV \$\$; }
exec $ptxas "\$@"
EOF
    chmod +x "$tmp/crashes/ptxas"
    before=$PATH PATH=$tmp/crashes:$PATH
    say 'load names.cu'
    PATH=$before
    out_like 'registers per thread .ptxas, sm_90.' 'a ptxas that crashes once is asked again'
    is "$(ls "$tmp/crashes")" "$(printf 'once\nptxas')" 'and it has crashed'
fi
say 'load names.cu; kernels'
out_has 'c_name(int* out, int add)' 'kernels: the same on the screen'
out_has '128 B shared' 'kernels: shared bytes on the screen'
say_json kernels
json_is .status ok 'kernels: none is no error'

# ---- "K is the plain name" ----------------------------------------------------------------

calls='load names.cu; array o i32 2 zero; array f f32 1 zero'
gives "$calls; launch k<<<1,1>>>(o); print o[0]" '[10]' 'k'
gives "$calls; launch ns::k<<<1,1>>>(o); print o[0]" '[27]' 'ns::k'
gives "$calls; launch ns::inner::only<<<1,1>>>(o); print o[0]" '[30]' 'ns::inner::only'
gives "$calls; launch tk<float><<<1,1>>>(f); print f" '[4.5]' 'tk<float>'
gives "$calls; launch tk<int><<<1,1>>>(o); print o[0]" '[4]' 'tk<int>'
gives "$calls; launch tk< float ><<<1,1>>>(f); print f" '[4.5]' 'blanks between'
gives "$calls; launch many<3><<<1,1>>>(o); print o[0]" '[3]' 'many<3>'
gives "$calls; launch ov(int*)<<<1,1>>>(o); print o[0]" '[40]' 'ov(int*)'
gives "$calls; launch ov(float *)<<<1,1>>>(f); print f" '[41]' 'ov(float *)'
gives "$calls; launch c_name<<<1,32>>>(o, 1); print o" '[263,1]' 'c_name, extern "C"'
# "ambiguous is an error that lists them"
refused "$calls; launch tk<<<1,1>>>(o)" 'tk<float>.*tk<int>' 'tk alone lists both'
refused "$calls; launch ov<<<1,1>>>(o)" 'ov\(int\*\).*ov\(float\*\)' 'ov alone lists both'
refused "$calls; launch c_nmae<<<1,1>>>(o)" 'did you mean c_name' 'a misspelt kernel'
refused 'launch k<<<1,1>>>()' 'load' 'no kernel at all'
# "of two files with the same name the last loaded wins, or FILE:k"
for i in 1 2; do
    echo "__device__ int mine = $i; __global__ void same(int *o) { *o = $i; }" >"same$i.cu"
done
both='array o i32 1 zero; load same1.cu; load same2.cu'
gives "$both; launch same<<<1,1>>>(o); print o" '[2]' 'the last loaded wins'
gives "$both; launch same1.cu:same<<<1,1>>>(o); print o" '[1]' 'FILE:k'
gives "$both; load same1.cu; launch same<<<1,1>>>(o); print o" '[1]' 'loaded again it is the last'
refused "$both; launch same3.cu:same<<<1,1>>>(o)" 'same[123]\.cu' 'FILE that is not loaded'
# "Loading a path again replaces it and its variables."
cp same1.cu again.cu
cat >again.lab <<'END'
load again.cu
fill mine value:7
load again.cu
print mine
END
say_json 'source again.lab'
json_is 4:.result.values '[1]' 'loaded again: its variables are new'
json_count 4 'loaded again: no error'
say_json 'load again.cu; load again.cu; kernels'
json_is 3:.result.kernels.# 1 'loaded again: it is there once'
gives 'load again.cu; array o i32 1; load wrong.cu; launch same<<<1,1>>>(o); print o' '[1]' \
    'a file that fails to load leaves the others'

# ---- "launch K<<<GRID, BLOCK[, SHARED]>>>(ARGS)" ------------------------------------------

shapes='load shape.cu; array o i32 7 zero'
gives "$shapes; launch shape<<<2, 3>>>(o); print o" '[2,1,1,3,1,1,0]' 'N'
gives "$shapes; launch shape<<<(2,3), (4,5)>>>(o); print o" '[2,3,1,4,5,1,0]' '(X,Y)'
gives "$shapes; launch shape<<<(2,3,4), (5,6,7), 128>>>(o); print o" '[2,3,4,5,6,7,128]' \
    '(X,Y,Z), SHARED'
say_json "$shapes; launch shape<<<(2,3), (4,5)>>>(o); launch shape<<<dim3(2,3), {4,5}>>>(o)
launch shape<<<2, (1+1)*2>>>(o); launch shape<<<1, (4, 5, 1)>>>(o)"
json_is 3:.result.note \
    'in a .cu file, write <<<dim3(2,3), dim3(4,5)>>>; C++ reads (2,3) as 3' \
    '(X,Y): a note says that CUDA differs, once a launch'
json_is 3:.command 'launch shape<<<(2,3), (4,5)>>>(o)' 'JSON has the command as it was typed'
json_absent 4:.result.note 'dim3(X,Y) and {X,Y}: none'
json_absent 5:.result.note 'a sum in parentheses: none'
json_like 6:.result.note 'write <<<1, dim3.4,5,1.>>>; C.. reads .4, 5, 1. as 1$' \
    'a block (X,Y,Z): a note'
say "$shapes; launch shape<<<(2,3), (4,5)>>>(o); counters"
out_like 'note +in a .cu file, write <<<dim3\(2,3\), dim3\(4,5\)>>>' 'and on the screen'
out_like '^shape<<<dim3\(2,3\), dim3\(4,5\)>>>\(o\) ' 'the head: the launch as a .cu file has it'
out_like '^shape<<<dim3\(2,3\), dim3\(4,5\)>>>: its lines' 'the head of counters, likewise'
# shown TYPED HEAD
shown() {
    say "$shapes; launch shape<<<$1>>>(o)"
    out_has "shape<<<$2>>>(o) " "<<<$1>>> is shown as <<<$2>>>"
}
shown '2x3, 4x5x2, 64' 'dim3(2,3), dim3(4,5,2), 64'
shown '{2,3} , 32' 'dim3(2,3) , 32'
shown '(7+255)/256, 32' '(7+255)/256, 32'
shown 'dim3( 2, 3 ),dim3(4)' 'dim3(2,3),dim3(4)'
shown '1K, 2^5, 1<<4' '1024, 32, 16'
shown '0x10, 010' '16, 10'
gives "$shapes; launch shape<<<2x3, 4x5X2, 64>>>(o); print o" '[2,3,1,4,5,2,64]' 'XxYxZ'
gives "$shapes; launch shape<<<0x10, 0x2x3>>>(o); print o" '[16,1,1,2,3,1,0]' '0x10 is one number'
gives "$shapes; launch shape<<<1<<1 x 3, (1+1)x2x1>>>(o); print o" '[2,3,1,2,2,1,0]' \
    'sums with an x'
say_json "$shapes; launch shape<<<2x3, 4>>>(o)"
json_absent 3:.result.note '2x3: no note'
for wrong in '1x2x3x4, 1' '2x, 1' 'x2, 1' '2xx3, 1' '1, 4, 2x3' '(2x3), 1' 'dim3(2x3), 1' \
    '2x-3, 1'; do
    say "$shapes; launch shape<<<$wrong>>>(o)"
    err_like 'three sizes|number is missing|below 0|is missing in|not expected' "<<<$wrong>>>"
done
gives "$shapes; launch shape<<<1,(2,2),1K>>>(o); print o" '[1,1,1,2,2,1,1024]' 'mixed; 1K'
# A guard that is false for all lanes is no idle lane: they all were active.
cat >guard.cu <<'END'
__global__ void guard(int *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        o[i] = i * 3 + 1;
}
END
say 'load guard.cu; array o i32 512 zero; launch guard<<<2,256>>>(o, 512); counters'
out_like 'by warps, 100 % of the lanes busy' 'all lanes work: 100 % are busy'
is "$(grep -c 'lanes busy' "$out")" 2 'and no line of it says less'
say 'load guard.cu; array o i32 512 zero; launch guard<<<1,16>>>(o, 512)'
out_like 'by warps, 100 % of the lanes busy' 'half a warp: lanes without a thread are not idle'
out_has '16 of the 32 lanes of each block'\''s last warp have no thread' 'and that is said apart'
# There are 10 instructions and 20 threads. 5 lanes execute all 10, and 15 lanes execute 6: 140 of
# 200. The other 12 lanes have no thread.
cat >lanes.ptx <<'END'
.version 6.4
.target sm_30
.address_size 64
.visible .entry part(.param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra END;
    add.u32 %r3, %r2, %r1;
    add.u32 %r4, %r3, %r1;
    add.u32 %r5, %r4, %r1;
    add.u32 %r6, %r5, %r1;
END:
    mov.u32 %r7, 1;
    ret;
}
END
say 'load lanes.ptx; launch part<<<3,20>>>(5)'
out_like '30 by warps, 70 % of the lanes busy' '5 of 20 lanes take a branch: 70 %'
say 'load lanes.ptx; launch part<<<3,20>>>(20)'
out_like '30 by warps, 100 % of the lanes busy' 'all lanes take it: 100 %'
say 'load lanes.ptx; launch part<<<3,20>>>(0)'
out_like '18 by warps, 100 % of the lanes busy' 'no lane takes it: it costs nothing'
say 'load lanes.ptx; launch part<<<2,40>>>(33)'
out_like '40 by warps, 93 % of the lanes busy' 'full and part of a warp: 744 of 800, 24 lanes absent'
gives "$shapes; launch   shape <<< 2 , 3 >>> ( o ) ; print o" '[2,1,1,3,1,1,0]' 'blanks anywhere'
say_json "$shapes; launch shape<<<(2,3), 64, 16>>>(o)"
json_is 3:.command 'launch shape<<<(2,3), 64, 16>>>(o)' 'the command as written'
json_is 3:.kernel shape 'JSON: kernel'
json_is 3:.grid '[2,3,1]' 'JSON: grid'
json_is 3:.block '[64,1,1]' 'JSON: block'
json_is 3:.shared_bytes 16 'JSON: shared_bytes'
for bad in '<<<1>>>(o)' '<<<1,1,1,1,1>>>(o)' '<<<1,-1>>>(o)' \
    '<<<1.5,1>>>(o)' '<<<(1,2,3,4),1>>>(o)' '<<<1,1>>>' '<<<1,1>>>o' '(o)' \
    '<<<1,1>>>(o) o' '<<<1,1>>>(o,)' '<<<1,1>>>()' '<<<1,1>>>(o, 1)' '<<<x,1>>>(o)'; do
    say_json "$shapes; launch shape$bad; print o"
    json_is 3:.status error "launch shape$bad is an error"
    json_is 4:.result.values '[0,0,0,0,0,0,0]' "launch shape$bad: nothing ran"
done
for none in 0,1 1,0 '(1,0),1' '1,(1,1,0)'; do
    say_json "$shapes; launch shape<<<$none>>>(o); print o"
    json_is '3:.faults[0].kind' bad-launch "<<<$none>>>: bad-launch"
    json_is 4:.result.values '[0,0,0,0,0,0,0]' "<<<$none>>>: nothing ran"
done
say "$shapes; launch shape<<<1,1>>>(o"
status_is 1 'a ( that is not closed: status 1'
err_has 'not closed' 'a ( that is not closed'
# "Dynamic shared memory over 48 KB is opted in up to the device's limit."
shapes="$shapes; launch"
gives "$shapes ends<<<1,1,48K>>>(o,12288); print o[0]" '[34]' '48 KB'
gives "$shapes ends<<<1,1,49156>>>(o,12289); print o[0]" '[34]' '48 KB and 4 bytes'
gives "$shapes ends<<<1,1,227K>>>(o,58112); print o[0]" '[34]' 'the limit of an h100, 227 KB'
say_json "$shapes ends<<<1,1,232449>>>(o,1); print o[0]"
json_is 3:.status fault 'beyond it: a fault'
json_is '3:.faults[0].kind' bad-launch 'beyond it: bad-launch'
json_like '3:.faults[0].message' '232,?448' 'beyond it: says the limit'
json_is 4:.result.values '[0]' 'beyond it: nothing ran'
status_is 1 'beyond it: status 1'
say_json "$shapes ends<<<1,1,65540>>>(o,1)" --device sim:t4
json_is '3:.faults[0].kind' bad-launch 'the limit is the device'\''s: 64 KB on a t4'

# "`launch` waits for the kernel, ... prints its printf lines (in order of block and thread)"
for schedule in lockstep independent random; do
    say_json "set schedule $schedule; load shape.cu; launch hello<<<3,40>>>()"
    json_is 3:.output.# 120 "$schedule: every line"
    json 3:.output | tr -d '[]"' | tr ',' '\n' >got
    for b in 0 1 2; do for t in $(seq 0 39); do echo "b$b t$t"; done; done >wanted
    ok "$schedule: in order of block and thread" cmp -s got wanted
done
say 'load shape.cu; launch hello<<<1,2>>>()'
out_like '^b0 t0$' 'its lines on the screen as well'
# "its counters and its findings"
say_json 'load shape.cu; launch hello<<<1,2>>>()'
json_like 2:.counters.warp_instructions '^[1-9]' 'its counters'
json_is 2:.faults '[]' 'no findings: an empty list'

# "A kernel that uses grid synchronisation is launched cooperatively by itself."
if test $toolkit = yes; then
    gives 'set time-limit 600; load sync.cu; array i i32 5 zero; array o i32 5 zero
launch neighbours<<<5,1>>>(i, o); print o' '[10,20,30,40,0]' 'grid sync'
    say_json 'load sync.cu; arrays'
    json_is 2:.result.arrays '[]' "the names of the toolkit's headers stay hidden"
else
    skip 'needs the toolkit' 'grid sync'
fi

# ---- "ARGS" -------------------------------------------------------------------------------

# takes KERNEL TYPE ARGUMENT WANTED: out[0] is that
takes() {
    gives "load types.cu; array o $2 3 zero; launch $1<<<1,1>>>(o, $3); print o[0]" "[$4]" \
        "$1($3)"
}
# wrong KERNEL TYPE ARGUMENT: "or are an error"
wrong() {
    say_json "load types.cu; array o $2 3 zero; launch $1<<<1,1>>>(o, $3); print o[0]"
    json_is 3:.status error "$1($3) is an error"
    json_is 4:.result.values '[0]' "$1($3): nothing ran"
}
takes of_bool i32 1 100
takes of_bool i32 0 200
wrong of_bool i32 2
takes of_char i8 -128 -128
wrong of_char i8 128
takes of_uchar u8 255 255
wrong of_uchar u8 256
wrong of_uchar u8 -1
takes of_short i16 -32768 -32768
wrong of_short i16 32768
takes of_ushort u16 0xffff 65535
wrong of_ushort u16 65536
takes of_int i32 -2147483648 -2147483648
takes of_int i32 1e3 1000
takes of_int i32 2^20 1048576
wrong of_int i32 2147483648
wrong of_int i32 1.5
wrong of_int i32 1e-1
wrong of_int i32 nan
wrong of_int i32 null
wrong of_int i32 o
wrong of_int i32 nosuch
takes of_uint u32 4294967295 4294967295
wrong of_uint u32 4294967296
wrong of_uint u32 -1
takes of_long i64 -9223372036854775808 -9223372036854775808
takes of_llong i64 9223372036854775807 9223372036854775807
wrong of_llong i64 9223372036854775808
takes of_ullong u64 18446744073709551615 18446744073709551615
takes of_ullong u64 2^63 9223372036854775808
wrong of_ullong u64 18446744073709551616
takes of_size u64 1K 1024
takes of_half f32 0.5 0.5
takes of_half f32 65504 65504
wrong of_half f32 65520
takes of_float f32 0.1 0.1
takes of_float f32 -.5 -0.5
takes of_float f32 -1e3 -1000
takes of_float f32 16777216 16777216
takes of_float f32 nan '"nan"'
takes of_float f32 -inf '"-inf"'
wrong of_float f32 1e39
takes of_double f64 0.1 0.1
takes of_double f64 1e308 1e308
wrong of_double f64 1e309
# "`bytes:HEX` of the parameter's size for a struct"
struct='load types.cu; array o f32 3 zero; launch of_struct<<<1,1>>>(o,'
gives "$struct bytes:070000000000204009aaaaaa); print o" '[7,2.5,9]' 'a struct by its bytes'
gives "$struct bytes:070000000000204009AAAAAA); print o" '[7,2.5,9]' 'in capitals'
refused "$struct bytes:0700000000002040)" '12' 'too few bytes: says how many'
refused "$struct bytes:070000000000204009aaaaaa00)" '12' 'too many bytes'
refused "$struct bytes:07000000000020400gaaaaaa)" 'bytes:' 'no hex digit'
refused "$struct bytes:070)" 'bytes:|hex|12' 'half a byte'
refused "$struct 7)" 'bytes:' 'a number for a struct'
gives "$struct {7, 2.5, 9}); print o" '[7,2.5,9]' 'a struct by its fields'
refused "$struct {7, 2.5})" 'has 3 fields' 'a field is missing'
refused "$struct {7, 2.5, 9, 1})" 'has 3 fields' 'one field too many'
refused "$struct {7, , 9})" 'empty' 'an empty field'
refused "$struct {7, 2.5, 9} 1)" 'must end with' 'something behind the fields'
refused "$struct {7.5, 2.5, 9})" 'whole number' 'a fraction for a whole field'
cat >fields.cu <<'END'
#include <stdint.h>
struct Pair { short a; double b; };
struct All {
    bool yes; char c; Pair pair[2]; float4 v; const float *in; uint8_t *none; int64_t n[2][2];
};
__global__ void fields(All s, dim3 d, double *out)
{
    double all[] = {double(s.yes), double(s.c), double(s.pair[0].a), s.pair[0].b,
                    double(s.pair[1].a), s.pair[1].b, s.v.x, s.v.w, s.in[0],
                    double(s.none == nullptr), double(s.n[0][1]), double(s.n[1][0]), double(d.y)};
    for (int i = 0; i < 13; i++)
        out[i] = all[i];
}
END
fields='load fields.cu; array x f32 4 iota; array o f64 13; launch fields<<<1,1>>>('
all="true, 'A', {{1, 2.5}, {-3, 4}}, {5, 6, 7, 8}, x+2, null"
gives "$fields{$all, {{9, 10}, {11, 12}}}, {1, 2, 3}, o); print o" \
    '[1,65,1,2.5,-3,4,5,8,2,1,10,11,2]' 'structs, arrays, vectors and pointers in a struct'
refused "$fields{$all, {{9, 10}, {11}}}, {1, 2, 3}, o)" 'has 2 fields' 'an array in it lacks one'
refused "$fields{$all, 9}, {1, 2, 3}, o)" 'its 2 fields' 'a number for an array in it'
refused "$fields 7, {1, 2, 3}, o)" 'write .yes, c, pair, v, in, none, n., its 7 fields' \
    'a number for the struct: the fields are named'
cat >struct.ptx <<'END'
.version 6.4
.target sm_30
.address_size 64
.visible .entry _Z1k4Pair(.param .align 8 .b8 s[16])
{
    ret;
}
END
refused 'load struct.ptx; launch k<<<1,1>>>({1, 2})' 'The file is PTX, which names no fields' \
    'PTX has no fields'
refused "$fields{$all, {{9, 10}, {11, 12}}}, {1, 2}, o)" 'has 3 fields' 'dim3 has three'
refused "$fields{$all, {{9, 10}, {11, 1e30}}}, {1, 2, 3}, o)" \
    'field .n.1..1..,' 'names the field'
# "an array, `NAME+ELEMENTS`, `null`, or for a pointer also a plain integer"
offset='load types.cu; array o i32 1 zero; array x i32 4 list:5,6,7,8'
gives "$offset; launch of_offset<<<1,1>>>(o, x); print o" '[5]' 'an array'
gives "$offset; launch of_offset<<<1,1>>>(o, x+3); print o" '[8]' 'NAME+ELEMENTS counts elements'
gives "$offset; launch of_offset<<<1,1>>>(o, x + 2); print o" '[7]' 'with blanks'
refused "$offset; launch of_offset<<<1,1>>>(o, x+1.5)" '1\.5' 'half an element'
refused "$offset; launch of_offset<<<1,1>>>(o, y)" 'y' 'an array that is not there'
pointer='load types.cu; array o u64 1 value:1'
gives "$pointer; launch of_pointer<<<1,1>>>(o, null); print o" '[0]' 'null'
gives "$pointer; launch of_pointer<<<1,1>>>(o, 0x1234); print o" '[4660]' 'an address'
gives "$pointer; launch of_pointer<<<1,1>>>(o, 18446744073709551615); print o" \
    '[18446744073709551615]' 'the highest address'
refused "$pointer; launch of_pointer<<<1,1>>>(o, 1.5)" '1\.5' 'no integer for a pointer'
refused "$pointer; launch of_pointer<<<1,1>>>(o, -1)" '-1' 'no negative address'
say_json 'load types.cu; launch of_nothing<<<1,1>>>(); launch of_nothing<<<1,1>>>(1)'
json_is 2:.status ok 'no arguments'
json_is 3:.status error 'one too many'

# ---- "A module's __device__ and __constant__ variables are arrays" ------------------------

say_json 'load names.cu; arrays; print counter; print grid; print bytes; print pi; print far
print ns::deep; print pairs; print pairs as f64; fill counter value:41; array o i32 2
launch c_name<<<1,1>>>(o, 0); print counter; print o[0]; print where'
json_is 3:.result.type i32 'int'
json_is 3:.result.values '[5]' 'its first value'
json_is 4:.result.type f32 'float[2][3]'
json_is 4:.result.count 6 'six of them'
json_is 5:.result.type u8 'unsigned char in __constant__'
json_is 5:.result.values '[1,2,254,255]' 'its values'
json_is 6:.result.type f64 'double in __constant__'
json_is 6:.result.values '[3.25]' 'its value'
json_is 7:.result.type i64 'long long'
json_is 7:.result.values '[-9223372036854775808]' 'the least of all, exact'
json_is 8:.result.name ns::deep 'a name in a namespace'
json_is 8:.result.type i16 'short'
json_is 8:.result.values '[-7,7]' 'its values'
# "with the declared type where it can be known, else u8 (`print NAME as f32`)"
json_is 9:.result.type u8 'an array of struct: u8'
json_is 9:.result.count 32 'all its bytes'
json_is 10:.result.type f64 'print NAME as f64'
json_is 10:.result.count 4 'which counts in those'
json_is 13:.status ok 'a kernel sees what fill wrote'
json_is 14:.result.values '[42]' 'and print what a kernel wrote'
json_is 15:.result.values '[298]' 'it computed with that'
json_like 16:.result.type '^u(8|64)$' 'a pointer'
# "compiler-made names stay hidden"
is "$(json 2:.result.arrays.#)" 8 'eight variables, none made by the compiler'
echo '__device__ int *hold; __global__ void k(int *o) { static int calls; __shared__ int s[9];
const char *t = "text"; s[0] = t[o[0]]; o[0] = s[0] + ++calls; }' >made.cu
say_json 'load made.cu; arrays'
json_is 2:.result.arrays.# 1 'strings, statics and shared variables stay hidden'
say_json 'load plain.ptx; print level; print plane; print plane as f32'
json_is 2:.result.type u32 'PTX: .u32'
json_is 4:.result.values '[1,2]' 'PTX: .b8, as f32'
calls='load templates.cu; array o i32 2 zero'
gives "$calls; print of_type<int>" '[-3]' 'a variable of a template, with its type'
gives "$calls; launch k<<<1,1>>>(o); print of_type<double>" '[2.5]' 'another of it'
gives "$calls; print table<short,2> as i16" '[1,2]' 'a template of two parameters'
gives "$calls; launch k<<<1,1>>>(o); print 'ns::deep<unsigned int>'" '[8]' 'one in a namespace'
for null in null nullptr NULL 0; do
    gives "$calls; launch call<<<1,1>>>($null, o); print o[0]" '[77]' "$null for a function"
done
refused "$calls; launch call<<<1,1>>>(5, o)" 'a pointer to no function \(0x5\)' '5 for a function'

gives 'load names.cu; load names.cu; print counter' '[5]' 'a second load: as new'

fi

# ---- "array NAME TYPE COUNT [FILL]", "fill", "print", "save", "free", "arrays" ------------

for type in i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64 int float double; do
    gives "array x $type 3 iota; print x" '[0,1,2]' "array of $type"
done
# "`array` on an existing NAME replaces it"
gives 'array x i32 2 iota; array x f32 3 value:1.5; print x' '[1.5,1.5,1.5]' 'it replaces'
# "Without FILL the bytes are zero"
gives 'array x u8 3; print x' '[0,0,0]' 'no fill: zero'
# "`list:` shorter than COUNT repeats, longer is an error"
gives 'array x i32 5 list:1,2; print x' '[1,2,1,2,1]' 'a short list repeats'
refused 'array x i32 2 list:1,2,3' '3.*2' 'a long list'
# "`iota` wraps"
gives 'array x u8 258 iota; print x[255..257]' '[255,0,1]' 'iota wraps in u8'
gives 'array x i8 130 iota; print x[127..129]' '[127,-128,-127]' 'iota wraps in i8'
# "a value out of range is an error"
for bad in 'u8 1 value:256' 'i8 1 value:-129' 'u32 1 value:-1' 'i32 1 list:1.5' 'f32 1 value:1e39' \
    'u64 1 value:2^64' 'i64 1 value:2^63' 'f16 1 value:1e5' 'i32 1 value:nan'; do
    say_json "array x $bad"
    json_is .status error "array x $bad is an error"
done
gives 'array x u64 2 list:2^63,18446744073709551615; print x' \
    '[9223372036854775808,18446744073709551615]' '64 bits, exact'
# "`file:` must have exactly the bytes"; "raw, little endian"
printf '\001\002\003\004\005\006\007\010' >eight.raw
gives 'array x u16 4 file:eight.raw; print x' '[513,1027,1541,2055]' 'file: is little endian'
refused 'array x u16 3 file:eight.raw' '8.*6|6.*8' 'a file too long'
refused 'array x u32 3 file:eight.raw' '8.*12|12.*8' 'a file too short'
refused 'array x u32 2 file:nosuch.raw' 'No such file' 'no file'
# "`save` writes raw little endian (.npy if the name ends so), atomically"
say 'array x u32 2 list:1,0x01020304; save x saved.raw; save x saved.npy'
is "$(od -An -tx1 saved.raw | tr -d ' \n')" 0100000004030201 'save: raw, little endian'
is "$(head -c 6 saved.npy | od -An -tx1 | tr -d ' \n')" 934e554d5059 'save: .npy'
is "$(tail -c 8 saved.npy | od -An -tx1 | tr -d ' \n')" 0100000004030201 'save: .npy has the bytes'
is "$(echo .*saved* *saved*)" ".*saved* saved.npy saved.raw" 'save: no other file is left'
say 'array x u32 2; save x nosuch/y.raw'
status_is 1 'save where nothing can be written'
# "`random` is Philox ... floats in [LO,HI), default 0:1; integers LO..HI inclusive, default 0:99"
say_json 'array x f32 1000 random; print x; array x i32 1000 random; print x
array x i8 1000 random:-2:2; print x; array x f64 1000 random:5:6; print x'
between() { # between LINE LO HI NAME: all, and the values reach into both end quarters
    json "$1:.result.values" | tr -d '[]' | tr ',' '\n' | awk -v lo="$2" -v hi="$3" '
        $1 < lo || $1 > hi { exit bad = 1 } { n++ }
        $1 < lo + (hi - lo) / 4 { low = 1 } $1 > hi - (hi - lo) / 4 { high = 1 }
        END { exit bad || n != 1000 || !low || !high }'
    verdict $? "$4"
}
between 2 0 0.99999994 'random f32: in [0,1)'
between 4 0 99 'random i32: 0 to 99'
between 6 -2 2 'random i8: -2 to 2'
between 8 5 5.9999999999999992 'random f64: in [5,6)'
json 6:.result.values | tr -d '[]' | tr ',' '\n' | sort -nu | tr '\n' ' ' >got
is "$(cat got)" '-2 -1 0 1 2 ' 'random: both ends are included'
# "key (seed, 0), counter = element index"
say_json 'array x i32 8 random; array y i32 8 zero; fill y[4..7] random; print x[4..7]
print y[4..7]'
is "$(json 4:.result.values)" "$(json 5:.result.values)" 'random: by the index of the element'
say_json 'array x i32 8 random; print x' --seed 1
one=$(json 2:.result.values)
say_json 'array x i32 8 random; print x' --seed 2
ok 'random: another seed, other numbers' test "$one" != "$(json 2:.result.values)"
# "[LO..HI] includes HI"
gives 'array x i32 9 iota; print x[2..4]' '[2,3,4]' '[LO..HI] includes HI'
gives 'array x i32 4 zero; fill x[1..2] value:3; print x' '[0,3,3,0]' 'in fill too'
refused 'array x i32 9; print x[2..9]' '8|9' 'HI beyond the end'
say_json 'array x i32 9 iota; print x[2..4]'
json_is 2:.result.name x 'print: name'
json_is 2:.result.type i32 'print: type'
json_is 2:.result.count 9 'print: count'
json_is 2:.result.lo 2 'print: lo'
json_is 2:.result.hi 4 'print: hi'
refused 'array x i32 2; free x; print x' 'x' 'free NAME'
say_json 'array x i32 2; array y f64 3; arrays; free x; arrays'
json_is '3:.result.arrays[0].name' x 'arrays: the first'
json_is '3:.result.arrays[1].type' f64 'arrays: the second'
json_is 5:.result.arrays.# 1 'arrays: without the freed one'

# ---- "Numbers and options at the prompt" --------------------------------------------------

# "-3, -.5, -1e3 are numbers, never options"
gives 'array x f32 3 list:-3,-.5,-1e3; print x' '[-3,-0.5,-1000]' 'negative numbers in a list'
gives 'array x i32 1 value:-3; print x' '[-3]' 'after value:'
# "Sizes: 1048576, 1e6, 2^20, 1<<20, 1K 1M 1G (powers of 1024), hex"
for pair in 1048576:1048576 1e6:1000000 2^20:1048576 '1<<20:1048576' 1K:1024 1M:1048576 \
    0x400:1024; do
    say_json "array x u8 ${pair%:*}"
    json_is .result.count "${pair##*:}" "a size of ${pair%:*}"
done
say_json 'set step-limit 1G' # an array would ask for memory that other tests may have
json_is .result.value 1073741824 'a size of 1G'
# "the value understood is printed"
say 'array x u8 1<<20'
out_has '1,048,576' 'the value understood is printed'
# "A misspelt command, option or value is never run: the nearest ones are offered."
refused 'aray x f32 4' 'did you mean array' 'a misspelt command'
refused 'array x flot 4' 'did you mean float' 'a misspelt type'
refused 'array x f32 4 zreo' 'did you mean zero' 'a misspelt fill'
refused 'array x f32 4; print x --al' 'did you mean --all' 'a misspelt option'
refused 'set schedule lockstp' 'did you mean lockstep' 'a misspelt value'
# "Options may stand anywhere outside parentheses."
if test -n "$compilers"; then
    for at in 'launch --counters hello<<<1,1>>>()' 'launch hello<<<1,1>>>() --counters' \
        'launch --counters hello <<<1,1>>> ()'; do
        say "load shape.cu; $at"
        status_is 0 "$at"
    done
    gives 'load types.cu; array o i32 1; launch of_int<<<1,1>>>(o, -3) --counters; print o' '[-3]' \
        'a negative argument and an option'
fi
gives 'array x i32 4 iota; print --columns 2 x' '[0,1,2,3]' 'an option before the operand'

done_testing
