// SPDX-License-Identifier: GPL-3.0-or-later
//
// The module in a worker, so that the page answers while a command runs. The page sends the inputs
// of a session one after the other; what commands write goes back in pieces.
//
// A command that runs can't take messages. Where the page is isolated, a few words of shared memory
// tell it that Ctrl-C was pressed, and bring the answer to a question. Elsewhere the page ends this
// worker and gives the inputs to a fresh one; a question ends the command by an exception, and the
// fresh worker has the answer at hand.
'use strict';

const HOME = '/home/web_user', FOLDER = HOME + '/session', COURSE = HOME + '/.local/state/cudalab/course';
// Of the shared words: Ctrl-C; an answer is there; its bytes; bytes of output that the page has taken.
const STOP = 0, ANSWERED = 1, LENGTH = 2, TAKEN = 3, WORDS = 4;
const PIECE = 1 << 15, AHEAD = 1 << 20;

class Asks extends Error {}

let module = null, shared = null, silent = false, stopped = false, given = [], lineAt = -1;

const tell = (message, bytes) => postMessage(message, bytes ? [bytes] : []);

// ---- output -------------------------------------------------------------------------------------

const output = {parts: [], length: 0, sent: 0, since: 0};

function flush() {
    if (!output.length)
        return;
    const all = new Uint8Array(output.length);
    let at = 0;
    for (const part of output.parts) {
        all.set(part, at);
        at += part.length;
    }
    output.parts = [];
    output.length = 0;
    output.sent += all.length;
    output.since = performance.now();
    tell({is: 'output', bytes: all}, all.buffer);
    // The page must not drown in what it can't show yet.
    while (shared && ((output.sent - Atomics.load(shared, TAKEN)) | 0) > AHEAD && !Atomics.load(shared, STOP))
        Atomics.wait(shared, TAKEN, Atomics.load(shared, TAKEN), 50);
}

function write(bytes) {
    if (silent)
        return;
    output.parts.push(bytes);
    output.length += bytes.length;
    if (output.length >= PIECE || performance.now() - output.since > 50)
        flush();
}

const say = (text) => write(new TextEncoder().encode(text));

function takeOutput() {
    for (const fd of [1, 2]) {
        const stream = module.FS.getStream(fd);
        stream.stream_ops = Object.assign({}, stream.stream_ops, {
            write(_, buffer, offset, length) {
                write(Uint8Array.from(buffer.subarray(offset, offset + length)));
                return length;
            },
        });
    }
}

// ---- what the module asks -----------------------------------------------------------------------

function stops() {
    flush();
    const now = shared !== null && Atomics.exchange(shared, STOP, 0) === 1;
    stopped ||= now;
    return now;
}

// The answer that the page has, or will have. Ctrl-C and Ctrl-D are answers of one character.
function ask(question) {
    if (given.length && given[0].at === lineAt) {
        const {text, last} = given.shift();
        if (last)
            silent = false; // from here on, nobody has seen it
        else
            say(question + text + '\n');
        return text;
    }
    flush();
    silent = false;
    if (!shared)
        throw new Asks(question);
    Atomics.store(shared, ANSWERED, 0);
    tell({is: 'asks', question, line: lineAt, stopped});
    Atomics.wait(shared, ANSWERED, 0);
    stopped = false;
    const length = Atomics.load(shared, LENGTH);
    return new TextDecoder().decode(new Uint8Array(shared.buffer, 4 * WORDS).slice(0, length));
}

// The file with the labs' kernels. A command waits for it, so it can't come by a message.
let kernels = null, kernelsPlace = null;

function loadKernels() {
    if (kernels)
        return kernels;
    const request = new XMLHttpRequest();
    request.open('GET', kernelsPlace, false);
    request.responseType = 'arraybuffer';
    try {
        request.send();
    } catch {
        return null;
    }
    if (request.status === 200)
        kernels = new Uint8Array(request.response);
    return kernels;
}

// ---- files --------------------------------------------------------------------------------------

const known = new Map(); // name -> when it was written last, and its size

// Tell the page which files are new or were written since this was done last.
function tellFiles(own) {
    const list = [];
    for (const name of module.FS.readdir(FOLDER)) {
        const {mode, mtime, size} = module.FS.stat(FOLDER + '/' + name);
        const state = mtime.getTime() + ':' + size;
        if (!module.FS.isFile(mode) || known.get(name) === state)
            continue;
        known.set(name, state);
        list.push({name, size, own});
    }
    if (list.length)
        tell({is: 'files', list, silent});
}

