# SPDX-License-Identifier: GPL-3.0-or-later
#
# page.py SRCDIR BUILDDIR: what a student does in the page, and what must come of it, as TAP.
import os
import re
import struct
import subprocess
import time
import xml.dom.minidom
import xml.parsers.expat

import hostile
from browser import Browser, Server
from same import same
from tap import ENDLESS, build, end, has, ok, plain, screens, site, skip, source


def stop_ms(browser, tries=3):
    """How long Ctrl-C takes until the prompt is there: the least of some tries."""
    best = None
    for _ in range(tries):
        browser.type(ENDLESS)
        browser.keys('enter')
        if browser.until('cudalab.machine.state === "busy"') is None:
            return None
        time.sleep(0.5)
        took = browser.wait_run('''
            const done = arguments[0], start = performance.now();
            const key = new KeyboardEvent("keydown", {key: "c", code: "KeyC", keyCode: 67, ctrlKey: true, bubbles: true});
            cudalab.screen.terminal.textarea.dispatchEvent(key);
            const look = () => cudalab.editor.open && cudalab.machine.state === "ready"
                ? done(performance.now() - start)
                : performance.now() - start > 9000 ? done(9999) : setTimeout(look, 1);
            look();''')
        best = took if best is None else min(best, took)
    return best


def typing(server):
    browser = Browser()
    try:
        start = time.monotonic()
        browser.open(server.address)
        first = browser.ready()
        ok(first is not None, 'the page has a prompt', browser.run('return document.body.innerText'))
        print(f'# to the prompt {1000 * (time.monotonic() - start):.0f} ms')
        start = time.monotonic()
        shown = browser.line('banks 32')
        print(f'# the first lab {1000 * (time.monotonic() - start):.0f} ms')
        has(shown, 'a 32-way conflict', 'a lab shows its screen')
        browser.picture(os.path.join(screens, 'banks.png'))

        # Tab, and a second one for the list
        browser.type('coal')
        browser.keys('tab')
        ok(browser.until('cudalab.editor.text() === "coalesce "', 5) is not None, 'Tab completes a command',
           browser.run('return cudalab.editor.text()'))
        browser.keys('control+u')
        browser.type('set p')
        browser.keys('tab')
        time.sleep(0.3)
        browser.keys('tab')
        time.sleep(0.3)
        has(browser.text(), 'plain', 'a second Tab lists what is possible')
        browser.keys('control+u')

        # keys of readline
        browser.type('cho two')
        browser.keys('control+a')
        browser.type('e')
        browser.keys('control+e')
        browser.type(' three')
        browser.keys('control+w')
        browser.type('four')
        ok(browser.run('return cudalab.editor.text()') == 'echo two four', 'Ctrl-A, Ctrl-E and Ctrl-W edit the line',
           browser.run('return cudalab.editor.text()'))
        browser.keys('enter')
        browser.ready()
        browser.keys('up')
        ok(browser.run('return cudalab.editor.text()') == 'echo two four', 'an arrow brings the line before')
        browser.keys('control+u')
        browser.keys('control+r')
        browser.type('ban')
        browser.keys('enter')
        browser.ready()
        ok(browser.run('return cudalab.machine.session.lines.at(-1)') == 'banks 32', 'Ctrl-R finds an older line')

        # characters of two columns, and a line that is longer than the screen
        browser.type('echo 漢字xé')
        browser.keys('left', 'left', 'backspace')
        ok(browser.run('return cudalab.editor.text()') == 'echo 漢xé', 'a wide character is deleted as one')
        ok(browser.run('const b = cudalab.screen.terminal.buffer.active; return b.cursorX') == len('cudalab> echo ') + 2,
           'and the cursor stands two columns further for it')
        browser.keys('control+u')
        browser.type('echo ' + 'abcdefghij' * 30)
        browser.keys('home')
        browser.keys('control+k')
        browser.type('echo end')
        browser.keys('enter')
        browser.ready()
        lines = browser.text().rstrip('\n').split('\n')
        ok(lines[-3:-1] == ['cudalab> echo end', 'end'], 'a long line leaves nothing behind', *lines[-6:])

        # several lines at once
        browser.run('cudalab.screen.terminal.paste("echo one\\necho 2\\n")')
        ok(browser.run('return cudalab.editor.open'), 'what is pasted waits for Enter')
        browser.keys('enter')
        browser.ready()
        time.sleep(0.1)
        has(browser.text(), 'one\n2\n', 'several pasted lines run one after the other')

        # Ctrl-C
        browser.type('some words')
        browser.keys('control+c')
        browser.ready()
        has(browser.text(), 'some words^C', 'Ctrl-C drops a line')
        took = stop_ms(browser)
        print(f'# Ctrl-C {took} ms, isolated {browser.run("return crossOriginIsolated")}')
        ok(took is not None and took <= 200, 'Ctrl-C stops a kernel in 200 ms', took)
        has(browser.line('array x f32 4 iota'), '4 elements', 'and the session goes on')

        # a question, with its answer
        browser.line('save x x.bin')
        ok(browser.run('return cudalab.panels.files.has("x.bin")'), 'a file that a command wrote can be saved')

        # what stands beside the prompt
        browser.run('document.getElementById("course-button").click()')
        ok(browser.until('document.querySelectorAll("aside h3").length === 6', 5) is not None, 'a panel shows the course')
        browser.line('next')
        browser.line('hello 2 4')
        browser.line('next')
        ok(browser.until('document.querySelector("aside .count").textContent.startsWith("1 of")', 5) is not None,
           'and what of it is done', browser.run('return document.querySelector("aside").innerText.slice(0, 200)'))
        browser.picture(os.path.join(screens, 'course.png'))
        browser.line('banks 2')
        browser.run('document.getElementById("picture-button").click()')
        ok(browser.until('document.querySelector("aside img")?.naturalWidth > 100', 5) is not None,
           'a panel shows the last screen as a picture')
        time.sleep(0.3)
        browser.picture(os.path.join(screens, 'picture.png'))
        odd = browser.wait_run('''
            const done = arguments[0];
            cudalab.machine.ask("picture", {dark: false}).then((svg) => {
                const place = document.body.appendChild(document.createElement("div"));
                place.innerHTML = svg.slice(svg.indexOf("<svg"));
                const odd = [...place.querySelectorAll("text")].map((text) => {
                    const wanted = Number(text.getAttribute("textLength"));
                    text.removeAttribute("textLength");
                    return [text.textContent, text.getComputedTextLength() / wanted];
                }).filter(([, ratio]) => ratio < 0.9 || ratio > 1.1);
                place.remove();
                done(odd);
            });''')
        ok(odd == [], 'each text of the picture is as wide as its columns, blanks too', odd)
        browser.run('document.getElementById("picture-button").click()')

        # a screen reader
        browser.run('document.getElementById("reader").click()')
        browser.ready()
        browser.line('banks 4')
        has(browser.run('return document.getElementById("spoken").textContent'), '4-way conflict',
            'what a command shows is in a region that is read aloud')
        ok(browser.run('return cudalab.screen.terminal.options.screenReaderMode'), 'and the rows can be read')
        axe(browser)
        return browser.wait_run('cudalab.link().then(arguments[0])')
    finally:
        browser.close()


