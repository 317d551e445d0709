# SPDX-License-Identifier: GPL-3.0-or-later
#
# fatbin: entries and choices of files that nvcc 13 made of tests/data/fat.cu, of what cudalab has
# loaded, and of a program that is built here, where nvcc is. The reader itself, on broken files
# too, is tested by tests/unit/fatbin.c.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

data=$top_srcdir/tests/data
cp "$data/fat.o" "$data/fat.fatbin" "$data/packed.fatbin" "$tmp"
cd "$tmp" || exit 99

say 'fatbin fat.o' --device sim:rtx4060-laptop
status_is 0 'an object'
out_has 'fat.o: an object for x86-64, 1 fat binary, 3 entries' 'what it is'
out_has 'rtx4060-laptop (8.9) takes cubin for sm_86, entry 2' 'what this device takes, first'
out_like '^ +1 +1 +cubin +sm_75 +3,112 +as it is +scale$' 'a cubin, with its kernel'
out_like '^ +3 +1 +PTX +compute_80 +668 +352 by zstd +scale$' 'packed PTX, with its kernel'
out_like '^  h100 +9[.]0  PTX for compute_80, entry 3, compiled by the driver$' \
    'who has it compiled'
out_like '^  titanx +5[.]2  nothing: no kernel image$' 'who takes nothing'
out_has 'rtx4060-laptop has compute capability 8.9. It uses' 'why'
say 'fatbin fat.o' --device sim:a100
out_has 'a100 has compute capability 8.0, and no cubin fits it' 'a higher minor number is no use'
out_has 'code=sm_80' 'and what would be'
say 'fatbin fat.o' --device sim:gtx970
out_has 'cudaErrorNoKernelImageForDevice' 'what a launch would say'
say 'fatbin fat.o --archs 75,8.6,sm_89,compute_90,t4'
out_like '^  t4 +7[.]5  cubin for sm_75' 'a card by its name'
out_like '^  sm_75 +7[.]5  cubin' 'and what else stands for one'
out_lacks h100 'no others'
say 'fatbin fat.fatbin --archs 90,103,86'
out_like '^  sm_90 +9[.]0  cubin for sm_90a' 'code for one device alone'
out_like '^  sm_103 +10[.]3  cubin for sm_100f' 'for a family'
out_like '^  sm_86 +8[.]6  nothing' 'and for no others'
say 'fatbin packed.fatbin'
out_like '445 by lz4 +scale$' 'as nvcc 12 packed it'
say 'set width 60; fatbin packed.fatbin; fatbin fat.o; fatbin trap'
is "$(awk 'length > 60' "$out")" '' 'within 60 columns'
say 'set plain on; fatbin fat.o'
out_like 'entry 1: fat binary is 1, kind is cubin, for sm_75' 'read aloud, row by row'

say_json 'fatbin fat.o --archs 80,89,52'
json_is .result.fatbins 1 'JSON: fat binaries'
json_is .result.entries.# 3 'JSON: entries'
json_is '.result.entries[2].kind' ptx 'JSON: kind'
json_is '.result.entries[2].arch' 80 'JSON: for what'
json_is '.result.entries[2].bytes' 668 'JSON: bytes'
json_is '.result.entries[2].stored_bytes' 352 'JSON: as stored'
json_is '.result.entries[2].compressed' true 'JSON: packed'
json_is '.result.entries[2].kernels[0]' scale 'JSON: the kernel of packed PTX'
json_is '.result.entries[0].kernels[0]' scale 'JSON: a kernel'
json_is '.result.entries[0].compressed' false 'JSON: not packed'
json_is '.result.devices[0].takes' ptx 'JSON: PTX for 8.0'
json_is '.result.devices[1].takes' cubin 'JSON: a cubin for 8.9'
json_is '.result.devices[1].entry' 2 'JSON: which'
json_is '.result.devices[2].takes' none 'JSON: none for 5.2'
json_is .result.ok true 'JSON: the file is whole'

# ---- what is loaded -----------------------------------------------------------------------

say 'fatbin trap_shuffle'
status_is 0 "a lab's kernel"
out_has 'trap.ptx: PTX' 'is PTX'
out_like 'cudalab has its kernels only as PTX' 'and nothing else'
say_json "fatbin trap --archs 52,90"
json_like '.result.entries[0].kernels' trap_shuffle 'JSON: its kernels'
json_is '.result.devices[0].takes' none 'an older card can have none of it'
json_is '.result.devices[1].takes' ptx 'a newer one compiles it'
say "load $data/reading.ptx; fatbin total"
out_has 'reading.ptx: PTX' "a student's own"
out_has 'ov(float*)' 'its kernels'

