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
    def __init__(self, width=1000, height=700, arguments=()):
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
            'browserName': 'chrome', 'goog:chromeOptions': {'args': options},
            'goog:loggingPrefs': {'browser': 'ALL'}}}}
        self.session = ''
        self.session = '/session/' + self.call('POST', '/session', wanted)['sessionId']

    def call(self, method, path, body=None):
        self.link.request(method, self.session + path, json.dumps(body) if body is not None else None,
                          {'Content-Type': 'application/json'})
        answer = json.loads(self.link.getresponse().read())['value']
        if isinstance(answer, dict) and 'error' in answer:
            raise RuntimeError(answer['error'] + ': ' + answer['message'].split('\n')[0])
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

    def resize(self, width, height):
        """The size of the page itself, also narrower than a window can be."""
        self.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setDeviceMetricsOverride', 'params': {
            'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False}})

    def light(self, on):
        self.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
            'features': [{'name': 'prefers-color-scheme', 'value': 'light' if on else 'dark'}]}})

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
