# tries: to unpack a link to another file
# gets: 0 0 check | is a link
import os, zipfile
honest = open(os.environ["honest"]).read()
def archive(name, *files):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as f:
        for path, text in files:
            f.writestr(path, text)
link = zipfile.ZipInfo("a.cu")
link.create_system, link.external_attr = 3, 0o120777 << 16
archive("links.zip", (link, "/etc/passwd"))
