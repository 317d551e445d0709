// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page: it joins the terminal, the line editor, the session's worker and the panels. What the
// address says after # is a session (#s=) or a lecture (#play=) to begin with.

import {Editor} from './editor.js';
import {Machine} from './machine.js';
import {Panels, download} from './panels.js';
import {Screen} from './terminal.js';
import {LINK_MOST, SESSION_MOST, Session, decode, encode, isName, kept} from './session.js';

const HISTORY_MOST = 500;
const at = (id) => document.getElementById(id);
const folder = new URL(document.body.dataset.files, document.baseURI).href;

// ---- what the browser must have ------------------------------------------------------------------

// A module with one instruction of SIMD.
const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
                             65, 0, 253, 15, 253, 98, 11]);

function lacks() {
    if (typeof WebAssembly !== 'object')
        return 'WebAssembly';
    if (!WebAssembly.validate(simd))
        return 'SIMD in WebAssembly';
    return null;
}

// ---- light and dark ------------------------------------------------------------------------------

const wishes = ['auto', 'light', 'dark'];
const wishNames = {auto: 'as the system', light: 'light', dark: 'dark'};
const systemLight = matchMedia('(prefers-color-scheme: light)');
let wish = wishes.includes(kept.get('theme')) ? kept.get('theme') : 'auto';

const isLight = () => (wish === 'auto' ? systemLight.matches : wish === 'light');

function paint() {
    document.documentElement.dataset.theme = isLight() ? 'light' : 'dark';
    at('theme').textContent = 'Theme: ' + wishNames[wish];
    screen.paint(isLight());
    machine.lookLike({light: isLight()});
    panels.fill();
}

// For a screen reader: sentences in place of pictures.
function readAloud(on) {
    screen.read(on);
    at('reader').setAttribute('aria-pressed', String(on));
    machine.lookLike({plain: on});
}

// ---- the parts -----------------------------------------------------------------------------------

let typedAhead = '', said, keeps = true;

const says = (sentence) => {
    at('note').textContent = sentence;
    clearTimeout(said);
    said = setTimeout(() => { at('note').textContent = ''; }, 8000);
};

// Keep this in the browser for the next visit.
function keep(name, value) {
    if (!kept.put(name, value) && keeps) {
        keeps = false; // it is said once
        says('The browser keeps nothing for this page. Your history, your place in the course and your settings end with it.');
    }
}

// A sentence between the lines of the terminal, on a row of its own.
const remark = (sentence) => {
    editor.end();
    screen.write('\r\x1b[J' + sentence + '\r\n');
    if (screen.reads)
        screen.say(sentence);
};

const screen = new Screen(at('terminal'), at('spoken'), (columns, rows) => {
    machine.lookLike({columns, rows});
    editor.resized();
});

let history = [];
try {
    const known = JSON.parse(kept.get('history', '[]'));
    history = Array.isArray(known) ? known.filter((line) => typeof line === 'string').slice(-HISTORY_MOST) : [];
} catch {
    // what is kept was damaged
}

const machine = new Machine(folder, {
    output: (bytes, taken) => screen.output(bytes, taken),
    prompt: (text) => begin(text, false),
    asks: (question) => begin(question, true),
    ended() {
        remark('The session has ended. Enter begins a new one.');
        editor.begin('', true);
    },
    fresh: () => panels.files.clear(),
    files(list, silent) {
        panels.add(list);
        const written = list.filter((file) => !file.own).map((file) => file.name);
        if (written.length && !silent)
            says(`Written: ${written.join(', ')}. The panel Files saves ${written.length > 1 ? 'them' : 'it'} on your computer.`);
    },
    course: (text) => keep('course', text),
    says: remark,
    notes: says,
});

const editor = new Editor({
    write: (text) => screen.write(text),
    columns: () => screen.columns,
    typed(text) {
        if (machine.state === 'ended')
            return renew();
        if (machine.state === 'asking')
            return machine.answer(text);
        if (!text.trim() && machine.prompt === 'cudalab> ')
            return begin(machine.prompt, false);
        keep('history', JSON.stringify(history.slice(-HISTORY_MOST)));
        machine.run(text);
    },
    dropped() {
        if (machine.state === 'ended')
            editor.begin('', true);
        else if (machine.state === 'asking')
            machine.answer('\x03');
        else
            machine.drop();
    },
    ended() {
        if (machine.state === 'ended')
            editor.begin('', true);
        else if (machine.state === 'asking')
            machine.answer('\x04');
        else
            machine.run('quit');
    },
    complete: (before) => machine.ask('complete', {before}),
}, history);

