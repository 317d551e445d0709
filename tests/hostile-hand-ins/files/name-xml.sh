# tries: to add a test to JUnit by its name
# gets: 2 3
# student: ]]><testcase>
cp "$honest" "$(printf ']]><testcase>.cu')"
