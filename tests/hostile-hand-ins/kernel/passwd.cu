// tries: to read a file of the system as a header
// gets: 0 0 compile | /etc/passwd.*(Permission denied|not found|denied)
#include "/etc/passwd"
