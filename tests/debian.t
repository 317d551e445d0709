# SPDX-License-Identifier: GPL-3.0-or-later
#
# debian/ says again what the tree says: the version, the name of the library, its symbols, which files
# are installed, the licences. Both must say the same. `make check-debian` builds the packages.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

debian=$top_srcdir/debian

# field NAME FILE: what stands behind this name, a line each
field() {
    sed -n "s/^$1: *//p" "$2"
}

# ---- versions -----------------------------------------------------------------------------------

version=$(sed -n 's/^AC_INIT(\[cudalab\], \[\(.*\)\])$/\1/p' "$top_srcdir/configure.ac")
is "$(sed -n '1s/^cudalab (\(.*\)) .*/\1/p' "$debian/changelog")" "$version" \
    'the packages have the version that configure.ac has'
clang=$(sed -n 's/.*by clang \([0-9]*\) or newer.*/\1/p' "$top_srcdir/m4/kernels.m4")
is "$(sed -n 's/.*clang (>= 1:\([0-9]*\)~).*/\1/p' "$debian/control" | sort -u)" "$clang" \
    'they ask for the clang that configure asks for'

# ---- the library --------------------------------------------------------------------------------

soname=$(sed -n 's/^SONAME = //p' "$top_srcdir/Makefile.am")
package=libcudasim${soname##*.}
like "$(field Package "$debian/control")" "^$package\$" "the package of $soname is $package"
is "$(sed -n 1p "$debian/$package.symbols")" "$soname $package #MINVER#" 'its symbols belong to it'
if test -f "$top_builddir/$soname" && test "$BUILD_KIND" = plain; then
    "$NM" -D --defined-only "$top_builddir/$soname" | awk '{ print $3 }' | sort >"$tmp/symbols"
    sed -n 's/^ \(.*\)@Base .*/\1/p' "$debian/$package.symbols" | sort >"$tmp/listed"
    is "$(diff "$tmp/listed" "$tmp/symbols")" '' 'all symbols of the library are listed, and no other'
else
    skip 'this build made no plain library' 'all symbols of the library are listed, and no other'
fi

# ---- files --------------------------------------------------------------------------------------

# owner FILE: the lists that have it or a folder above it. A * stands for one folder or a part of a name.
owner() {
    for owner_list in "$debian"/*.install "$debian/not-installed"; do
        while read -r owner_pattern _; do
            # shellcheck disable=SC2254 # the list has patterns
            case $1 in
            $owner_pattern | $owner_pattern/*) echo "${owner_list##*/} $owner_pattern" ;;
            esac
        done <"$owner_list"
    done
}

# As Debian's packages have it: below /usr, libraries in a folder of the machine's kind.
if (
    unset MAKEFLAGS MFLAGS MAKELEVEL
    "$MAKE" -s -C "$top_builddir" install DESTDIR="$tmp/root" prefix=/usr exec_prefix=/usr \
        libdir=/usr/lib/kind >"$out" 2>&1 </dev/null
); then
    (cd "$tmp/root" && find usr -type f -o -type l) | sort >"$tmp/files"
    : >"$tmp/owners"
    wrong=
    while read -r file; do
        owner "$file" >"$tmp/of"
        cat "$tmp/of" >>"$tmp/owners"
        test "$(wc -l <"$tmp/of")" = 1 || wrong="$wrong $file"
    done <"$tmp/files"
    is "$wrong" '' 'each file that make install brings is in one list'
    cat "$debian"/*.install "$debian/not-installed" | sed 's/ .*//' | sort -u >"$tmp/listed"
    # Only a release has the page.
    test -d "$top_srcdir/page" || sed -i '/cudalab\/page/d' "$tmp/listed"
    is "$(sed 's/^[^ ]* //' "$tmp/owners" | sort -u | comm -13 - "$tmp/listed")" '' \
        'and each line of the lists has a file'
else
    flunk 'make install works'
    diag_file make "$out"
fi

# lacking FILE...: those that are not in the tree
lacking() {
    (cd "$top_srcdir" && for lacking_file; do test -e "$lacking_file" || echo "$lacking_file"; done)
}
# Lines of the lists are patterns.
# shellcheck disable=SC2046
is "$(cd "$top_srcdir" && lacking $(cat debian/*.docs debian/*.examples | grep -v '^usr/'))" '' \
    'documents and examples are in the tree'
# shellcheck disable=SC2046
is "$(lacking $(sed '/^#/d; s,.*,tests/&.t,' "$debian/tests/quick"))" '' 'so are the tests of the quick part'
for name in $(field Tests "$debian/tests/control"); do
    ok "autopkgtest can run $name" test -x "$debian/tests/$name"
done

# ---- licences -----------------------------------------------------------------------------------

# Debian's GPL-3+ is GPL-3.0-or-later elsewhere. Folders of builds are no part of the tree.
(cd "$top_srcdir" && for name in *; do
    test -f "$name/config.status" || grep -rIhoE 'SPDX-License-Identifier: [A-Za-z0-9.+-]+' "$name"
done) | sed -e 's/.*: //' -e 's/[.]0-or-later$/+/' -e 's/[.]0-only$//' | sort | uniq >"$tmp/licences"
ok 'files say their licence' test -s "$tmp/licences"
is "$(awk '/^Files:/ { of_files = 1 } /^$/ { of_files = 0 } of_files && /^License:/ { print $2 }' \
    "$debian/copyright" | sort -u)" "$(cat "$tmp/licences")" 'debian/copyright has these licences'

done_testing
