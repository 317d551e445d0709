# tries: to have bytes that are no text
# gets: 0 0 compile | error
printf '__global__ void \377\300(int n) { }\n' >bytes.cu
