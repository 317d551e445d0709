# tries: to fill the disk by archives in archives
# gets: 0 0 check | is a zip archive
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("inner.zip", ("a.cu", " " * 1000000))
archive("nested.zip", ("inner.zip", open("inner.zip", "rb").read()))
os.remove("inner.zip")
