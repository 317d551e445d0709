# SPDX-License-Identifier: GPL-3.0-or-later
#
# What the build made, and what the tree must hold for it: assets byte for byte, labs with
# all their files, a library that stands alone, an install that leaves nothing behind.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# ---- labs: the list and the files agree ----------------------------------------------------

labs=$(lab_names)
lacking=
for name in $labs; do
    for file in src/labs/$name/lab.c help/$name.txt tests/$name.t; do
        test -f "$top_srcdir/$file" || lacking="$lacking $file"
    done
done
is "$lacking" '' 'every lab of src/labs/LIST has its source, its help and its test'
is "$(sed -n 's/^LAB(.*, "\(.*\)")/\1/p' "$top_builddir/src/labs/list.h" | tr '\n' ' ')" \
    "$(echo "$labs" | tr '\n' ' ')" 'src/labs/list.h has the same labs in order'

# ---- tests ----------------------------------------------------------------------------------

lacking=
for file in "$top_srcdir"/tests/*.t; do
    cat "$top_srcdir/Makefile.am" "$top_srcdir/sources.am" | grep -q "tests/$(basename "$file")" ||
        lacking="$lacking $(basename "$file")"
done
is "$lacking" '' 'make check runs every tests/*.t'
is "$(cat "$top_srcdir/Makefile.am" "$top_srcdir/sources.am" | sed -n 's|^  \(tests/[a-z0-9-]*\.t\)\( .*\)*$|\1|p' |
    sort | uniq -d)" '' 'and none of them twice'
lacking=
for folder in "$top_srcdir"/tests/*/; do
    name=$(basename "$folder")
    grep -A4 '^FIXTURES' "$top_srcdir/Makefile.am" | grep -qw -- "$name" || test "$name" = unit ||
        test "$name" = judge || lacking="$lacking $name"
done
is "$lacking" '' 'a release carries every folder of tests'

# ---- a release ------------------------------------------------------------------------------

# make knows the files of a release, after automake's own names.
if (cd "$top_srcdir" && git ls-files) 2>"$err" | sort >"$tmp/known" && test -s "$tmp/known"; then
    printf '%s\n' 'listed: ; @printf "%s\\n" $(DISTFILES)' >"$tmp/listed.mk"
    "$MAKE" -s --no-print-directory -C "$top_builddir" -f Makefile -f "$tmp/listed.mk" listed 2>"$err" |
        sed "s,^$(sed -n 's/^srcdir = //p' "$top_builddir/Makefile")/,," | sort -u >"$tmp/listed"
    is "$(comm -23 "$tmp/known" "$tmp/listed" | grep -v '^\.git' | head | tr '\n' ' ')" '' \
        'a release carries each file of the tree'
else
    skip 'this is no clone' 'a release carries each file of the tree'
fi

# ---- kernels ------------------------------------------------------------------------------

lacking=
for file in "$top_srcdir"/kernels/*.cu; do
    name=$(basename "$file" .cu)
    grep -Eq '\.entry|\.func' "$PTXDIR/$name.ptx" || lacking="$lacking $name"
done
is "$lacking" '' 'every kernel became PTX'
like "$(cat "$PTXDIR/compiler")" '^(nvcc|clang) [0-9.]+' 'and it is known who compiled it'

# ---- what configure decides -----------------------------------------------------------------

macros=$(sed -n 's/.*AC_DEFINE(\[\([A-Z_]*\)\].*/-e \1/p' "$top_srcdir/configure.ac" \
    "$top_srcdir"/m4/*.m4)
ok 'configure has macros' test "$(echo "$macros" | wc -l)" -gt 4
# shellcheck disable=SC2086
(cd "$top_srcdir" && grep -rlw $macros -e TEST_BUILD src tests --include='*.[ch]' --include='*.def') |
    sort >"$tmp/ask"
sed -n '/^CONFIGURED =/,/[^\\]$/p' "$top_srcdir/Makefile.am" | grep -o '[a-z/-]*\.o' | sed 's/o$/c/' |
    sort >"$tmp/listed"
is "$(diff "$tmp/ask" "$tmp/listed")" '' 'the Makefile names all files that ask for one'

