// SPDX-License-Identifier: GPL-3.0-or-later
//
// A session is the list of its inputs: lines, answers to questions, and files. cudalab gives the
// same bytes for the same inputs, so the list stands for the session: a link holds it, and a fresh
// worker that gets it again is in the same state.
//
// The input whose command was stopped, or ended the module, is taken out of the list.

export const LINK_MOST = 1 << 20;      // characters of a link
export const SESSION_MOST = 16 << 20;  // bytes of what is in it

export class Session {
    constructor() {
        this.lines = [];
        this.answers = []; // {at, text}: to a question of line `at`
        this.files = [];   // {at, name, bytes}: there before line `at`
    }

    line(text) { this.lines.push(text); }
    file(name, bytes) { this.files.push({at: this.lines.length, name, bytes}); }

    // Take line `at` out, with the answers that it got.
    forget(at) {
        if (at < 0 || at >= this.lines.length)
            return;
        this.lines.splice(at, 1);
        this.answers = this.answers.filter((a) => a.at !== at);
        for (const input of [...this.answers, ...this.files])
            if (input.at > at)
                input.at--;
    }

    // Take the last answer to line `at` out. False: it has got none.
    forgetAnswer(at) {
        const place = this.answers.findLastIndex((answer) => answer.at === at);
        if (place >= 0)
            this.answers.splice(place, 1);
        return place >= 0;
    }

    // As a script. Answers are no lines of one.
    script() {
        return this.lines.map((line) => line + '\n').join('');
    }
}

// ---- links --------------------------------------------------------------------------------------

class Said extends Error {} // its message is for the student
const CHANGED = 'a part of it is missing or changed';

function base64url(bytes) {
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000)
        text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function unbase64url(text) {
    const plain = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

// The bytes through a CompressionStream or a DecompressionStream.
function through(Stream, bytes, most) {
    let stream;
    try {
        stream = new Stream('deflate-raw');
    } catch {
        throw new Said('this browser is too old for links');
    }
    return whole(new Blob([bytes]).stream().pipeThrough(stream), most);
}

// All bytes of a stream; an error where there are more than `most`.
async function whole(stream, most) {
    const reader = stream.getReader(), parts = [];
    let length = 0;
    for (;;) {
        const {done, value} = await reader.read();
        if (done)
            break;
        length += value.length;
        if (length > most) {
            reader.cancel().catch(() => {});
            throw new Said('it is too large');
        }
        parts.push(value);
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

// What follows #s= in a link.
export async function encode(session) {
    const text = JSON.stringify({
        v: 1, lines: session.lines,
        files: session.files.map(({at, name, bytes}) => ({at, name, bytes: base64url(bytes)})),
        answers: session.answers,
    });
    return base64url(await through(globalThis.CompressionStream, text, SESSION_MOST));
}

const isText = (value, most) => typeof value === 'string' && value.length <= most;
const isPlace = (value, most) => Number.isInteger(value) && value >= 0 && value <= most;
// A file is in the session's folder.
export const isName = (value) => isText(value, 255) && /^[^/\0]+$/.test(value) && value !== '.' && value !== '..';

// The session of a link. An error says in words why there is none.
export async function decode(text) {
    let given;
    if (text.length > LINK_MOST)
        throw new Said('it is longer than a million characters');
    if (!/^[A-Za-z0-9_-]*$/.test(text))
        throw new Said(CHANGED);
    try {
        const bytes = await through(globalThis.DecompressionStream, unbase64url(text), SESSION_MOST);
        given = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
    } catch (error) {
        throw error instanceof Said ? error : new Said(CHANGED);
    }
    if (given?.v !== 1)
        throw new Said('a newer cudalab wrote it');
    const session = new Session();
    const {lines, files, answers} = given;
    const most = Array.isArray(lines) ? lines.length : 0;
    const good = [lines, files, answers].every(Array.isArray) &&
        lines.every((line) => isText(line, SESSION_MOST)) &&
        answers.every((a) => a && isPlace(a.at, most) && isText(a.text, SESSION_MOST)) &&
        files.every((f) => f && isPlace(f.at, most) && isName(f.name) && isText(f.bytes, SESSION_MOST) &&
                           /^[A-Za-z0-9_-]*$/.test(f.bytes));
    if (!good)
        throw new Said(CHANGED);
    session.lines = lines;
    session.answers = answers.map(({at, text: answer}) => ({at, text: answer}));
    session.files = files.map(({at, name, bytes}) => ({at, name, bytes: unbase64url(bytes)}));
    return session;
}

// ---- what the browser keeps ----------------------------------------------------------------------

// Storage may be full or forbidden. Then nothing is kept, and put() says so by false.
export const kept = {
    get(name, otherwise = null) {
        try {
            return localStorage.getItem('cudalab.' + name) ?? otherwise;
        } catch {
            return otherwise;
        }
    },
    put(name, value) {
        try {
            localStorage.setItem('cudalab.' + name, value);
            return true;
        } catch {
            return false;
        }
    },
};
