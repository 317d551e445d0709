# tries: to add members to JSON by its name
# gets: 2 3
# student: a\",\"points\":5,\"x\":\"b
mkdir -p names && cp "$honest" "names/$(printf 'a","points":5,"x":"b.cu')"
