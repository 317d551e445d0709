# tries: to unpack the same bytes again and again
# gets: ? ? | is damaged
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("overlap.zip", ("a.cu", honest), ("b.cu", honest))
whole = bytearray(open("overlap.zip", "rb").read())
second = whole.rindex(b"PK\1\2")
whole[second + 42:second + 46] = bytes(4)
open("overlap.zip", "wb").write(whole)
