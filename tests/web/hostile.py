# SPDX-License-Identifier: GPL-3.0-or-later
#
# Bad input and poor browsers: each time there must be a sentence, and the prompt must go on where it
# can. What is wrong is really so: the browser is started without it, or its storage is full.
import base64
import json
import time
import zlib

from browser import Browser
from tap import ENDLESS, has, ok


# The service worker would isolate the page.
NO_WORKER = 'delete Navigator.prototype.serviceWorker;'


def goes_on(browser, name, *details):
    """The prompt takes a command."""
    ok(browser.ready() is not None and browser.line('echo on') == 'on', name, *details, browser.text()[-1500:])


# ---- links --------------------------------------------------------------------------------------

def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip('=')


def pack(text):
    worker = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64url(worker.compress(text) + worker.flush())


def link_to(*lines, **more):
    return pack(json.dumps({'v': 1, 'lines': lines, 'files': [], 'answers': [], **more}).encode())


def gigabyte():
    """Nearly a million characters of right deflate, that open to about a gigabyte."""
    worker = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = worker.compress(b'{"v":1,"lines":["echo ') + worker.flush(zlib.Z_FULL_FLUSH)
    blanks = worker.compress(b' ' * (64 << 20)) + worker.flush(zlib.Z_FULL_FLUSH)
    tail = worker.compress(b'"],"files":[],"answers":[]}') + worker.flush()
    times = (750000 - len(head) - len(tail)) // len(blanks)
    return base64url(head + times * blanks + tail), times * 64


def links(server):
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        browser.line('array x f32 4 iota')
        browser.line('banks 3')
        browser.line('print x')
        link = browser.wait_run('cudalab.link().then(arguments[0])')
        text = browser.text()
        browser.open('about:blank')
        browser.open(link)
        browser.ready()
        time.sleep(0.2)
        ok(browser.text() == text, 'a link opens the session with the same bytes', browser.text(), '---', text)
        has(browser.line('print x[2]'), '2', 'and the session goes on')
        bomb, megabytes = gigabyte()
        ok(megabytes > 700 and len(bomb) < 1 << 20, 'there is a link that opens to much', megabytes, len(bomb))
        changed, large = 'a part of it is missing or changed', 'it is too large'
        for what, code, why in (
                ('garbage', '@@@', changed), ('nothing', '', changed), ('what is no archive', 'AAAA', changed),
                ('a cut archive', link.split('#s=')[1][:-9], changed),
                ('a megabyte of garbage', 'A' * 1000000, changed),
                ('more than a megabyte', 'A' * 1100000, 'it is longer than a million characters'),
                ('what becomes 40 MB', link_to('echo ' + 'a' * 40000000), large),
                ('what becomes a gigabyte', bomb, large), ('no text', pack(b'\xff\xfe'), changed),
                ('another form', pack(b'[1,2]'), 'a newer cudalab wrote it'), ('lines that are no text', link_to(5), changed),
                ('a file outside the folder', link_to(files=[{'at': 0, 'name': '../x', 'bytes': ''}]), changed),
                ('an answer behind the end', link_to('echo', answers=[{'at': 9, 'text': ''}]), changed),
                ('a newer version', pack(b'{"v":2}'), 'a newer cudalab wrote it')):
            browser.open('about:blank')
            browser.open(server.address + '#s=' + code)
            browser.ready()
            has(browser.text(), f'This link does not open: {why}. A new session begins.', f'a link with {what}: a sentence')
            goes_on(browser, 'and the prompt goes on')
        browser.open('about:blank')
        browser.open(server.address + '#s=' + link_to('echo a', ENDLESS, 'echo b'))
        browser.until('cudalab.machine.state === "busy" && cudalab.machine.running === 1', 10)
        time.sleep(0.3)
        browser.keys('control+c')
        goes_on(browser, 'Ctrl-C stops a link whose commands never end')
        ok(browser.run('return cudalab.machine.session.lines.join()') == 'echo a,echo b,echo on', 'and leaves that command out',
           browser.run('return cudalab.machine.session.lines'))
        browser.open('about:blank')
        script = f'echo begins\nrepeat 100000000 {{\n{ENDLESS}\n}}\n'
        browser.open(server.address + '#s=' + link_to('source mine.lab', files=[
            {'at': 0, 'name': 'mine.lab', 'bytes': base64url(script.encode())}]))
        browser.until('cudalab.screen.text().includes("begins")', 10)
        browser.keys('control+c')
        goes_on(browser, 'Ctrl-C stops a script that never ends')
    finally:
        browser.close()


