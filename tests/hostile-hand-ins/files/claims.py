# tries: to be the hand-in of another student, in an archive of archives
# gets: 2 3 | left out, because there is one outside this archive
# student: honest","id":"
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("inner.zip", ("a.cu", "__global__ void twice() { }"))
inner = open("inner.zip", "rb").read()
os.remove("inner.zip")
archive("claims.zip", ("honest.zip", inner), ("other.zip", inner))
