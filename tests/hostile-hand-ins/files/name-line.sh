# tries: to add a line to reports by its name
# gets: 2 3
# student: a\\nhonest
mkdir -p names && cp "$honest" "names/$(printf 'a\nhonest.cu')"