# ---- kernels that never end, and memory ----------------------------------------------------------

LOOP = '''.version 7.0
.target sm_70
.address_size 64
.visible .entry spin(.param .u64 to)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [to];
again:
    ld.volatile.global.u32 %r1, [%rd1];
    st.volatile.global.u32 [%rd1], %r1;
    bra again;
}
'''


def spins(server, isolated=True):
    """while (1) in a student's kernel."""
    browser = Browser()
    where = 'in an isolated page' if isolated else 'in a page that is not isolated'
    try:
        if not isolated:
            browser.before_page(NO_WORKER)
        browser.open(server.address)
        browser.ready()
        ok(browser.run('return cudalab.machine.isolated') is isolated, where)
        browser.line('set step-limit none')
        browser.run('cudalab.machine.file("spin.ptx", new TextEncoder().encode(arguments[0]))', LOOP)
        browser.line('array x i32 4 iota')
        has(browser.line('load spin.ptx'), '1 kernel', 'a kernel with an endless loop loads')
        browser.type('launch spin<<<1, 32>>>(x)')
        browser.keys('enter')
        time.sleep(1.5)
        ok(browser.run('return cudalab.machine.state') == 'busy', 'and runs', browser.text())
        browser.keys('control+c')
        ok(browser.ready(3) is not None, f'Ctrl-C stops it {where}', browser.text())
        has(browser.line('print x'), '0  1  2  3', 'the session is as it was')
        link = browser.wait_run('cudalab.link().then(arguments[0])')
        text = browser.line('print x')
        browser.open('about:blank')
        browser.open(link)
        browser.ready()
        ok(browser.line('print x') == text, 'and its link opens the same session', text, browser.text())
        # a step of a lecture is stopped: the lecture goes on before it
        browser.open('about:blank')
        browser.open(server.address)
        browser.ready()
        browser.run('cudalab.machine.file("mine.lab", new TextEncoder().encode(arguments[0]))',
                    f'array y f32 4 iota\nfill y[0..0] value:7\n{ENDLESS}\nfill y[1..1] value:8\nprint y\n')
        browser.type('play mine.lab')
        browser.keys('enter')
        asks = 'cudalab.machine.state === "asking" && cudalab.editor.open'
        for step in range(2):
            browser.until(asks)
            browser.keys('enter')
            time.sleep(0.3)
        browser.until(asks)
        browser.keys('enter')
        time.sleep(1)
        browser.keys('control+c')
        ok(browser.until(asks, 10) is not None, f'a stopped step of a lecture {where}: the lecture goes on', browser.text())
        browser.type('skip')
        browser.keys('enter')
        for step in range(2):
            browser.until(asks)
            browser.keys('enter')
            time.sleep(0.3)
        ok(browser.ready() is not None, 'to its end', browser.text())
        text = browser.line('print y')
        has(text, '7  8  2  3', 'with what its other steps did')
        link = browser.wait_run('cudalab.link().then(arguments[0])')
        browser.open('about:blank')
        browser.open(link)
        browser.ready()
        ok(text and browser.line('print y') == text, 'and its link opens the same session', text, browser.text()[-800:])

        # a command that writes while it is stopped: the state is the same as in its link
        browser.line('array big f32 2^24 iota')
        browser.type('fill big expr:2*i+7')
        browser.keys('enter', 'control+c')
        browser.ready()
        here = browser.line('print big[9]')
        link = browser.wait_run('cudalab.link().then(arguments[0])')
        browser.open('about:blank')
        browser.open(link)
        browser.ready(60)
        text = browser.text()
        has(text, here, 'what a stopped command wrote is neither in the session nor in its link')
    finally:
        browser.close()


def spins_alone(server):
    spins(server, False)


