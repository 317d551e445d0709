// tries: to read the exercise as a header, from every folder above
// gets: 0 0 compile | kernel[.]exercise
#include "../kernel.exercise"
#include "../../kernel.exercise"
#include "../../../kernel.exercise"