// A file of the student's.
function putFile({name, bytes}) {
    module.FS.writeFile(FOLDER + '/' + name, bytes);
    tellFiles(true);
}

function read(path) {
    try {
        return module.FS.readFile(path);
    } catch {
        return null;
    }
}

// ---- the session --------------------------------------------------------------------------------

const call = (name, result, types = [], values = []) => module.ccall('web_' + name, result, types, values);

function prompt(text) {
    flush();
    tellFiles(false);
    const course = read(COURSE);
    tell({is: 'prompt', text, line: lineAt, stopped, course: course && new TextDecoder().decode(course)});
}

function line(text) {
    lineAt++;
    stopped = false;
    return call('line', 'string', ['string'], [text]);
}

async function open(order) {
    const {code, places, look, session, shows, answering, course} = order;
    shared = order.shared ? new Int32Array(order.shared) : null;
    kernels = order.kernels && new Uint8Array(order.kernels);
    kernelsPlace = places.kernels;
    importScripts(places.glue);
    module = await self.cudalab({
        stops, ask, kernels: loadKernels,
        locateFile: (name) => new URL(name, new URL(places.glue, self.location)).href,
        instantiateWasm(imports, ready) {
            WebAssembly.instantiate(code, imports).then((instance) => ready(instance, code), crashed);
            return {};
        },
        onAbort: (why) => { throw new WebAssembly.RuntimeError(String(why)); },
    });
    const {FS} = module;
    takeOutput();
    FS.mkdirTree(FOLDER);
    FS.chdir(FOLDER);
    if (course) {
        FS.mkdirTree(COURSE.slice(0, COURSE.lastIndexOf('/')));
        FS.writeFile(COURSE, course);
    }
    given = session.answers.slice();
    if (answering && given.length)
        given[given.length - 1] = {...given[given.length - 1], last: true};
    silent = shows === 'nothing';
    const files = session.files.slice();
    const filesBefore = (at) => {
        while (files.length && files[0].at <= at)
            putFile(files.shift());
    };
    filesBefore(0);
    orders.look(look);
    let now = call('open', 'string');
    for (const text of session.lines) {
        tellFiles(false);
        filesBefore(lineAt + 1);
        if (now === null || now === '')
            break;
        say(now + text + '\n');
        tell({is: 'replays', line: lineAt + 1});
        now = line(text);
    }
    tellFiles(false);
    filesBefore(Infinity);
    prompt(now || null);
    silent = false;
}

// What the page asks for beside the lines. Nothing of it is shown; the answer goes back.
const asked = {
    complete: ({before}) => JSON.parse(call('complete', 'string', ['string'], [before])),
    json: ({text}) => call('json', 'string', ['string'], [text]),
    read: ({name}) => read(FOLDER + '/' + name),
    picture: ({dark}) => call('picture', 'string', ['number'], [dark ? 1 : 0]),
};

const orders = {
    open,
    line: ({text}) => prompt(line(text) || null),
    drop: () => prompt(call('drop', 'string') || null),
    file: (file) => putFile(file),
    kernels: ({bytes}) => { kernels = new Uint8Array(bytes); },
    look: ({columns, rows, light, plain}) =>
        call('look', null, ['number', 'number', 'number', 'number'], [columns, rows, light ? 1 : 0, plain ? 1 : 0]),
};

function answer({do: what, number, ...details}) {
    let value = null;
    silent = true;
    try {
        value = asked[what](details);
    } finally {
        silent = false;
        tell({is: 'answer', number, value});
    }
}

// The module can't go on: its memory was refused, or it ran into a fault of its own.
function crashed(error) {
    if (error instanceof Asks) {
        flush();
        tell({is: 'asks', question: error.message, line: lineAt});
        return;
    }
    silent = false;
    flush();
    tell({is: 'crash', line: lineAt, why: String(error?.message ?? error)});
}

// While the module is loaded, orders wait.
let last = Promise.resolve();
onmessage = ({data}) => {
    last = last.then(async () => {
        try {
            if (data.number !== undefined)
                answer(data);
            else
                await orders[data.do](data);
        } catch (error) {
            crashed(error);
        }
    });
};
