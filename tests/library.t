# SPDX-License-Identifier: GPL-3.0-or-later
#
# libcudasim as others get it: only its own names can be seen, it needs nothing but the C library,
# and the example builds against an installed copy, shared and static, and runs.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels
static=$top_builddir/libcudasim.a shared=$top_builddir/libcudasim.so
if test ! -f "$static"; then
    skip "configure says that this toolchain can't make it" 'libcudasim'
    done_testing
    exit
fi

# ---- symbols ------------------------------------------------------------------------------

# Sanitizers and coverage bring names of their own, which begin with two underscores.
names() {
    "$NM" -g --defined-only "$@" | awk 'NF == 3 && $3 !~ /^__/ { print $3 }' | sort -u
}
names "$static" >"$tmp/static"
names -D "$shared" >"$tmp/shared"
is "$(grep -v '^sim_' "$tmp/static" | tr '\n' ' ')" '' 'all symbols of the static library are sim_'
is "$(grep -v '^sim_' "$tmp/shared" | tr '\n' ' ')" '' 'all symbols of the shared library are sim_'

declared=$(sed 's,/\*.*,,' "$top_srcdir"/src/sim/sim.h "$top_srcdir"/src/sim/texture.h |
    grep -v '^typedef' | grep -Eo '^[a-z].*[ *]sim_[a-z_]+\(' | grep -Eo 'sim_[a-z_]+\($' |
    tr -d '(' | sort -u)
is "$(echo "$declared" | diff - "$tmp/shared")" '' 'they are what the headers declare, all of it'
is "$(diff "$tmp/static" "$tmp/shared")" '' 'both libraries have the same'

# ---- alone --------------------------------------------------------------------------------

cat >"$tmp/alone.c" <<'END'
#include "sim.h"
int main(void)
{
    struct sim *s = sim_open(0);
    return sim_close(s);
}
END
cp "$top_srcdir/src/sim/sim.h" "$top_srcdir/src/sim/instruction.h" "$top_srcdir/src/sim/hooks.h" "$tmp/"
if test "$BUILD_KIND" = checked; then
    skip 'sanitizers and coverage need their own flags' 'libcudasim links and runs alone'
elif $CC -std=c11 -I"$tmp" "$tmp/alone.c" "$static" -lm -o "$tmp/alone" 2>"$err"; then
    ok 'libcudasim links and runs alone, with its own headers' "$tmp/alone"
else
    flunk 'libcudasim links alone, with its own headers'
    diag_file compiler "$err"
fi

# ---- installed ----------------------------------------------------------------------------

# quiet_make TARGET: with the folder of our own, not the flags of the make that runs us.
quiet_make() (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    "$MAKE" -s -C "$top_builddir" "$1" DESTDIR="$tmp/root" >"$out" 2>&1 </dev/null
)
if ! quiet_make install; then
    flunk 'make install works'
    diag_file make "$out"
fi
files=$(cd "$tmp/root" && find . -type f -o -type l | sort)
for file in 'lib/libcudasim\.a' 'lib/libcudasim\.so' 'lib/libcudasim\.so\.2' \
    'lib/libcudasim\.so\.2\.0\.0' 'lib/pkgconfig/cudasim\.pc' 'include/cudasim/sim\.h' \
    'include/cudasim/texture\.h' 'example/run\.c' 'example/scale\.ptx'; do
    like "$files" "/$file\$" "make install brings $file"
done
if ! command -v pkg-config >/dev/null; then
    skip 'pkg-config is not here' 'the example builds and runs with the installed library'
elif quiet_make installcheck-library; then
    like "$(cat "$out")" 'with the shared library' 'the example runs with the shared library'
    test "$BUILD_KIND" = checked && skip 'sanitizers must be linked shared' 'the same, static' ||
        like "$(cat "$out")" 'with the static library' 'and with the static one'
else
    flunk 'the example builds and runs with the installed library'
    diag_file make "$out"
fi

done_testing
