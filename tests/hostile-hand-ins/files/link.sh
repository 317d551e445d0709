# tries: to have the grader read other files by links
# gets: 0 0 check | is a link
mkdir link && ln -s /etc/passwd link/a.cu
