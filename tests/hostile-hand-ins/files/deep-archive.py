# tries: to end the grading of all by a path that no system can have
# gets: 0 0 check | lies in too many folders
import os, zipfile
honest = open(os.environ["honest"]).read()
with zipfile.ZipFile("deep-archive.zip", "w", zipfile.ZIP_DEFLATED) as f:
    f.writestr("a/" * 3000 + "a.cu", honest)
    f.writestr("b/" * 30000 + "b.cu", honest)
