# tries: to be an option of the grader by its name
# gets: 2 3
# student: --student anna
mkdir -p names && cp "$honest" "names/--student anna.cu"