# ---- embedding ----------------------------------------------------------------------------

mkdir -p "$tmp/in"
awk 'BEGIN { for (i = 0; i < 256; i++) printf "%c", i; print "\"\\n?" "?/%d\\" }' >"$tmp/in/b"
printf 'no newline at the end' >"$tmp/in/a"
: >"$tmp/in/empty"
(cd "$tmp" && sh "$top_srcdir/build-aux/embed" "$tmp/in" a b empty >assets.c)
cat >"$tmp/main.c" <<'END'
#include "os/asset.h"
#include <stdio.h>
int main(void)
{
    for (size_t i = 0; i < assets_count; i++) {
        char path[1] = {assets[i].name[0]};
        fprintf(stderr, "%c%zu%d ", path[0], assets[i].size, assets[i].data[assets[i].size]);
        fwrite(assets[i].data, 1, assets[i].size, stdout);
    }
    return 0;
}
END
# CC may come with options of its own.
# shellcheck disable=SC2086
if $CC -I"$top_srcdir/src" "$tmp/main.c" "$tmp/assets.c" -o "$tmp/main" 2>"$err"; then
    "$tmp/main" >"$tmp/all" 2>"$tmp/sizes"
    cat "$tmp/in/a" "$tmp/in/b" "$tmp/in/empty" >"$tmp/wanted"
    ok 'embedded bytes are the files' cmp "$tmp/all" "$tmp/wanted"
    is "$(cat "$tmp/sizes")" "a210 b$(wc -c <"$tmp/in/b" | tr -d ' ')0 e00 " \
        'sizes leave the final NUL out'
else
    flunk 'what build-aux/embed writes compiles'
    diag_file compiler "$err"
fi

if command -v ldd >/dev/null 2>&1; then
    is "$(ldd "$CUDALAB" | grep libcuda)" '' 'cudalab starts without libcuda: it is not linked'
else
    skip 'no ldd here' 'cudalab starts without libcuda: it is not linked'
fi

# What runs in a program's process is linked without the sanitizers of a build, also without those
# that come by CFLAGS.
sources=$(cd "$top_srcdir" && ls src/run/client/versions src/run/libraries/*/versions \
    src/programs/sealed/sealed.c)
commands=$(
    unset MAKEFLAGS MFLAGS MAKELEVEL
    # shellcheck disable=SC2046
    "$MAKE" -n -s -C "$top_builddir" CFLAGS='-O1 -fsanitize=thread' $(printf ' -W %s' $sources) \
        run/libcudart.so run/libcublas.so run/libcurand.so run/sealed.so
)
is "$(echo "$commands" | grep -Eo -- '-shared -o run/[a-z]+\.so' | tr '\n' ' ')" \
    '-shared -o run/libcudart.so -shared -o run/libcublas.so -shared -o run/libcurand.so -shared -o run/sealed.so ' \
    'the libraries that programs get are linked'
is "$(echo "$commands" | grep -c -e -fsanitize)" 0 'without a sanitizer'

# ---- installing ---------------------------------------------------------------------------

# quiet_make TARGET: with the folder of our own, not the flags of the make that runs us.
quiet_make() (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    "$MAKE" -s -C "$top_builddir" "$1" DESTDIR="$tmp/root" >"$out" 2>&1 </dev/null
)
if quiet_make install; then
    files=$(cd "$tmp/root" && find . -type f | sort)
    like "$files" '/bin/cudalab$' 'make install brings the program'
    like "$files" '/man/man1/cudalab\.1$' 'and the manual page'
    like "$files" '/man/man1/cudalab-exercise\.1$' 'and the page of exercises'
    like "$files" '/bash-completion/completions/cudalab$' 'and completion for bash'
    program=$(find "$tmp/root" -type f -name cudalab -path '*/bin/*')
    CUDALAB=$program lab --version </dev/null
    status_is 0 'the installed program runs'
    quiet_make uninstall
    is "$(find "$tmp/root" -type f -o -type l)" '' 'make uninstall leaves no file'
else
    flunk 'make install works'
    diag_file make "$out"
fi

done_testing
