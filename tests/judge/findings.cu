// Comments as in tests/checks, for the test of the judge: it never runs. Each line has the number
// that findings.leaves uses.
//@ launch right_kind<<<1, 32>>>(a)
//@found race-shared here
a = 1; // here
//@ launch other_kind<<<1, 32>>>(a)
//@found race-shared here
//@ launch other_line<<<1, 32>>>(a)
//@found race-shared here
b = 1; // other-line
//@ launch second_access<<<1, 32>>>(a)
//@found race-shared here
//@ launch any_line<<<1, 32>>>(a)
//@found leak
//@ launch unknown_mark<<<1, 32>>>(a)
//@found leak nowhere
//@ launch two_places<<<1, 32>>>(a)
//@found leak twice
c = 1; // twice
c = 2; // twice
//@ launch right_element<<<1, 32>>>(a)
//@found out-of-bounds here
//@element room[32]
//@ launch other_element<<<1, 32>>>(a)
//@found out-of-bounds here
//@element room[33]
//@ launch nothing<<<1, 32>>>(a)
//@none
//@ launch unasked<<<1, 32>>>(a)
//@none
//@ launch not_found<<<1, 32>>>(a)
//@found leak
//@ launch known_as_missed<<<1, 32>>>(a)
//@found leak
//@missed
//@ launch missed_but_other<<<1, 32>>>(a)
//@found leak
//@missed
//@ launch may_come<<<1, 32>>>(a)
//@found leak
//@may uninitialized
//@ launch more_comes<<<1, 32>>>(a)
//@found leak
//@ launch only_the_other_comes<<<1, 32>>>(a)
//@found leak
//@may uninitialized
//@ launch instead<<<1, 32>>>(a)
//@found leak here
//@or uninitialized
//@ launch instead_of_nothing<<<1, 32>>>(a)
//@none
//@or uninitialized
//@ launch by_nvcc_alone<<<1, 32>>>(a)
//@found leak
//@nvcc
//@ launch did_not_run<<<1, 32>>>(a)
//@none
