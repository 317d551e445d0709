# tries: to fill the disk by a small archive
# gets: 0 0 check | too many bytes for what it is packed in
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("bomb.zip", ("a.cu", " " * 1500000000))
