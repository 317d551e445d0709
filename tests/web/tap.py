# SPDX-License-Identifier: GPL-3.0-or-later
#
# Rows of TAP, and what the tests of the page share: where the page is, and who serves it.
import os
import sys

source, build = sys.argv[1:3]
site = os.path.join(build, 'web/site')
screens = os.path.join(build, 'web/screens')
count = failed = 0

# A kernel that runs for hours.
ENDLESS = 'trap -n 2^30'


def ok(right, name, *details):
    global count, failed
    count += 1
    print(f'{"ok" if right else "not ok"} {count} - {name}', flush=True)
    if not right:
        failed += 1
        for line in '\n'.join(map(str, details)).split('\n'):
            print('#   ' + line)


def has(text, part, name):
    ok(text is not None and part in text, name, f'looked for: {part}', 'in:', text)


def skip(why, name):
    global count
    count += 1
    print(f'ok {count} - {name} # SKIP {why}', flush=True)


def end():
    print(f'1..{count}')
    sys.exit(1 if failed else 0)


# A server of the simplest kind: no headers that isolate the page.
plain = [sys.executable, '-u', '-c', '''
import functools, http.server, sys
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass
class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, address):
        pass
server = Server(("127.0.0.1", int(sys.argv[2])), functools.partial(Handler, directory=sys.argv[1]))
print("http://127.0.0.1:%d/" % server.server_address[1], flush=True)
server.serve_forever()''', site]