def panels(server):
    """The row of the prompt stays as it is while panels open and close, in a session that has run labs for long."""
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        for line in ('banks 32', 'hello 2 4', 'next', 'banks 2', 'trap -n 2^24', 'array x f32 2^26 iota', 'banks 5'):
            browser.line(line, 60)
        browser.type(ENDLESS)
        browser.keys('enter')
        time.sleep(1.5) # so that it says how long it takes
        browser.keys('control+c')
        browser.ready()
        ok(browser.prompt_row() == '', 'the prompt stands there', browser.prompt_row())
        wrong = []
        for reads in (False, True):
            if reads:
                browser.click('reader')
            for typed in ('', 'banks 7', 'echo ' + 'abcdefghi ' * 9):
                browser.type(typed)
                for panel in ('course', 'picture', 'files'):
                    for does in ('opens', 'closes'):
                        browser.click(f'{panel}-button')
                        browser.until(f'document.getElementById("side").hidden === {"true" if does == "closes" else "false"}', 5)
                        wrong.append((reads, typed[:9], panel, does, browser.prompt_row()))
                browser.keys('control+u')
            browser.click('course-button')
            for light in (True, False, True):
                browser.light(light)
                wrong.append((reads, 'light' if light else 'dark', browser.prompt_row()))
            browser.click('course-button')
        browser.type('echo ' + 'abcdefghi ' * 6)
        for width in (1000, 380, 700, 1000):
            browser.resize(width, 600)
            wrong.append((width, browser.prompt_row()))
        wrong = [each for each in wrong if each[-1]]
        ok(not wrong, 'it stands there after each panel opens and closes, in each theme, at each width', *wrong)
        browser.keys('control+u')
        for question in ('{do: "json", text: "next --list"}', '{do: "json", text: "trap -n 2^24"}', '{do: "picture", dark: true}',
                         '{do: "complete", before: "ban"}'):
            before = browser.text()
            browser.wait_run(f'const {{do: what, ...more}} = {question}; cudalab.machine.ask(what, more).then(arguments[0])')
            ok(browser.text() == before and browser.prompt_row() == '', f'a question of the page writes nothing: {question}',
               browser.text()[-300:])
    finally:
        browser.close()


