# SPDX-License-Identifier: GPL-3.0-or-later
#
# The page in a real browser: chromedriver drives a headless Chromium (tests/web). Screenshots of it
# are left in web/screens, for a person to look at.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

site=$top_builddir/web/site
test -d "$site" || skip_all 'there is no page here: configure --enable-web, then make web'
for program in chromium chromedriver python3; do
    command -v $program >/dev/null || skip_all "there is no $program to try the page with"
done
rm -rf "$top_builddir/web/screens"
mkdir -p "$top_builddir/web/screens"
exec python3 -B "$top_srcdir/tests/web/page.py" "$top_srcdir" "$top_builddir"
