# tries: to hand in a program in place of a source
# gets: 0 0 check | is a compiled program
printf '\177ELF\002\001' >program.cu