def axe(browser):
    """Rules of accessibility, by axe-core, which npm brings where it can be reached."""
    name = 'axe-core has no serious findings'
    place = os.path.join(build, 'web/axe')
    os.makedirs(place, exist_ok=True)
    script = os.path.join(place, 'node_modules/axe-core/axe.min.js')
    if not os.path.exists(script):
        for file, to in (('package.json', 'package.json'), ('package-lock.json', 'npm-shrinkwrap.json')):
            with open(os.path.join(source, 'web', file)) as given, open(os.path.join(place, to), 'w') as out:
                out.write(given.read())
        try:
            subprocess.run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd=place, timeout=60,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        except (OSError, subprocess.SubprocessError):
            return skip('npm could not fetch axe-core', name)
    with open(script) as file:
        browser.run(file.read())
    for state in ('', 'course', 'files', 'menu'):
        if state == 'menu':
            browser.run('document.getElementById("menu").open = true')
        elif state:
            browser.run(f'document.getElementById("{state}-button").click()')
        time.sleep(0.5)
        for light in (True, False):
            browser.light(light)
            time.sleep(0.2)
            browser.picture(os.path.join(screens, f'{state or "prompt"}-{"light" if light else "dark"}.png'))
            found = browser.wait_run('''
                const done = arguments[0];
                axe.run().then((r) => done(r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.target + " " + n.failureSummary)])));''')
            bad = [each for each in found if each[0] in ('serious', 'critical')]
            ok(not bad, f'{name}: {state or "prompt"}, {"light" if light else "dark"}', *bad)
            for each in found:
                if each not in bad:
                    print('#   minor:', each[0], each[1], each[2][:2])
    browser.light(True)


def keyboard(server):
    """Escape, then Tab, leaves the prompt; all buttons can be reached."""
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        browser.keys('escape', 'tab')
        ok(not browser.run('return document.activeElement === cudalab.screen.terminal.textarea'),
           'Escape, then Tab, leaves the prompt')
        seen = set()
        for _ in range(12):
            browser.keys('tab')
            seen.add(browser.run('return document.activeElement.id || document.activeElement.tagName'))
        ok({'course-button', 'picture-button', 'files-button'} <= seen, 'the keyboard reaches the buttons', seen)
    finally:
        browser.close()


