# SPDX-License-Identifier: GPL-3.0-or-later
#
# Arrays at the prompt: array, fill, print, compare, save, free, arrays. What they promise is in
# help/array.txt and its neighbours; the parts in C are tested by tests/unit/arrays.c.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# values COMMANDS WANTED NAME: what the last command's JSON has as values
values() {
    say_json "$1"
    tail -n 1 "$out" | sed 's/.*"values":\(\[[^]]*\]\).*/\1/' >"$tmp/values"
    is "$(cat "$tmp/values")" "$2" "$3"
}

# ---- array --------------------------------------------------------------------------------

say 'array x f32 1e3'
status_is 0 'array'
out_has 'x: f32, 1,000 elements, 4,000 bytes' 'the size understood is printed'
for size in 1024 0x400 2^10 '1<<10' 1K 1.024e3 32x32 4x16x16; do
    say_json "array x u8 $size"
    json_is .result.count 1024 "array of $size"
done
say_json 'array m f64 3x5; print m'
json_is 1:.result.name m 'its name'
json_is 1:.result.type f64 'its type'
json_is 1:.result.bytes 120 'its bytes'
json_is '1:.result.shape' '[3,5]' 'its shape'
json_is '2:.result.shape' '[3,5]' 'which print tells too'
for pair in int:i32 float:f32 double:f64 char:i8 short:i16 half:f16 __nv_bfloat16:bf16 bfloat16:bf16 size_t:u64 uint8_t:u8 \
    '"unsigned char":u8' '"long long":i64' '"unsigned":u32' bool:u8 f16:f16 u16:u16; do
    say_json "array x ${pair%:*} 4"
    json_is .result.type "${pair##*:}" "the type ${pair%:*}"
done
values 'array x i32 4; print x' '[0,0,0,0]' 'without a fill it reads as zeros'
values 'array x i32 4 iota; array x f32 2; print x' '[0,0]' 'a second one replaces it'
values 'array x i32 2 value:7; array x u8 3 list:1,2,256; print x' '[7,7]' \
    'a wrong fill leaves the first as it was'
if big_arrays; then
    say 'array big f32 2^28; print big[268435455]'
    status_is 0 '2^28 floats'
    out_like '268435455:  0$' 'of which the last can be printed'
else
    skip 'there are too few addresses' '2^28 floats'
fi
say 'array x f32 2^40'
status_is 1 'more than the device has'
err_like \
    'x would take 4,398,046,511,104 bytes, and the device has [0-9,]+. Arrays take 0' \
    'says how much that is, and how much there is'
values 'array x i32 3 iota; set device sim:a100; print x' '[0,1,2]' \
    'arrays go along to another device'

# ---- fill ---------------------------------------------------------------------------------

values 'array x i8 300 iota; print x[126..130]' '[126,127,-128,-127,-126]' 'iota wraps'
values 'array x u8 300 iota; print x[254..257]' '[254,255,0,1]' 'without a sign too'
values 'array x f16 2050 iota; print x[2047..2049]' '[2047,2048,2048]' 'in f16 it rounds'
values 'array x i32 5 list:1,-2,0x10; print x' '[1,-2,16,1,-2]' 'a short list repeats'
values 'array x i32 2 list:1e3,2^20; print x' '[1000,1048576]' 'numbers in every form'
values 'array x f32 4 value:0.1; print x' '[0.1,0.1,0.1,0.1]' 'value: the shortest text'
values 'array x f32 3 list:nan,inf,-inf; print x' '["nan","inf","-inf"]' 'no numbers are strings'
values 'array x u64 1 value:18446744073709551615; print x' '[18446744073709551615]' 'u64 exact'
values 'array x i64 1 value:-9223372036854775808; print x' '[-9223372036854775808]' 'i64 exact'
values 'array x i32 5 value:9; fill x[1..3] iota; print x' '[9,1,2,3,9]' \
    'a part: iota goes by the index in the array'
values 'array x i32 5 value:9; fill x[1..2] list:5; fill x[4] zero; print x' '[9,5,5,9,0]' \
    'a range includes both ends'
