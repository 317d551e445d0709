# tries: to have more files than a worker can be told of, so that it is ungraded
# gets: 2 3
mkdir headers && cp "$honest" headers
for i in $(seq 450); do echo "// $i" >headers/h$i.cuh; done