function begin(prompt, own) {
    at('waiting').hidden = true;
    editor.begin(prompt, own);
    const ahead = typedAhead;
    typedAhead = '';
    if (ahead)
        type(ahead);
    if (!own)
        panels.fill();
}

function type(data) {
    if (editor.open && !editor.own && pastedPtx(data))
        return;
    if (editor.open) {
        const rest = editor.input(data);
        if (rest)
            type(rest);
        return;
    }
    const stop = data.lastIndexOf('\x03');
    if (stop < 0) {
        typedAhead += data;
        return;
    }
    typedAhead = data.slice(stop + 1);
    screen.write('^C\r\n');
    machine.stop();
}

// PTX that is pasted at the prompt becomes a file, which is loaded.
function pastedPtx(data) {
    const text = /^\x1b\[200~((?:\s|\/\/[^\r\n]*)*\.version\s.*)\x1b\[201~$/s.exec(data)?.[1];
    if (!text || machine.state !== 'ready')
        return false;
    let number = 1;
    while (panels.files.has(`pasted-${number}.ptx`))
        number++;
    machine.file(`pasted-${number}.ptx`, new TextEncoder().encode(text.replace(/\r\n?/g, '\n')));
    run(`load pasted-${number}.ptx`);
    return true;
}

const panels = new Panels(at('side'), {
    ask: (what, details) => machine.ask(what, details),
    run,
    isLight,
    lectures: async () => (await lectureFiles()).filter((name) => name.endsWith('.lab')).map((name) => name.slice(0, -4)),
    upload: () => at('upload').click(),
    says,
});

// Type a whole line for the student.
function run(line) {
    if (!editor.open || editor.own)
        return says('Wait until the command has ended.');
    editor.set(line);
    editor.draw();
    type('\r');
    screen.terminal.focus();
}

async function renew(session = new Session()) {
    editor.end();
    machine.course = kept.get('course');
    machine.state = 'opening';
    await machine.open(session, 'all');
}

// ---- what the address says -----------------------------------------------------------------------

let known;
const lectureFiles = () => known ??= fetch(folder + 'lectures/list.json').then((r) => r.json()).catch(() => {
    known = undefined; // perhaps there is a network later
    return [];
});

// The lecture NAME.lab, with all files of the lectures: its kernels are among them.
async function lecture(name) {
    const session = new Session();
    const names = await lectureFiles();
    if (!names.includes(name + '.lab'))
        throw new Error('there is no such lecture');
    const own = names.filter((file) => file.split('.')[0] === name); // PTX after the source that it is of
    session.files = await Promise.all(own.map(async (file) => {
        const response = await fetch(folder + 'lectures/' + file);
        if (!response.ok)
            throw new Error(`the server has no ${file}`);
        return {at: 0, name: file, bytes: new Uint8Array(await response.arrayBuffer())};
    }));
    session.line(`play ${name}.lab`);
    return session;
}

// The session to begin with; says what is wrong with the address.
async function wanted() {
    const [, what, text] = /^#(s|play)=(.*)$/s.exec(location.hash) ?? [];
    try {
        if (what === 's')
            return [await decode(text)];
        if (what === 'play')
            return [await lecture(decodeURIComponent(text))];
    } catch (error) {
        const sentence = what === 's'
            ? `This link does not open: ${error.message}. A new session begins.`
            : `The lecture does not open: ${error.message}.`;
        return [new Session(), sentence];
    }
    return [new Session()];
}

async function openAddress() {
    const [session, sentence] = await wanted();
    if (sentence)
        screen.write(sentence + '\r\n');
    await renew(session);
}

// ---- buttons -------------------------------------------------------------------------------------

async function copy(text, what) {
    try {
        await navigator.clipboard.writeText(text);
        says(`${what} is in the clipboard.`);
    } catch {
        says(`The browser does not let the page copy. ${what} is saved as a file.`);
        download('cudalab.txt', text, 'text/plain');
    }
}

async function upload(files) {
    for (const file of files) {
        if (!isName(file.name) || file.size > SESSION_MOST) {
            says(`${file.name} is not added: a file may have ${SESSION_MOST >> 20} MB.`);
            continue;
        }
        if (machine.state !== 'ready') {
            says('Wait until the command has ended, then add the files again.');
            return;
        }
        const bytes = new Uint8Array(await file.arrayBuffer());
        machine.file(file.name, bytes);
        says(`${file.name} is in the session.`);
    }
}

const link = async () => `${location.href.split('#')[0]}#s=${await encode(machine.session)}`;

at('copy-link').onclick = async () => {
    let text;
    try {
        text = await link();
    } catch (error) {
        return says(`There is no link to this session: ${error.message}.`);
    }
    if (text.length > LINK_MOST)
        says('This session is too long for a link: a link has at most a million characters.');
    else
        await copy(text, 'The link to this session');
};
at('copy-text').onclick = () => copy(screen.terminal.getSelection() || screen.text(), 'The text');
at('save-script').onclick = () => download('session.lab', machine.session.script(), 'text/plain');
at('new-session').onclick = () => {
    window.history.replaceState(null, '', location.pathname + location.search);
    screen.terminal.reset();
    screen.write('\x1b[?2004h');
    renew();
};
at('theme').onclick = () => {
    wish = wishes[(wishes.indexOf(wish) + 1) % wishes.length];
    keep('theme', wish);
    paint();
};
at('reader').onclick = () => {
    readAloud(!screen.reads);
    keep('reader', screen.reads ? 'on' : 'off');
};
at('upload').onchange = (event) => {
    upload([...event.target.files]);
    event.target.value = '';
};
for (const button of at('touch').querySelectorAll('button'))
    button.onclick = () => {
        type(button.dataset.key);
        screen.terminal.focus();
    };
at('menu-items').onclick = () => { at('menu').open = false; };
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
    event.preventDefault();
    upload([...event.dataTransfer.files]);
});
systemLight.addEventListener('change', paint);
addEventListener('hashchange', () => {
    screen.write('\r\n');
    openAddress();
});

