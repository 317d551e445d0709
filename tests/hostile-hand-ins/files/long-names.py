# tries: to end the grading of all by a name that is too long for a report
# gets: ? ? | Its name is too long
# student: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...c26ac6c87c76ddbd
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
archive("long-names.zip", ("a" * 3000 + ".zip", "PK"), ("b" * 3000 + ".zip", "PK"))
