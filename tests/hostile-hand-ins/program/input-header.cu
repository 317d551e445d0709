// tries: to have the compiler show the input of the hidden test
// gets: 0 0 compile | given-input-18[.]txt.*not found
#include "given-input-18.txt"
#include ".given-input.txt"
int main() { }