values 'array x f32 4 expr:2*i+1; print x' '[1,3,5,7]' 'expr: a formula of the index'
values 'array x i32 6 expr:i/2-1; print x' '[-1,-1,0,0,1,1]' 'integers: / as in C'
values 'array x f32 4 "expr: i / 2"; print x' '[0,0.5,1,1.5]' 'floats: / keeps the fraction'
values 'array x i32 6 expr:i%3; print x' '[0,1,2,0,1,2]' '% is the remainder'
values 'array x i64 2 expr:2^62-1+(2^62+i-1); print x' '[9223372036854775806,9223372036854775807]' \
    'exact to 64 bits'
values 'array x i32 2x3 expr:10*row+col; print x' '[0,1,2,10,11,12]' 'rows and columns'
values 'array x u8 2x2x2 expr:100*plane+10*row+col; print x' '[0,1,10,11,100,101,110,111]' \
    'planes'
values 'array x f64 2 expr:sin(pi*i/n); print x' '[0,1]' 'functions, and n'
values 'array x i32 5 value:9; fill x[1..3] expr:-i; print x' '[9,-1,-2,-3,9]' \
    'a part: by the index in the array'
values 'array x i32 5 iota; fill x expr:1000000000*i; print x' '[0,1,2,3,4]' \
    'what does not fit changes nothing'
# Other arrays in a formula.
values 'array x i32 4 iota; array y f32 4 expr:x[i]/2+1; print y' '[1,1.5,2,2.5]' 'the element of another array'
values 'array x i32 4 iota; array y i64 3 "expr:x * x [ i ]"; print y' '[0,1,4]' 'also by its name alone'
values 'array x i32 4 iota; fill x expr:x+1; print x' '[1,2,3,4]' 'of the same array, as it was before'
values 'array x i32 4 iota; array x f64 4 expr:x/2; print x' '[0,0.5,1,1.5]' 'also where it is replaced'
values 'array x i32 5 iota; fill x[3..4] expr:-x; print x' '[0,1,2,-3,-4]' 'a part: by the index in the array'
values 'array n i32 3 value:9; array y i32 3 expr:n; print y' '[3,3,3]' 'n is the number of elements in any case'
values 'array e f64 1 value:9; array y f64 1 expr:e; print y' '[2.718281828459045]' 'and e is the constant'
values 'array x u64 2 list:9223372036854775807,18446744073709551615; array y u64 1 expr:x-1; print y' \
    '[9223372036854775806]' 'exact to 64 bits'
while IFS='|' read -r formula why; do
    say "array x u64 2 list:1,18446744073709551615; array f f64 2 list:1e300,1; array y i64 3 $formula"
    status_is 1 "$formula"
    err_has "$why" "$why"
