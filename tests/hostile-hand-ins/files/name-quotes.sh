# tries: to add members to JSON by its name
# gets: 2 3
# student: a\",\"points\":5,\"x\":\"b
cp "$honest" "$(printf 'a","points":5,"x":"b.cu')"