def memory(server):
    """2 and 4 GB, which a module can't have: arrays, and labs."""
    for size in ('2^29', '2^30', '2^32'):
        browser = Browser()
        try:
            browser.open(server.address)
            browser.ready()
            browser.line('array x f32 4 iota')
            shown = browser.line(f'array big f32 {size}', 60)
            has(shown, 'bytes left for the device', f'an array of {size} floats: a sentence')
            has(browser.line('print x[3]', 60), '3', 'and what was there is there still')
        finally:
            browser.close()
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        browser.line('array x f32 4 iota')
        for number in range(17):
            shown = browser.line(f'array part{number} f32 2^26', 60) or ''
            if 'bytes left' in shown or 'refused the memory' in shown:
                break
        ok(2 <= number < 16, 'arrays of 256 MB: less than 4 GB are there, then a sentence', number, shown)
        has(browser.line('print x[3]', 60), '3', 'and what was there is there still')
    finally:
        browser.close()


# ---- browsers that lack something ----------------------------------------------------------------

def storage(server):
    browser = Browser(prefs={'profile.default_content_setting_values.cookies': 2})
    try:
        browser.open(server.address)
        browser.ready()
        ok(browser.run('try { localStorage; return false; } catch { return true; }'), 'a browser whose storage is forbidden')
        goes_on(browser, 'has a prompt', browser.log())
        has(browser.run('return document.getElementById("note").textContent'), 'The browser keeps nothing for this page',
            'and the page says that nothing is kept')
        has(browser.run('return document.getElementById("offline").textContent'), 'needs the network',
            'also that it needs the network at each visit')
    finally:
        browser.close()
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        browser.run('''for (let size = 1 << 20; size; size >>= 1)
            for (let i = 0; ; i++)
                try { localStorage.setItem("other" + size + "." + i, "x".repeat(size)); } catch { break; }''')
        goes_on(browser, 'storage is full: the prompt goes on')
        has(browser.run('return document.getElementById("note").textContent'), 'The browser keeps nothing for this page',
            'and the page says that nothing is kept')
        browser.open(server.address)
        goes_on(browser, 'it opens again')
    finally:
        browser.close()


def insecure(server):
    """From an address without TLS that is not this computer: no service worker, no shared memory, no clipboard."""
    browser = Browser(arguments=['--host-resolver-rules=MAP cudalab.test 127.0.0.1'])
    try:
        browser.open(server.address.replace('127.0.0.1', 'cudalab.test'))
        browser.ready()
        ok(browser.run('return !isSecureContext && !("serviceWorker" in navigator) && typeof SharedArrayBuffer === "undefined"'),
           'a page without TLS has no service worker and no shared memory')
        has(browser.line('banks 32'), '32-way conflict', 'and works')
        has(browser.run('return document.getElementById("offline").textContent'), 'needs the network',
            'it says that it needs the network at each visit')
        browser.run('document.getElementById("copy-text").click()')
        ok(browser.until('document.getElementById("note").textContent.includes("does not let the page copy")', 5) is not None,
           'what it may not copy it saves as a file')
    finally:
        browser.close()


def old(server):
    """Browsers that are too old: the page says so."""
    for lacking, flag, check in (
            ('WebAssembly', '--js-flags=--jitless', 'typeof WebAssembly === "undefined"'),
            ('SIMD in WebAssembly', '--js-flags=--no-enable-sse4-1 --no-enable-ssse3', 'true')):
        browser = Browser(arguments=[flag])
        try:
            browser.open(server.address)
            browser.until('document.getElementById("waiting").textContent.includes("newer browser")', 5)
            ok(browser.run(f'return {check}'), f'a browser without {lacking}')
            has(browser.run('return document.getElementById("waiting").innerText'), f'This browser has no {lacking}.', 'is told so')
        finally:
            browser.close()
    for lacking in ('CompressionStream', 'DecompressionStream'):
        browser = Browser()
        try:
            browser.before_page(f'delete window.{lacking}')
            browser.open(server.address + '#s=' + link_to('echo from a link'))
            goes_on(browser, f'a browser without {lacking} has a prompt')
            if lacking == 'DecompressionStream':
                has(browser.text(), 'This link does not open: this browser is too old for links.', 'it opens no link')
                continue
            has(browser.text(), 'from a link', 'it opens a link')
            browser.run('document.getElementById("copy-link").click()')
            ok(browser.until('document.getElementById("note").textContent.includes("this browser is too old for links")', 5)
               is not None, 'and makes none')
        finally:
            browser.close()
