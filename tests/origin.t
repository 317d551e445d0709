# SPDX-License-Identifier: GPL-3.0-or-later
# An access is judged by the array that its pointer came from, and faults name the element in that
# array's own type and dimensions. tests/unit/origin.c makes up many more.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler

compiler=auto
test "$KERNELS_BY" != clang || compiler=clang

cat >"$tmp/table" <<'END'
wild<<<1,32>>>(a, 63)            | none
wild<<<1,32>>>(a, 192)           | out-of-bounds a 192 a[192]
wild<<<1,32>>>(a, 100000)        | out-of-bounds a 100000 a[100000]
wild<<<1,32>>>(b, 2147483647)    | out-of-bounds b 2147483647 b[2147483647]
wild<<<1,32>>>(b, -2147483648)   | out-of-bounds b -2147483648 b[-2147483648]
add<<<1,32>>>(b, -192)           | out-of-bounds b -192 b[-192]
module<<<1,32>>>(1023)           | none
module<<<1,32>>>(1024)           | out-of-bounds x 1024 x[1024]
rows<<<1,1>>>(-2)                | out-of-bounds grid -14 grid[-2][2]
rows<<<1,1>>>(4)                 | out-of-bounds grid 34 grid[4][2]
lanes<<<1,1>>>(8)                | out-of-bounds quads 8 quads[8]
wide<<<1,1>>>(f, 15)             | none
wide<<<1,1>>>(f, 16)             | out-of-bounds f 64 f[64]
wide<<<1,1>>>(g, -1)             | out-of-bounds g -4 g[-1][1]
pair<<<1,1>>>(f, 63)             | misaligned f 63 f[63]
pair<<<1,1>>>(f, 3)              | misaligned f 3 f[3]
fixed<<<1,32>>>(a, 31, 0)        | none
fixed<<<1,32>>>(a, 32, 0)        | out-of-bounds a 32 a[32]
fixed<<<1,32>>>(a, -1, 0)        | out-of-bounds a -1 a[-1]
fixed<<<1,32>>>(a, 0, -32)       | out-of-bounds b -32 b[-32]
called<<<1,32>>>(a, 31)          | none
called<<<1,32>>>(a, 32)          | out-of-bounds a 32 a[32]
from_memory<<<1,1>>>(a, 63)      | none
from_memory<<<1,1>>>(a, 64)      | out-of-bounds a 64 a[64]
square<<<1,64>>>(a, 6)           | none
square<<<1,64>>>(a, 9)           | out-of-bounds as 63 as[9][0]
square<<<1,64>>>(a, -1)          | out-of-bounds as -7 as[-1][0]
racing<<<1,32>>>(f)              | race-shared tile 33 tile[1][0]
unwritten<<<1,32>>>(f)           | uninitialized tile 34 tile[1][1]
dynamic<<<1,64,256>>>(f, 63)     | none
dynamic<<<1,64,256>>>(f, 64)     | out-of-bounds s 64 s[64]
dynamic<<<1,64,256>>>(f, -1)     | out-of-bounds s -1 s[-1]
structs<<<1,32>>>(f, 31)         | none
structs<<<1,32>>>(f, 32)         | out-of-bounds p 32 p[32]
pieces<<<1,1>>>(15)              | none
pieces<<<1,1>>>(132)             | out-of-bounds
frames<<<1,1>>>(a, 7)            | none
frames<<<1,1>>>(a, 20)           | out-of-bounds
ends<<<1,32>>>(a, b, 64)         | none
END

launches=$(sed 's/ *|.*//; s/^/; launch /' "$tmp/table" | tr -d '\n')
say_json "set compiler $compiler; load $top_srcdir/tests/data/origin.cu; array a i32 64 zero;\
 array b i32 64 zero; array f f32 64 zero; array g f32 4x5 zero$launches"
line=6
while IFS='|' read -r what wanted; do
    line=$((line + 1))
    kind=$("$JSONGET" "$line:.faults[0].kind" <"$out" 2>"$err") || kind=
    set -- $wanted
    is "${kind:-none}" "$1" "$what: $1"
    test $# = 4 || continue
    json_is "$line:.faults[0].array" "$2" "$what: the array"
    json_is "$line:.faults[0].index" "$3" "$what: the index"
    json_is "$line:.faults[0].element" "$4" "$what: the element"
done <"$tmp/table"
done_testing
