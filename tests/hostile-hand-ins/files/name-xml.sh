# tries: to add a test to JUnit by its name
# gets: 2 3
# student: ]]><testcase>
mkdir -p names && cp "$honest" "names/$(printf ']]><testcase>.cu')"
