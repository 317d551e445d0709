# tries: to add a line to reports by its name
# gets: 2 3
# student: a\\nhonest
cp "$honest" "$(printf 'a\nhonest.cu')"