done <<'END'
expr:f*0+x|element 0 reads a float that does not fit into 64 bits
expr:x|element 1 reads a number above 2^63 - 1
expr:x[i+1]|column 2: only the element with the same index can be read: write [i]
expr:x[|only the element with the same index
expr:y[i]|no name y here
END
say 'array x f32 2 iota; array y f32 3 expr:x'
err_has 'element 2 reads x[2], and x has 2 elements' 'a shorter array'
say 'array x f32 3 iota; array y f32 3 expr:2*x; compare y expr:2*x[i]'
status_is 0 'compare takes such a formula'
say 'array x i32 6 expr:3*i; compare x expr:3*i; compare x[2..4] expr:3*i'
status_is 0 'compare takes a formula, also for a part'
say 'array x i32 6 expr:3*i; compare x expr:3*i+i/5'
status_is 1 'and says where it differs'
err_has 'first at [5]: 15 and 16' 'the first difference'
say_json 'sum -n 1000 --fill expr:i%7'
json_is .result.sum 2997 'a lab takes one too'
say 'sum -n 1000 --fill expr:row'
err_has 'the array has no rows and columns' 'but its array has no rows'
values 'array x f32 4 random; print x' '[0.89025915,0.67199826,0.24740142,0.7576265]' \
    'random is Philox, as help random tells'
values 'array x i32 10 random; print x' '[89,87,55,3,66,29,12,46,91,66]' 'whole numbers: 0 to 99'
values 'array x f64 2 random; print x' '[0.8946847163350924,0.8741119351871307]' 'f64: 53 bits'
values 'array x f32 4; fill x[2..3] random; print x' '[0,0,0.24740142,0.7576265]' \
    'a part gets what the whole would'
values 'array x i32 1000 random:3:3; print x[0..2]' '[3,3,3]' 'whole numbers include HI'
say_json 'set seed 2; array x f32 4 random; print x'
ok 'another seed gives others' test "$(json '3:.result.values[0]')" != 0.89025915
say_json 'array x u8 10000 random:1:6; print x --stats'
json_is 2:.result.statistics.min 1 'a die has a 1'
json_is 2:.result.statistics.max 6 'and a 6'
json_near 2:.result.statistics.mean 3.5 0.05 'and is fair'
say_json 'array x f32 100000 random:-2:3; print x --stats'
json_near 2:.result.statistics.mean 0.5 0.02 'floating point is spread evenly'

# ---- print --------------------------------------------------------------------------------

say_json 'array x i32 10 iota; print x[2..4]'
json_is 2:.result.name x 'print: name'
json_is 2:.result.type i32 'type'
json_is 2:.result.count 10 'count: of the whole array'
json_is 2:.result.lo 2 'lo'
json_is 2:.result.hi 4 'hi is included'
json_is 2:.result.values '[2,3,4]' 'values'
values 'array x i32 5 iota; print x[3]' '[3]' 'one element'
values 'array x i32 5 iota; print x[..1]' '[0,1]' 'an open start'
values 'array x i32 5 iota; print x[3..]' '[3,4]' 'an open end'
values 'array m i32 3x4 iota; print m[1][2]' '[6]' 'row and column'
values 'array m i32 3x4 iota; print m[2][1..2]' '[9,10]' 'a part of a row'
values 'array m i32 2x3x4 iota; print m[1][0][3]' '[15]' 'plane, row and column'
values 'array x f32 2 list:1,-2; print x as u32' '[1065353216,3221225472]' 'as another type'
values 'array x u32 2 list:1065353216,3; print x[0..1] as u8' '[0,0]' 'indices count that type'
values 'array x i32 2 iota; print x[1] as "unsigned int"' '[1]' 'as a C type'
say 'array x u8 7; print x as i32'
out_has '(3 bytes at the end left over)' 'bytes that make no element are told'
say 'array x bf16 4 list:0.1,1,-0,3.3895e38; print x --hex'
out_like '0: +0x3dcd +0x3f80 +0x8000 +0x7f7f$' 'bf16 is the upper half of a float, rounded'
say 'array x bf16 5 list:0.1,3.14159,257,259,9.2e-41; print x'
out_like '0: +0\.1 +3\.14 +256 +260 +9e-41$' 'bf16: ties to even, and the shortest text'
say 'array x f16 2 list:1,-0; print x --hex'
out_like '0x3c00 +0x8000' '--hex shows the bits'
say 'array x f16 3 list:0.1,65504,6e-8; print x'
out_like '0:    0\.1  65500   6e-8$' 'f16: the shortest text that reads back'
say_json 'array x i32 100000 iota; print x; print x --all'
json_is 2:.result.hi 65535 'JSON of a big array: the first 65536'
json_is '2:.result.values.#' 65536 'as many values as lo and hi say'
json_is 2:.result.statistics.max 99999 'and statistics of all'
json_is '3:.result.values.#' 100000 '--all gives all'
say_json 'array x f32 6 list:0,-1,nan,inf,-inf,5; print x --stats'
json_is 2:.result.statistics.nan 1 'NaN are counted'
json_is 2:.result.statistics.inf 2 'infinities too'
json_is 2:.result.statistics.zeros 1 'and zeros'
json_is 2:.result.statistics.min_index 4 'the least has its place'
json_is 2:.result.statistics.sum nan 'a sum with NaN is none'
json_absent 2:.result.values '--stats gives no values'
say_json 'array x i64 3 value:3074457345618258602; print x --stats'
json_is 2:.result.statistics.sum 9223372036854775806 'sums of whole numbers are exact'
say_json 'array x i8 3 list:-128,127,-1; print x --stats'
json_is 2:.result.statistics.sum -2 'with their signs'

# The screens, at 80 and at 72 columns.
printf 'array x i32 200 iota\nprint x\narray m f32 4x8 random:-1:1\nprint m\nprint m[1][2]\n' \
    >"$tmp/screens.lab"
printf 'array b f16 64x100 random\nprint b\narray t u8 2x2x3 iota\nprint t\n' >>"$tmp/screens.lab"
printf 'print t --shape 3x4\nprint x[0..9] --columns 5\ncompare x value:3\narrays\n' \
    >>"$tmp/screens.lab"
script --echo <"$tmp/screens.lab"
same_as golden/arrays.txt 'the screens'
ok 'they fit 80 columns' test "$(awk 'length > 80' "$out" | wc -l)" -eq 0
{
    echo 'set projector on'
    cat "$tmp/screens.lab"
} >"$tmp/projector.lab"
script --echo <"$tmp/projector.lab"
same_as golden/arrays-72.txt 'the screens of a lecture room'
ok 'they fit 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

# ---- compare ------------------------------------------------------------------------------

say 'array a f32 4 iota; array b f32 4 iota; compare a b'
status_is 0 'equal arrays'
out_has 'all 4 elements agree' 'agree'
say_json 'array a f32 4 iota; array b f32 4 iota; fill b[2] value:2.5; compare a b'
status_is 1 'a difference is a failed check'
json_is 4:.status error 'the command failed'
json_is 4:.result.ok false 'ok is false'
json_is 4:.result.differ 1 'how many differ'
json_is '4:.result.first[0].index' 2 'the first: where'
json_is '4:.result.first[0].a' 2 'its value here'
json_is '4:.result.first[0].b' 2.5 'and there'
json_is 4:.result.max_abs 0.5 'the largest error'
json_is 4:.result.max_rel 0.2 'relative to B'
err_has 'a and b differ in 1 of 4 elements, first at [2]: 2 and 2.5' 'stderr says it'
say 'array a f32 2 list:1,100; compare a value:100 --atol 99; compare a[1] value:101 --rtol 0.01'
status_is 0 'within a tolerance'
say 'array a f32 2 list:1,100; compare a value:100 --atol 98.9'
status_is 1 'beyond it'
say 'array a f32 1 value:nan; compare a a'
status_is 1 'NaN is not itself'
say 'array a f32 1 value:nan; compare a a --equal-nan'
status_is 0 'unless that is asked for'
say 'array a f32 1 value:inf; compare a a; compare a value:-inf --atol 1e9'
status_is 1 'infinities agree only with themselves'
err_has '1 of 1' 'which is the second command'
out_has 'all 1 elements agree' 'and not the first'
say 'array a i64 1 value:9007199254740993; compare a value:9007199254740992'
status_is 1 'whole numbers are compared exactly'
say 'array a i32 8 iota; compare a[0..3] a[4..7] --atol 4'
status_is 0 'parts of arrays'

# ---- files --------------------------------------------------------------------------------

cd "$tmp" || exit 99
say 'array x u16 3 list:1,2,0x4241; save x x.bin'
status_is 0 'save'
printf '\001\000\002\000\101\102' >want.bin
ok 'raw, little endian' cmp -s want.bin x.bin
values "array x u16 3 file:x.bin; print x" '[1,2,16961]' 'and back'
say 'array x i32 2x3 iota; save x x.npy'
printf "\223NUMPY\001\000\166\000{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }" \
    >want.npy
printf '%58s\n' '' >>want.npy
printf '\000\000\000\000\001\000\000\000\002\000\000\000' >>want.npy
printf '\003\000\000\000\004\000\000\000\005\000\000\000' >>want.npy
ok '.npy, byte for byte' cmp -s want.npy x.npy
values 'array y i32 2x3 file:x.npy; print y' '[0,1,2,3,4,5]' 'and back from .npy'
say 'array x i32 2x3 iota; compare x file:x.npy'
status_is 0 'compare with a file'
say 'array x f32 10 iota; save x[2..4] part.npy; array y f32 3 file:part.npy; compare y x[2..4]'
status_is 0 'save a part'
say 'array x f32 3 file:x.npy'
err_has '`x.npy` holds i32 and x f32' 'another type'
say 'array x i32 6 file:x.npy'
err_has '`x.npy` has the shape 2x3 and x 6' 'another shape'
say 'array x u8 5 file:x.bin'
err_has '`x.bin` has 6 bytes of data where x takes 5' 'another size'
head -c 150 x.npy >short.npy
say 'array x i32 2x3 file:short.npy'
err_has 'has 22 bytes of data where x takes 24' 'a .npy cut short'
printf 'no array' >no.npy
say 'array x u8 8 file:no.npy'
err_has 'as NumPy writes it' 'a .npy that is none'
sed 's/<i4/>i4/' x.npy >big.npy
say 'array x i32 2x3 file:big.npy'
err_has 'big endian' 'a .npy of another machine'
sed 's/False, /True,  /' x.npy >fortran.npy
say 'array x i32 2x3 file:fortran.npy'
err_has 'column by column' 'a .npy in Fortran order'
say 'array x i32 2; save x nowhere/x.bin; save x .; echo next'
status_is 1 'a file that can not be written'
err_has 'cannot write `nowhere/x.bin`' 'is named'
ok 'and nothing is left beside' test -z "$(ls -A | grep '^\.\.')"

say 'array x u8 6; save x y.bin' --safe
err_has '--safe allows no writing to files' '--safe: no save'
ok 'there is no such file' test ! -e y.bin
say 'array x u8 6 file:x.bin' --safe
err_has '--allow FILE' '--safe: no file: that was not allowed'
say 'array x u8 6 file:x.bin; print x' --safe --allow x.bin
status_is 0 'an allowed one is read'
say 'array x u8 256M; array y u8 268435457' --safe
err_has '-c:1: under --safe an array takes at most 256 MiB; y' '--safe: 256 MiB an array'
say 'array x u8 65537; print x --stats; print x; print x[1..] --columns 64; print x --all' --safe
err_like '^-c:1: under --safe a print shows at most 65536' '--safe: 65536 elements a print'
is "$(wc -l <"$err" | tr -d ' ')" 1 'which is more than the others wanted'
cd "$top_builddir" || exit 99

# ---- free, arrays -------------------------------------------------------------------------

say_json 'array x f32 4; array m i8 2x3; arrays; free x; arrays; free --all; arrays'
json_is '3:.result.arrays[0].name' x 'arrays: in the order they were made'
json_is '3:.result.arrays[1].shape' '[2,3]' 'with shapes'
json_is '3:.result.arrays[1].bytes' 6 'bytes'
json_is '3:.result.arrays[0].from' array 'and where they come from'
json_absent '3:.result.arrays[0].address' 'no addresses, which are volatile'
json_is '5:.result.arrays.#' 1 'free frees one'
json_is '7:.result.arrays.#' 0 'and --all the rest'
json_valid 'all of it is JSON'
say 'array x f32 4; set volatile on; arrays'
out_like 'x at 0x[0-9a-f]+$' 'set volatile on shows addresses'
say 'arrays'
out_has '`array NAME TYPE COUNT` makes one' 'none'
say 'array a u8 1; array b u8 1; free a b; arrays'
out_has 'no arrays' 'free takes several names'

# ---- wrong lines --------------------------------------------------------------------------

# refused COMMAND WORDS: an error with those words, and nothing has changed
refused() {
    say "array x i32 10 iota; array m f32 2x3; $1; compare x[5..9] x[5..9]; arrays"
    status_is 1 "$1: 1"
    err_has "$2" "$1: says what would be right"
    is "$(sed -n '3,$p' "$out" | awk '{ print $NF }' | tr '\n' ' ')" 'agree name x m ' \
        "$1: nothing has changed"
}
refused 'array' 'NAME is missing: usage is array NAME TYPE COUNT [FILL]'
refused 'array y' 'TYPE is missing'
refused 'array y' 'for example: array y float 1000'
refused 'array y f32' 'COUNT is missing'
refused 'array y f32' 'for example: array y f32 1000'
refused 'array y 997' '`997` is not a TYPE: write array y float 997'
refused 'print x 5:' 'print x[5..]'
refused 'print x 2..5' 'print x[2..5]'
refused 'print x 5' 'print x[5]'
refused 'print x[0] m' 'one array at a time: write print x[0]; print m'
refused 'array 3y f32 4' 'a name is letters, digits and _'
refused 'array y-z f32 4' 'a name is letters, digits and _'
refused 'array float f32 4' '`float` is a type'
refused 'array null f32 4' 'take another name'
refused 'array y flaot 4' 'there is no type `flaot`: did you mean float?'
refused 'array y f128 4' 'there is no type `f128`; take i8, u8, i16'
refused 'array y float4 4' 'did you mean float?'
refused 'array y unsigned int 4' 'needs quotes, as in array x "unsigned int" 8'
refused 'array y f32 0' 'at least 1'
refused 'array y f32 -4' 'at least 1'
refused 'array y f32 1.5' 'not a whole number'
refused 'array y f32 4x' 'is not a size'
refused 'array y f32 2x2x2x2' 'is not a size'
refused 'array y f32 2^70' 'too big'
refused 'array y f32 2^30x2^30' 'at most 2^48 elements'
refused 'array y f32 4 zero 5' 'one word too many'
refused 'fill x' 'FILL is missing'
refused 'fill y zero' 'there is no array `y`; the arrays are: x, m'
refused 'print nosuch' 'the arrays are: x, m'
refused 'fill x 5' 'did you mean value:5?'
refused 'fill x -5' 'did you mean value:-5?'
refused 'fill x 1,2' 'did you mean list:1,2?'
refused 'fill x vlaue:5' 'did you mean value?'
refused 'fill x ones' 'it is zero, iota, value:V'
refused 'fill x value:1.5' 'not a whole number'
refused 'fill x value:2147483648' 'i32 is a whole number from -2147483648 to 2147483647'
refused 'fill x value:nan' 'is not a number'
refused 'fill m value:1e39' 'too big for f32: at most 3.4028235e38'
refused 'fill m value:1e-50' 'too near to zero for f32'
refused 'array y f16 1 value:65520' 'f16 goes to 65504'
refused 'array y bf16 1 value:3.4e38' 'bf16 goes to 3.39e38'
refused 'array y bf16 1 value:1e-42' 'too near to zero for bf16'
refused 'array y u8 1 value:-1' 'u8 is a whole number from 0 to 255'
refused 'array y f16 65521 iota' 'f16 only to 65504'
refused 'fill x list:1,,2' 'numbers with commas between'
refused 'fill x list:' 'numbers with commas between'
refused 'fill m list:1,2,3,4,5,6,7' 'the list has 7 values and only 6 elements'
refused 'fill x[0..1] list:1,2,3' 'only 2 elements are to be filled'
refused 'fill x expr:2*j' 'expr:2*j: column 3: j: the index of the element is i'
refused 'fill x expr:1.5*i' 'column 1: 1.5: the array has integers'
refused 'fill x expr:sin(i)' 'only arrays of floating-point numbers take it'
refused 'fill x expr:' 'write what the element i is, such as 2*i+1'
refused 'fill x expr:5/(i-5)' 'element 5 would be divided by 0'
refused 'fill x expr:1000^i' 'element 4 does not fit: 1000000000000 is too big'
refused 'fill x expr:row' 'x has no rows and columns: its index is i'
refused 'array t f32 2x3 expr:plane' 't is 2x3: it has row and col, and no plane'
refused 'fill m expr:1e39*i' 'element 1 does not fit: 1e39 is too big for f32'
refused 'fill x 2*i+1' 'did you mean expr:2*i+1?'
refused 'fill x random:5' 'write random:LO:HI'
refused 'fill x random:' 'write random:LO:HI'
refused 'fill x random:9:5' 'LO must be at most HI'
refused 'fill m random:1:1' 'LO must be below HI'
refused 'fill m random:0:inf' 'HI - LO must be a number'
refused 'fill x file:' 'needs the name of a file'
refused "fill x file:$tmp/none" "cannot read \`$tmp/none\`: No such file"
refused 'fill x file:/dev/null' 'not a regular file'
refused 'print' 'NAME[LO..HI] is missing'
refused 'print X' 'there is no array `X`: did you mean x?'
refused 'print x[10]' 'x has 10 elements, from 0 to 9; there is no 10'
say 'array one i32 1; print one[3]'
err_has 'one has 1 element, number 0; there is no 3' 'an array of one element'
refused 'print x[3..10]' 'there is no 10'
refused 'print x[5..3]' 'is backwards'
refused 'print x[0:5]' 'has two dots: x[0..9], where 9 is included'
refused 'print x[]' 'write x, x[3] or x[0..9]'
refused 'print x[1' 'write x, x[3] or x[0..9]'
refused 'print x[a]' 'is not a number'
refused 'print x[1][2]' 'takes one index'
refused 'print m[2][0]' 'm has 2 rows, from 0 to 1'
refused 'print m[0][3]' 'm has 3 columns, from 0 to 2'
refused 'print m[0..1][1]' 'only the last index can be a range'
refused 'print m[0][0][0]' 'takes one index or two'
refused 'print x as' 'the type after `as` is missing'
refused 'print x as flaot' 'did you mean float?'
refused 'print x sa f32' 'did you mean as?'
refused 'print x --shape 3x4' '--shape 3x4 has 12 elements, and 10 are to be shown'
refused 'print x --columns 0' 'at least 1'
refused 'compare x' 'B is missing'
refused 'compare x m' 'x is i32 and m f32; only elements of one type'
refused 'compare x x[0..4]' '10 elements of x and 5 of x'
refused 'compare x 5' 'did you mean value:5?'
refused 'compare x value:1.5' 'not a whole number'
refused 'compare x x --rtol -1' 'a tolerance is 0 or more'
refused 'save x' 'FILE is missing'
refused 'free' 'free takes the names of arrays, or --all alone'
refused 'free x --all' 'free takes the names of arrays, or --all alone'
refused 'free x y' 'there is no array `y`'
refused 'free x x' 'named twice'
say 'print x'
err_has 'and no other array; `array NAME TYPE COUNT` makes one' 'where there is no array at all'

say 'array image f32 4; print imgae'
err_has 'there is no array `imgae`: did you mean image?' 'a misspelt name'

# ---- completion ---------------------------------------------------------------------------

offers() { # offers LINE WANTED
    say "array alpha f32 4; array beta f32 4; complete $1"
    is "$(sed 1,2d "$out" | tr '\n' ' ' | sed 's/ $//')" "$2" "complete $1"
}
offers 'print al' alpha
offers '"fill "' 'alpha beta'
offers '"free alpha b"' beta
offers '"compare alpha "' 'alpha beta'
offers 'array x f' 'f16 f32 f64'
offers 'array x b' 'bf16'
offers '"fill alpha r"' 'random random:'
offers 'print alpha --st' --stats

say 'array y bf16 4 iota; save y y.npy'
err_has 'NumPy has no type bf16' 'bf16 goes into no .npy file'

# A limit strikes here as well.
say_json 'array x f32 2^26 random; echo next' --time-limit 0.05
json_is 1:.status fault 'the time limit is a fault'
json_is '1:.faults[0].kind' timeout 'a timeout'
json_is 2:.status ok 'and the next command works'

say 'array a f32 4; print a 0:2'
status_is 1 'a part is written otherwise'
err_has "print a[0..2]" 'and how is said'

say 'array x i32 3 iota; compare x list:0,1,2'
err_has 'value:V, expr:2*i+1 or file:PATH' 'compare says what it takes in place of an array'
say 'array x i32 3 iota; compare x value:7'
out_has 'x                   value:7' 'and heads its columns by what is compared'

done_testing
