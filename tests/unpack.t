# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is packed in fat binaries and zip archives comes out as it was. nvcc packs the same code in
# each of its modes, and the programs zstd, lz4 and gzip pack samples and PTX at many levels.
# tests/unit/unpack.c tests the decoders where none of these programs is.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

unpack=$top_builddir/tests/unit/unpack
test -x "$unpack" || skip_all 'tests/unit/unpack is not built'
cd "$tmp" || exit 99

# ---- nvcc ---------------------------------------------------------------------------------

# packed FILE: how its entries are stored, one word each.
packed() {
    "$CUDALAB" --json -c "fatbin $1" 2>"$err" | tr ',' '\n' |
        sed -n 's/.*"compressed":false.*/plain/p; s/.*"compression":"\(.*\)".*/\1/p' | tr '\n' ' '
}

# same_code FILE PLAIN NAME: the two entries are those of PLAIN.
same_code() {
    for entry in 1 2; do
        "$unpack" "$2" $entry >wanted && test -s wanted &&
            "$unpack" "$1" $entry 2>"$err" | cmp -s - wanted || break
    done
    is "$entry $(cat "$err")" '2 ' "$3"
}

# modes NAME SOURCE KERNEL OPTIONS...: all modes give the same code. With -G it holds the names of nvcc's own
# files, so these must stay the same.
modes() {
    what=$1 source=$top_srcdir/$2 kernel=$3
    shift 3
    mkdir -p kept
    for mode in none default balance size speed; do
        # The compiler may come with options.
        # shellcheck disable=SC2086
        $nvcc -fatbin --keep --keep-dir kept "$@" -gencode arch=compute_75,code='[sm_75,compute_75]' \
            --compress-mode=$mode "$source" -o $mode.fatbin >"$err" 2>&1 ||
            diag_file nvcc "$err"
    done
    for mode in default balance size speed; do
        same_code $mode.fatbin none.fatbin "$what, --compress-mode=$mode"
    done
    for mode in none default size speed; do
        say_json "fatbin $mode.fatbin"
        json_like '.result.entries[1].kernels' "$kernel" "$what, $mode: its kernels are known"
    done
}

nvcc=$(sed -n 's/^KERNEL_CC = *//p' "$top_builddir/Makefile")
case $nvcc in *nvcc*) ;; *) nvcc= ;; esac
if test -z "$nvcc" || ! $nvcc --help 2>&1 | grep -q compress-mode; then
    skip 'no nvcc 13 in this build' 'the same code in all modes'
else
    modes 'optimized' kernels/trap.cu trap_shuffle
    is "$(packed none.fatbin)" 'plain plain ' '--compress-mode=none'
    is "$(packed default.fatbin)" 'plain zstd ' '--compress-mode=default'
    is "$(packed size.fatbin)" 'zstd zstd ' '--compress-mode=size'
    is "$(packed speed.fatbin)" 'plain lz4 ' '--compress-mode=speed'
    modes 'with -G' tests/data/fat.cu scale -G
    is "$(packed speed.fatbin)" 'lz4 lz4 ' 'with -G, --compress-mode=speed'
    $nvcc -fatbin -rdc=true -gencode arch=compute_75,code=lto_75 "$top_srcdir/tests/data/fat.cu" \
        -o lto.fatbin >"$err" 2>&1
    say 'fatbin lto.fatbin'
    status_is 0 'LTO code'
    out_like 'LTO code +lto_75 .*by zstd +[?]' 'has kernels that are not known'
    ok 'it can not be unpacked' test "$("$unpack" lto.fatbin 1 2>&1)" = \
        'unpack: NVIDIA has scrambled it'
fi

# ---- zstd, lz4 and gzip -------------------------------------------------------------------

for kind in text skewed runs random; do
    "$unpack" sample $kind 300000 >$kind
done
# A block of lz4 has at most 4 MB.
cat "$PTXDIR"/*.ptx | head -c 4000000 >ptx
cat "$top_srcdir"/src/*/*.c | head -c 4000000 >c
printf x >one
files='text skewed runs random ptx c one'

if ! command -v zstd >"$out" 2>&1; then
    skip 'no zstd here' 'what zstd packs'
else
    for level in --fast=9 -1 -3 -7 -12 '-3 --zstd=wlog=10' '-19 --zstd=wlog=10' \
        '--ultra -22 --long=27' '-4 --no-compress-literals' '-5 --no-check'; do
        bad=
        for file in $files; do
            # shellcheck disable=SC2086
            zstd -q -f $level -c <$file >p && "$unpack" zstd p "$(wc -c <$file)" 2>"$err" |
                cmp -s - $file || bad="$bad $file $(cat "$err")"
        done
        is "$bad" '' "zstd $level"
    done
fi

# The program puts a frame around the block: 7 bytes, the block's size, and at the end 4 zeros.
if ! command -v lz4 >"$out" 2>&1; then
    skip 'no lz4 here' 'what lz4 packs'
else
    for level in -1 -3 -9 --fast=5; do
        bad=
        for file in text runs ptx c; do
            lz4 -q -f -B7 $level --no-frame-crc $file frame 2>"$err"
            tail -c +12 frame | head -c $(($(wc -c <frame) - 15)) >p
            "$unpack" lz4 p "$(wc -c <$file)" 2>"$err" | cmp -s - $file ||
                bad="$bad $file $(cat "$err")"
        done
        is "$bad" '' "lz4 $level"
    done
fi

# Without a name, gzip writes 10 bytes before the deflate data, and 8 bytes after it.
if ! command -v gzip >"$out" 2>&1; then
    skip 'no gzip here' 'what gzip packs'
else
    for level in -1 -3 -6 -9; do
        bad=
        for file in $files; do
            gzip -n $level -c <$file | tail -c +11 >p
            head -c $(($(wc -c <p) - 8)) p >deflated
            "$unpack" deflate deflated "$(wc -c <$file)" 2>"$err" | cmp -s - $file ||
                bad="$bad $file $(cat "$err")"
        done
        is "$bad" '' "gzip $level"
    done
fi

done_testing