# ---- what can't be ------------------------------------------------------------------------

refused() { # refused COMMAND WORDS
    say "$1"
    status_is 1 "$1"
    err_has "$2" "$1: $2"
}
head -c 5000 fat.o >cut.o
head -c 900 fat.fatbin >cut.fatbin
printf 'int main(void) { return 0; }\n' >none.cu
: >empty
refused 'fatbin nosuch.o' 'No such file'
refused 'fatbin help' 'help has no kernel'
refused 'fatbin cut.o' 'whose sections can'
refused 'fatbin none.cu' 'not a program, object, cubin'
refused 'fatbin empty' 'not a program, object, cubin'
refused "fatbin $tmp" 'directory'
case $(configured ADDRESS_BITS) in
32) refused "fatbin $CUDALAB" 'not of 64 bits' ;;
*) refused "fatbin $CUDALAB" 'without a section .nv_fatbin' ;;
esac
refused 'fatbin fat.o --archs 75,abc' '`abc` is neither a compute capability'
refused 'fatbin fat.o --archs 0' '`0` is neither a compute capability'
refused 'fatbin fat.o --archs -75' '`-75` is neither a compute capability'
refused 'fatbin fat.o --archs 75,,86' 'is neither a compute capability'
refused 'fatbin fat.o --archs 99999' '`99999` is neither a compute capability'
refused 'fatbin' 'FILE is missing'
refused 'fatbin cut.fatbin' 'is damaged'
say 'fatbin cut.fatbin'
cp packed.fatbin wrong.fatbin
printf '\377\377\377\377' | dd of=wrong.fatbin bs=1 seek=3272 conv=notrunc 2>"$err"
refused 'fatbin wrong.fatbin' "not read in full: entry 2 can't be unpacked: its LZ4 data"
out_like '445 by lz4 +[?]$' 'kernels of an entry that can not be unpacked'
out_like '1 +1 +cubin +sm_75 +3,112 +as it is +scale' 'the others are shown'
out_has 'h100 has compute capability 9.0' 'with what a device takes'
say_json 'fatbin wrong.fatbin'
json_is .result.ok false 'JSON: the file is not whole'
json_absent '.result.entries[1].kernels' 'JSON: kernels that are not known'
say 'set time-limit 1e-6; fatbin packed.fatbin'
err_has 'the time limit' 'unpacking has a time limit'
say "fatbin $tmp/fat.o" --safe
err_has '--safe' '--safe opens no file'
say "fatbin $tmp/fat.o" --safe --allow "$tmp/fat.o"
status_is 0 'but one that is allowed'
say 'complete "fatbin tr"'
is "$(tr '\n' ' ' <"$out")" 'transpose trap ' 'completion offers labs'
say 'complete "fatbin fat."'
is "$(tr '\n' ' ' <"$out")" 'fat.fatbin fat.o ' 'and files'

# ---- a program that is built here ---------------------------------------------------------

nvcc=$(sed -n 's/^KERNEL_CC = *//p' "$top_builddir/Makefile")
case $nvcc in *nvcc*) ;; *) nvcc= ;; esac
if test -z "$nvcc"; then
    skip 'no nvcc in this build' 'a program that is built here'
else
    printf '%s\n' '__global__ void one() { }' 'int main() { one<<<1, 1>>>(); }' >made.cu
    $nvcc -gencode arch=compute_75,code='[sm_75,compute_75]' -gencode arch=compute_80,code=sm_80 \
        -o made made.cu >"$err" 2>&1
    say_json 'fatbin made --archs 75,86,90'
    json_is .result.fatbins 2 'a program has one more of the linking'
    json_like .result.entries '"fatbin":1,.*"kernels":\[\]' 'without kernels'
    json_like .result.entries '"fatbin":2,"kind":"ptx","target":"compute_75"' 'PTX'
    json_is '.result.devices[1].takes' cubin 'a cubin for 7.5'
    json_is '.result.devices[3].takes' cubin 'that for 8.0 is for 8.6 as well'
    json_is '.result.devices[5].takes' ptx '9.0 has the PTX compiled'
    say 'fatbin made --archs 75,86,90'
    out_has 'a program for x86-64' 'it is a program'
    out_has 'come from the linking' 'which is said'
    say 'fatbin made --archs 75'
    out_like 'cubin +sm_75 .* one\(\)$' 'names stand there as in the source'
fi

done_testing
