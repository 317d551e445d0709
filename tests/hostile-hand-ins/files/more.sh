# tries: to have more files than a hand-in may have, so that it is ungraded
# gets: 0 0 check | more than 500 files
mkdir more && cp "$honest" more
for i in $(seq 501); do echo "// $i" >more/h$i.cuh; done