def alone(server):
    """Without shared memory: no headers, and no service worker that would add them."""
    browser = Browser()
    try:
        browser.before_page(hostile.NO_WORKER)
        browser.open(server.address)
        browser.ready()
        ok(browser.run('return !crossOriginIsolated'), 'a server without headers and a browser without workers')
        browser.line('array x f32 4 iota')
        took = stop_ms(browser)
        print(f'# Ctrl-C {took} ms, not isolated')
        ok(took is not None and took <= 200, 'Ctrl-C stops a kernel in 200 ms there, too', took)
        has(browser.line('print x'), '0  1  2  3', 'and the session is as it was')
        browser.open('about:blank')
        browser.open(server.address + '#play=race')
        asks = 'cudalab.machine.state === "asking" && cudalab.editor.open'
        ok(browser.until(asks) is not None, 'a link opens a lecture', browser.text())
        browser.keys('enter')
        ok(browser.until(asks + ' && cudalab.screen.text().includes("play 2/")') is not None,
           'and Enter goes through it', browser.text())
        browser.keys('enter')
        browser.until(asks + ' && cudalab.screen.text().includes("play 3/")')
        text = browser.text()
        ok(text.count('play race.lab') == 1 and text.count('play 1/') == 1, 'nothing is shown twice', text)
        has(text, 'Each thread writes its number', 'its slides are there')
        browser.keys('control+d')
        ok(browser.ready() is not None, 'Ctrl-D leaves it', browser.text())
    finally:
        browser.close()


def offline(server):
    browser = Browser()
    try:
        browser.open(server.address)
        ok(browser.until('window.cudalab && crossOriginIsolated', 20) is not None,
           'the service worker isolates the page where the server does not')
        browser.ready()
        browser.until('document.body.dataset.offline', 10)
        browser.line('next')
        server.stop()
        browser.open('about:blank')
        browser.open(server.address)
        ok(browser.ready() is not None, 'the page opens without its server', browser.log())
        has(browser.line('banks 32'), '32-way conflict', 'and works')
        has(browser.line('next'), 'hello', 'and the place in the course was kept')
        browser.open('about:blank')
        browser.open(server.address + '#play=tree')
        ok(browser.until('cudalab.machine.state === "asking"', 10) is not None, 'a lecture opens there, too', browser.text())
    finally:
        browser.close()
        server.start()


def phone(server):
    browser = Browser()
    try:
        browser.resize(360, 640)
        browser.open(server.address)
        browser.ready()
        columns = browser.run('return cudalab.screen.columns')
        ok(40 <= columns <= 50, 'a phone has 40 columns', columns)
        browser.line('banks 2')
        ok(browser.run('return document.documentElement.scrollWidth <= 360'), 'and nothing stands beyond its edge')
        browser.picture(os.path.join(screens, 'phone.png'))
        browser.run('document.getElementById("course-button").click()')
        time.sleep(0.5)
        browser.picture(os.path.join(screens, 'phone-course.png'))
        browser.resize(900, 640)
        time.sleep(0.5)
        ok(browser.run('return cudalab.screen.columns') > 50, 'a wider window has more')
    finally:
        browser.close()


