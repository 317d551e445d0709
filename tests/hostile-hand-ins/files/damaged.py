# tries: to be ungraded by an archive that is damaged
# gets: ? ? | is damaged
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("damaged.zip", ("a.cu", honest))
whole = open("damaged.zip", "rb").read()
open("damaged.zip", "wb").write(whole[:60])