// Escape, then Tab, leaves the prompt. A selection is copied by Ctrl-C, as everywhere.
let leaves = false;
screen.terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown')
        return true;
    if (event.key === 'Tab' && (leaves || event.shiftKey))
        return false;
    leaves = event.key === 'Escape';
    if (leaves)
        return false;
    if (event.key === 'c' && event.ctrlKey && !event.shiftKey && screen.terminal.hasSelection()) {
        copy(screen.terminal.getSelection(), 'The text');
        screen.terminal.clearSelection();
        event.preventDefault();
        return false;
    }
    return true;
});
screen.terminal.onData(type);

// ---- beginning -----------------------------------------------------------------------------------

// The service worker isolates the page. For that the page is loaded once more, before anything is typed.
async function workOffline() {
    if (!('serviceWorker' in navigator))
        return;
    try {
        await navigator.serviceWorker.register('service-worker.js');
        await navigator.serviceWorker.ready;
        document.body.dataset.offline = 'yes';
        at('offline').textContent = 'The browser keeps this page: it opens without a network.';
        if (machine.isolated || sessionStorage.getItem('cudalab.reloaded'))
            return;
        if (machine.session.lines.length || editor.text())
            return; // the next visit will be isolated
        sessionStorage.setItem('cudalab.reloaded', 'yes');
        location.reload();
    } catch {
        // without it the page works, but not offline
    }
}

const lacking = lacks();
if (lacking) {
    at('waiting').textContent = `This browser has no ${lacking}. cudalab needs a newer browser.`;
} else {
    paint();
    readAloud(kept.get('reader') === 'on');
    machine.lookLike({columns: screen.columns, rows: screen.rows});
    openAddress().then(workOffline, (error) => {
        at('waiting').textContent = `cudalab could not be loaded: ${error.message}. Load the page again.`;
    });
    screen.terminal.focus();
}

// For tests, and for curious students at the browser's console.
window.cudalab = {machine, screen, editor, panels, link};
