# tries: to be an option of the grader by its name
# gets: 2 3
# student: --student anna
cp "$honest" '--student anna.cu'
