# tries: to be the hand-in of another student, by the names of Moodle
# gets: 0 0 check | can.t be launched
# student: honest","id":"123
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("moodle.zip", ("honest_123_assignsubmission_file_/a.cu", "__global__ void twice() { }"))
