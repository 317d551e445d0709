# SPDX-License-Identifier: GPL-3.0-or-later
#
# A browser, driven: chromedriver speaks WebDriver over HTTP, so nothing but Python is needed. And a
# server of the page, which a test can stop.
import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

KEYS = {'enter': '\ue007', 'tab': '\ue004', 'up': '\ue013', 'down': '\ue015', 'left': '\ue012',
        'right': '\ue014', 'home': '\ue011', 'end': '\ue010', 'backspace': '\ue003', 'escape': '\ue00c',
        'control': '\ue009', 'delete': '\ue017'}


class Server:
    """The page at the loopback address."""

    def __init__(self, command, port=0):
        self.command = command
        self.port = port
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, str(self.port)], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port = int(re.search(r':(\d+)/', self.address)[1])

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    def __init__(self, width=1000, height=700, arguments=(), prefs=None):
        self.folder = tempfile.mkdtemp(prefix='cudalab-web.')
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r'successfully on port (\d+)', line)
            if found:
                port = int(found[1])
                break
        self.link = http.client.HTTPConnection('127.0.0.1', port, timeout=120)
        options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                   f'--user-data-dir={self.folder}', f'--window-size={width},{height}', *arguments]
        wanted = {'capabilities': {'alwaysMatch': {
            'browserName': 'chrome', 'goog:chromeOptions': {'args': options, 'prefs': prefs or {}},
            'goog:loggingPrefs': {'browser': 'ALL'}}}}
        self.session = ''
        self.session = '/session/' + self.call('POST', '/session', wanted)['sessionId']

    def call(self, method, path, body=None):
        self.link.request(method, self.session + path, json.dumps(body) if body is not None else None,
                          {'Content-Type': 'application/json'})
        answer = json.loads(self.link.getresponse().read())['value']
        if isinstance(answer, dict) and 'error' in answer:
            raise RuntimeError(answer['error'] + ': ' + ' '.join(answer['message'].split('\n')[:3]))
        return answer

    def close(self):
        try:
            self.call('DELETE', '')
        except (OSError, RuntimeError):
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, address):
        self.call('POST', '/url', {'url': address})

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def wait_run(self, script, *arguments):
        """The script calls its last argument with the result."""
        return self.call('POST', '/execute/async', {'script': script, 'args': list(arguments)})

    def keys(self, *keys):
        """Press keys one after the other. 'control+c' holds the first one."""
        actions = []
        for key in keys:
            held, _, last = key.rpartition('+') if len(key) > 1 else ('', '', key)
            parts = [KEYS[held]] if held else []
            for character in ([KEYS[last]] if last in KEYS else last):
                actions += [{'type': 'keyDown', 'value': part} for part in [*parts, character]]
                actions += [{'type': 'keyUp', 'value': part} for part in [character, *parts]]
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': actions}]})

    def type(self, text):
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': [
            action for character in text for action in
            ({'type': 'keyDown', 'value': character}, {'type': 'keyUp', 'value': character})]}]})

    def devtools(self, command, **parameters):
        return self.call('POST', '/goog/cdp/execute', {'cmd': command, 'params': parameters})

    def before_page(self, script):
        """Runs in each page before the page's own scripts."""
        self.devtools('Page.addScriptToEvaluateOnNewDocument', source=script)

    def allow(self, permission):
        self.call('POST', '/permissions', {'descriptor': {'name': permission}, 'state': 'granted'})

    def click(self, element):
        self.run('document.getElementById(arguments[0]).click()', element)

    def choose(self, *paths):
        """Files for the input of the page, as a student chooses them."""
        found = self.call('POST', '/element', {'using': 'css selector', 'value': '#upload'})
        self.call('POST', f'/element/{next(iter(found.values()))}/value', {'text': '\n'.join(paths)})

    def resize(self, width, height):
        """The size of the page itself, also narrower than a window can be."""
        self.devtools('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1, mobile=False)

    def light(self, on):
        self.devtools('Emulation.setEmulatedMedia',
                      features=[{'name': 'prefers-color-scheme', 'value': 'light' if on else 'dark'}])

    def picture(self, path):
        with open(path, 'wb') as file:
            file.write(base64.b64decode(self.call('GET', '/screenshot')))

    def log(self):
        return self.call('POST', '/se/log', {'type': 'browser'})

    # ---- cudalab's page ------------------------------------------------------------------

    def text(self):
        return self.run('return window.cudalab ? cudalab.screen.text() : ""')

    def until(self, what, seconds=20):
        """Wait until the script says true. Returns the seconds that it took; None: it never did."""
        start = time.monotonic()
        while time.monotonic() - start < seconds:
            try:
                if self.run('return Boolean(' + what + ')'):
                    return time.monotonic() - start
            except RuntimeError:
                pass  # the page is being loaded
            time.sleep(0.02)
        return None

    def ready(self, seconds=20):
        return self.until('window.cudalab && cudalab.machine.state === "ready" && cudalab.editor.open', seconds)

    def prompt_row(self):
        """What is wrong with the row of the prompt: in the terminal, in the document, on the screen. '': nothing."""
        time.sleep(0.3) # the terminal draws
        return self.wait_run('''
            const [picture, done] = arguments, {terminal} = cudalab.screen, {active} = terminal.buffer;
            const wanted = cudalab.editor.prompt + cudalab.editor.text();
            const rows = Math.ceil((wanted.length + 1) / terminal.cols), first = active.cursorY - rows + 1;
            const elements = [...document.querySelectorAll('.xterm-rows > div')].slice(first, first + rows);
            const texts = {terminal: '', document: elements.map((row) => row.textContent).join('')};
            for (let y = first; y < first + rows; y++)
                texts.terminal += active.getLine(active.baseY + y)?.translateToString(false) ?? '';
            for (const [where, text] of Object.entries(texts))
                if (text.replace(/\\u00a0/g, ' ').trimEnd() !== wanted.trimEnd())
                    return done(`in the ${where} "${text}" stands, not "${wanted}"`);
            // Of the pixels: a cell of a letter has ink, and a cell behind the cursor has none.
            const image = new Image();
            image.onload = () => {
                const canvas = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height});
                const paper = canvas.getContext('2d', {willReadFrequently: true});
                paper.drawImage(image, 0, 0);
                const box = elements[0].getBoundingClientRect(), wide = box.width / terminal.cols;
                for (let at = 0; at < Math.min(wanted.length + 4, terminal.cols); at++) {
                    const {data} = paper.getImageData(Math.ceil(box.left + at * wide) + 1, box.top, Math.floor(wide) - 2, Math.floor(box.height));
                    const ink = [...data].some((value, i) => Math.abs(value - data[i % 4]) > 40);
                    const cursor = at === wanted.length;
                    if (!cursor && ink !== (at < wanted.length && wanted[at] !== ' '))
                        return done(`on the screen, column ${at} of "${wanted}" ${ink ? 'is not empty' : 'is empty'}`);
                }
                done('');
            };
            image.src = 'data:image/png;base64,' + picture;''', self.call('GET', '/screenshot'))

    def line(self, text, seconds=30):
        """Type a line, and wait for the next prompt. Returns what the command has shown."""
        before = len(self.text().rstrip('\n').split('\n'))
        self.type(text)
        self.keys('enter')
        if self.ready(seconds) is None:
            return None
        time.sleep(0.05)  # the terminal draws
        shown = self.text().rstrip('\n').split('\n')
        return '\n'.join(shown[before:-1])
