# SPDX-License-Identifier: GPL-3.0-or-later
#
# quickstart where it need not build: it serves the page that a release carries, and says what is
# missing where nothing can be installed. And .ci/run, which adds up what quickstart's suites say.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

release=$tmp/release
mkdir -p "$release/build-aux" "$release/page/files" "$release/.ci" "$release/lectures"
for folder in src kernels help quiz web; do
    mkdir "$release/$folder"
    echo source >"$release/$folder/source"
done
cp "$top_srcdir/quickstart" "$release/"
cp "$top_srcdir/build-aux/carried-page" "$release/build-aux/"
cp "$top_srcdir/web/serve" "$release/web/"
cp "$top_srcdir/.ci/run" "$release/.ci/"
find "$release" -exec touch -d 2001-02-03 {} +
echo 'the carried page' >"$release/page/index.html"

# only NAME...: a folder with these programs alone is the path
only() {
    rm -rf "$tmp/bin"
    mkdir "$tmp/bin"
    for program; do
        place=$(command -v "$program") && ln -s "$place" "$tmp/bin/$program"
    done
}

# ---- a page that is carried ---------------------------------------------------------------------

holds() {
    sh "$release/build-aux/carried-page" "$release"
}
ok 'a page that is newer than all sources holds' holds
for source in src/source help/source lectures/new.lab; do
    echo changed >"$release/$source"
    touch -d '+1 minute' "$release/$source"
    ok "one that is older than $source does not" sh -c '! sh "$1/build-aux/carried-page" "$1"' - "$release"
    touch -d 2001-02-03 "$release/$source"
done
ok 'then it holds again' holds

if command -v python3 >/dev/null; then
    only sh dirname find head env
    ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$tmp/bin/python3"
    (cd "$release" && PATH=$tmp/bin exec ./quickstart --web 0) >"$out" 2>"$err" </dev/null &
    server=$!
    served() {
        grep -q '^http://127' "$out" || ! kill -0 $server 2>/dev/null
    }
    until_true served
    is "$(python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1]).read().decode())' "$(cat "$out")")" 'the carried page' \
        'quickstart --web serves the carried page where no compiler is'
    kill $server
    wait $server 2>"$tmp/ended" || :
else
    skip 'there is no python3' 'quickstart --web serves the carried page where no compiler is'
fi

# ---- what can't be had --------------------------------------------------------------------------

only sh dirname find head env mktemp rm mkdir tr cat make gcc cc as ld
status=0
(cd "$release" && PATH=$tmp/bin ./quickstart -y --web --check) >"$out" 2>"$err" </dev/null || status=$?
status_is 77 'quickstart --web --check without emcc ends as a test that is left out'
err_like 'apt-get install .*emscripten npm' 'it says what is needed'
out_empty 'and it counts no tests'

# ---- the sum ------------------------------------------------------------------------------------

# suites STATUS LINE: .ci/run, if quickstart says that of the page's suite
suites() {
    {
        echo '#!/bin/sh'
        echo 'case $*,${CONFIGURE_FLAGS-} in'
        echo "*--web*,*--with-kernels=../build/kernels/ptx*) echo '$2'; exit $1 ;;"
        echo "*--mpi*) echo 'much talk'; echo '10 passed, 0 failed' ;;"
        echo "*--without-cuda*,*--enable-test-build*) echo '5 passed, 0 failed' ;;"
        echo '*) exit 1 ;;'
        echo 'esac'
    } >"$release/quickstart"
    status=0
    sh "$release/.ci/run" >"$out" 2>"$err" </dev/null || status=$?
}
suites 0 '7 passed, 0 failed'
status_is 0 '.ci/run passes if all suites do'
is "$(cat "$out")" '22 passed, 0 failed' 'it adds up three suites'
suites 1 '6 passed, 1 failed'
status_is 1 'a test of the page that fails is a failure'
is "$(cat "$out")" '21 passed, 1 failed' 'and is counted'
suites 1 ''
is "$(cat "$out")" '15 passed, 1 failed' 'so is a page that is not built'
suites 77 ''
status_is 0 'a page that can not be built here is none'
is "$(cat "$out")" '15 passed, 0 failed' 'it counts nothing'
err_like '^the page is left out' 'and one line says so'

done_testing