def carries(server):
    """What leaves the page: text, links, files. And what the browser keeps for the next visit."""
    browser = Browser()
    folder = os.path.join(browser.folder, 'downloads')
    os.makedirs(folder)

    def saved(name):
        path = os.path.join(folder, name)
        for _ in range(100):
            if os.path.exists(path):
                with open(path, 'rb') as file:
                    return file.read()
            time.sleep(0.05)
        return b''

    try:
        browser.devtools('Browser.setDownloadBehavior', behavior='allow', downloadPath=folder)
        browser.open(server.address)
        browser.ready()
        for permission in ('clipboard-read', 'clipboard-write'):
            browser.allow(permission)
        browser.line('array x f32 4 iota')
        browser.line('save x x.bin')
        browser.line('banks 32')
        clipboard = lambda: browser.wait_run('navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))')
        browser.click('copy-text')
        browser.until('document.getElementById("note").textContent === "The text is in the clipboard."', 5)
        ok(clipboard().rstrip('\n') == browser.text().rstrip('\n'), 'Copy as text: the clipboard has all text', clipboard())
        browser.click('copy-link')
        browser.until('document.getElementById("note").textContent.startsWith("The link")', 5)
        link = clipboard()
        browser.click('save-script')
        ok(saved('session.lab') == b'array x f32 4 iota\nsave x x.bin\nbanks 32\n', 'Save script: its commands', saved('session.lab'))
        browser.click('picture-button')
        browser.until('document.querySelector("aside img")', 5)
        browser.run('document.querySelector("aside button").click()')
        svg = saved('cudalab.svg')
        ok(svg.rstrip().endswith(b'</svg>') and b'32-way conflict' in svg, 'Save SVG: the last screen', svg[:300])
        try:
            xml.dom.minidom.parseString(svg)
            ok(True, 'it is well-formed')
        except xml.parsers.expat.ExpatError as error:
            ok(False, 'it is well-formed', error)
        browser.click('files-button')
        browser.until('document.querySelector("aside li button")', 5)
        browser.run('document.querySelector("aside li button").click()')
        ok(saved('x.bin') == struct.pack('<4f', 0, 1, 2, 3), 'a file that a command wrote is saved', saved('x.bin'))
        notes = browser.run('const a = document.getElementById("note").getBoundingClientRect(), '
                            'b = document.getElementById("side").getBoundingClientRect(); return a.right <= b.left')
        ok(notes, 'a notice covers no panel')
        here = browser.text()
        browser.open('about:blank')
        browser.open(link)
        browser.ready()
        time.sleep(0.2)
        ok(browser.text() == here, 'Copy link: it opens the same session', browser.text(), '---', here)
        browser.until('document.body.dataset.offline', 10)
        has(browser.run('return document.getElementById("offline").textContent'), 'opens without a network',
            'the page says that it is kept')

        # the next visit
        browser.click('theme')
        browser.click('reader')
        plain_text = browser.line('banks 2')
        browser.open('about:blank')
        browser.open(server.address)
        browser.ready()
        ok(browser.run('return document.documentElement.dataset.theme') == 'light' and
           browser.run('return cudalab.screen.reads && document.getElementById("reader").getAttribute("aria-pressed")') == 'true',
           'the theme and the screen reader are kept')
        ok('lanes: 2 in bank 0' in plain_text and 'lanes: 2 in bank 0' in browser.line('banks 2'),
           'and screens are sentences again', plain_text)
        browser.click('reader')
        ok('lanes: 2 in bank 0' not in browser.line('banks 2'), 'until the reader is turned off', browser.text()[-900:])
        browser.keys('up', 'up')
        ok(browser.run('return cudalab.editor.text()') == 'banks 32', 'the history is kept', browser.run('return cudalab.editor.text()'))
    finally:
        browser.close()


