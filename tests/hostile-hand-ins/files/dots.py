# tries: to be unpacked into other folders by ..
# gets: 0 0 check | has a path with
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("dots.zip", ("../../../../../tmp/cudalab-hostile.cu", honest), ("../a/../../cudalab-hostile", "x"))
