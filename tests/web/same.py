# SPDX-License-Identifier: GPL-3.0-or-later
#
# The same bytes in a browser: the scripts of tests/parity.sh, each in a fresh worker of the page, show
# what this build's program shows under node, which web-node.t compares with a native one. SAME_AS names
# another program to compare with; it must have no compilers, either. Both are told that
# they write to the terminal of the page. Only its colours count.
import base64
import concurrent.futures
import os
import re
import subprocess
import tempfile
import time

from browser import Browser
from tap import build, ok, skip, source

# The page runs all scripts, as many at a time as there are cores, and keeps what they show.
RUN = '''
    const [files, scripts, atOnce] = arguments, {folder, code} = cudalab.machine;
    const bytesOf = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const all = Object.entries(files).map(([name, text]) => ({at: 0, name, bytes: bytesOf(text)}));
    const shown = window.shown = {}, waiting = Object.entries(scripts);
    const text64 = (parts) => new Promise((done) => {
        const reader = new FileReader();
        reader.onload = () => done(reader.result.split(',')[1] ?? '');
        reader.readAsDataURL(new Blob(parts));
    });
    const one = (line) => new Promise((done) => {
        const worker = new Worker(folder + 'worker.js');
        let parts = [], typed = false;
        worker.onmessage = ({data}) => {
            if (data.is === 'output')
                parts.push(data.bytes);
            if (data.is === 'prompt' && !typed) {
                parts = [];
                typed = true;
                worker.postMessage({do: 'line', text: line});
            } else if (data.is === 'prompt' || data.is === 'crash') {
                worker.terminate();
                done(text64(data.why ? [...parts, data.why] : parts));
            }
        };
        worker.postMessage({do: 'open', code, places: {glue: folder + 'cudalab.js', kernels: folder + 'cudalab.data'},
                            look: {columns: 0, rows: 0}, session: {lines: ['set device sim'], answers: [], files: all}, shows: 'nothing',
                            shared: null, kernels: cudalab.machine.kernels, course: null});
    });
    const next = async () => {
        while (waiting.length) {
            const [key, line] = waiting.shift();
            shown[key] = await one(line);
        }
    };
    for (let i = 0; i < atOnce; i++)
        next();
'''

# What a page shows otherwise than a program that was given a script, for it has a prompt:
# `history` lists what was typed, and there is no end at which the testcases are summed up.
HISTORY = re.compile(rb'^history\n', re.M)
SUMMED_UP = re.compile(rb'\d+ of \d+ testcases? passed.*\n\Z')


def first_difference(here, there):
    for at, (a, b) in enumerate(zip(here.split(b'\n'), there.split(b'\n'))):
        if a != b:
            return f'line {at + 1}\n  here  {a[:200]!r}\n  there {b[:200]!r}'
    return f'{len(here)} bytes here, {len(there)} there'


def same(server):
    scripts = os.path.join(source, 'tests/parity.sh')
    if not os.path.exists(scripts):
        return skip('there is no tests/parity.sh', 'the same bytes in a browser')
    program = os.environ.get('SAME_AS') or os.path.join(build, 'cudalab')
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, 'given')
        subprocess.run(['sh', scripts, folder], check=True)
        with open(os.path.join(folder, 'forms')) as file:
            forms = dict(line.rstrip('\n').split(' ', 1) for line in file)
        files = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as file:
                files[name] = HISTORY.sub(b'', file.read())
        # In full each script in each form; else each in one of them, in turn.
        lines = {f'{name[:-4]}, {form}': f'{sets}; source {name}'
                 for i, name in enumerate(name for name in files if name.endswith('.lab'))
                 for k, (form, sets) in enumerate(forms.items()) if os.environ.get('CHECK_LONG') or i % len(forms) == k}

        terminal = {**os.environ, 'TERM': 'xterm-256color', 'COLORFGBG': '15;0', 'LC_ALL': 'C.UTF-8'}

        def there(key):
            """What the program shows in a folder of its own: scripts write files."""
            own = os.path.join(place, key.replace(', ', '.'))
            os.mkdir(own)
            for name, data in files.items():
                with open(os.path.join(own, name), 'wb') as file:
                    file.write(data)
            return subprocess.run([program, '--no-init', '--device', 'sim', '-c', lines[key]], cwd=own, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=terminal).stdout

        browser = Browser()
        try:
            browser.open(server.address)
            browser.ready()
            browser.until('cudalab.machine.kernels', 20)
            browser.run(RUN, {name: base64.b64encode(data).decode() for name, data in files.items()}, lines, os.cpu_count())
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                wanted = dict(zip(lines, pool.map(there, lines)))
            browser.until(f'Object.keys(window.shown).length === {len(lines)}', 1200)
            shown = browser.run('return window.shown')
        finally:
            browser.close()
        differ = []
        for key in lines:
            here = base64.b64decode(shown.get(key, ''))
            there_shown = SUMMED_UP.sub(b'', wanted[key])
            if here != there_shown:
                differ.append(f'{key}: {first_difference(here, there_shown)}')
        ok(lines and not differ, f'{len(lines)} scripts show the same bytes as {program}',
           f'{len(differ)} differ', *differ)
        print(f'# the same bytes: {sum(map(len, wanted.values())) / 1e6:.1f} MB in {time.monotonic() - start:.0f} s')