def own_kernels(server):
    """PTX that a compiler made elsewhere stands for the compiler, while it is not older than its source."""
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()

        def add(name, text):
            browser.run('cudalab.machine.file(arguments[0], new TextEncoder().encode(arguments[1]))', name, text)
            time.sleep(0.05)

        with open(os.path.join(source, 'example/scale.ptx')) as file:
            ptx = file.read()
        browser.choose(os.path.join(os.path.realpath(source), 'example/scale.ptx'))
        browser.until('cudalab.panels.files.has("scale.ptx")', 5)
        has(browser.line('load scale.ptx'), '1 kernel', 'PTX that was added loads')
        browser.run('cudalab.screen.terminal.paste(arguments[0])', ptx)
        browser.until('cudalab.machine.session.lines.length === 2', 5)
        browser.ready()
        time.sleep(0.1)
        has(browser.text(), 'pasted-1.ptx: 1 kernel', 'PTX that is pasted loads')
        add('mine.cu', '__global__ void scale(float *x, float f, int n) {}')
        shown = browser.line('load mine.cu')
        has(shown, 'a page in a browser has no compiler; install cudalab', 'a source alone needs a compiler: a sentence')
        has(shown, 'load help:load', 'and examples that are compiled already')
        add('mine.ptx', ptx)
        has(browser.line('load mine.cu'), '1 kernel', 'a source with its PTX loads')
        add('mine.cu', '__global__ void other(int *x) {}')
        has(browser.line('load mine.cu'), 'compiler', 'a newer source needs a compiler again')

        # the examples of the help texts, as the page suggests to run one
        names = re.findall(r'[a-z-]+', re.search(r'their PTX:(.*)[.] For example', shown, re.S)[1])
        with_code = subprocess.run(['sh', os.path.join(source, 'build-aux/help-code'), source], capture_output=True, text=True,
                                   check=True).stdout.split()
        ok(names == with_code or set(with_code) - set(names) == {'child-grids'}, 'all examples of the help texts are there',
           names, with_code)
        odd = [name for name in names if not re.search(r'help:[a-z-]+: [0-9]+ kernel', browser.line(f'load help:{name}') or '')]
        ok(not odd, 'and each loads', odd)
        shown = browser.line('load help:load')
        suggested = [line.strip().split('    ')[0] for line in shown.split('\n') if re.match(r' +(array|launch|print) ', line) or
                     line.startswith('Try  ')]
        suggested = [line.removeprefix('Try  ') for line in suggested]
        for line in suggested:
            browser.line(line)
        has(browser.text(), 'scale<<<', 'what the page suggests after that runs it')
        browser.open('about:blank')
        browser.open(server.address + '#play=race')
        asks = 'cudalab.machine.state === "asking" && cudalab.editor.open'
        browser.until(asks)
        if not browser.run('return cudalab.panels.files.has("race.ptx")'):
            return skip('this build has no PTX of the lectures', 'a lecture has its kernels')
        for step in range(2, 5):
            browser.keys('enter')
            browser.until(f'{asks} && cudalab.screen.text().includes("play {step}/")')
        has(browser.text(), 'race.cu: 2 kernels', 'a lecture has its kernels')
        has(browser.text(), 'race-shared', 'and cudalab finds the race')
        lectures = sorted(name[:-4] for name in os.listdir(os.path.join(source, 'lectures')) if name.endswith('.lab'))
        for lecture in lectures:
            browser.open('about:blank')
            browser.open(server.address + '#play=' + lecture)
            browser.until(asks)
            for _ in range(30): # no lecture has more than 25 steps
                browser.keys('enter')
                browser.until('cudalab.editor.open && /asking|ready/.test(cudalab.machine.state)')
                if browser.run('return cudalab.machine.state') == 'ready':
                    break
            text = browser.text()
            steps = browser.run('return cudalab.screen.text().match(/play [0-9]+.([0-9]+)>/)[1]')
            ok(f'play {steps}/{steps}>' in text and 'compilers' not in text and 'there is no kernel' not in text,
               f'the lecture {lecture} plays to its end', text[-1500:])
    finally:
        browser.close()


def crash(server):
    """The module traps: the session goes on in a fresh worker, without the line."""
    browser = Browser()
    try:
        browser.open(server.address)
        browser.ready()
        browser.line('array x f32 4 iota')
        browser.run('''cudalab.machine.session.line("echo lost"); cudalab.machine.given++;
            cudalab.machine.running = 1; cudalab.machine.state = "busy"; cudalab.editor.end();
            cudalab.machine.crash(1, "unreachable")''')
        ok(browser.ready() is not None, 'the module has a fault: the prompt is there again')
        has(browser.text(), 'This command has ended cudalab (unreachable)', 'with a sentence')
        has(browser.line('print x'), '0  1  2  3', 'and the session is as it was')
        ok(browser.run('return cudalab.machine.session.lines.join()') == 'array x f32 4 iota,print x',
           'without the line that failed')
    finally:
        browser.close()


server = Server([os.path.join(source, 'web/serve'), site])
other = Server(plain)
try:
    only = os.environ.get('PARTS', '').split()
    for part in (typing, panels, keyboard, carries, phone, own_kernels, crash, same, hostile.links, hostile.spins, hostile.memory,
                 hostile.storage, hostile.old, alone, hostile.spins_alone, hostile.insecure, offline):
        if not only or part.__name__ in only:
            part(other if part in (alone, offline, hostile.spins_alone, hostile.insecure) else server)
finally:
    server.stop()
    other.stop()
end()
