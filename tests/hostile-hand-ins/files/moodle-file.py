# tries: to be the hand-in of another student, by the name of a file in the archive of a class
# gets: 2 3
# student: Ben Bit","id":"222
import os, zipfile
honest = open(os.environ["honest"]).read()
wrong = "__global__ void twice() { }"
with zipfile.ZipFile("moodle-file.zip", "w") as f:
    f.writestr("Anna Bit_111_assignsubmission_file_Ben Bit_222_assignsubmission_file_a.cu", wrong)
    f.writestr("Cat Bit_333_assignsubmission_file_/Ben Bit_222_assignsubmission_file_/a.cu", wrong)
    f.writestr("Ben Bit_222_assignsubmission_file_a.cu", honest)
