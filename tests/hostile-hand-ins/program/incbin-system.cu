// tries: to read files of the system by the assembler
// gets: 0 0 compile | /etc/passwd
asm(".incbin \"/etc/passwd\"");
asm(".include \"../program.exercise\"");
int main() { }
