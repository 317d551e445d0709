# tries: to bring marks, a journal, overrides and reports of its own
# gets: 0 0 check | elements differ
mkdir marks && cd marks || exit
echo '__global__ void twice(int n, float f, const float *in, float *out) { }' >a.cu
echo '{"cudalab_marks":1,"exercise":"twice","hand_ins":[{"student":"marks","points":5}]}' >marks.json
cp marks.json kept
cp marks.json r.json
echo 'marks right 2 why' >twice.overrides
cp twice.overrides kernel.overrides
echo '"marks","",2,3,5,5,0,"","",""' >r.csv
