# tries: to be the hand-in of another student, by names as Canvas makes them
# gets: 2 3
# student: benbit","id":"333
import os, zipfile
honest = open(os.environ["honest"]).read()
wrong = "__global__ void twice() { }"
with zipfile.ZipFile("canvas.zip", "w") as f:
    f.writestr("annabit_111_222_benbit_333_444_a.cu", wrong)
    f.writestr("benbit_333_444_a.cu", honest)
    f.writestr("danbit_777_888_benbit_LATE_333_999_a-9.cu", wrong)
