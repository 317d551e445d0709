// SPDX-License-Identifier: GPL-3.0-or-later
//
// Editing one line in a terminal, with the keys of readline. The editor holds the line as a list of
// characters and draws it anew after each key. It knows no page and no module: it gets keys and
// writes to a terminal, and it tells its host what was typed.
//
// A line that was pasted may have line breaks in it. Enter gives all of it to the host.

const marks = /\p{M}|\p{Cf}/u;

// Columns that a character takes, as xterm.js counts them.
export function columnsOf(character) {
    const code = character.codePointAt(0);
    if (code < 0x300)
        return 1;
    if (marks.test(character))
        return 0;
    const wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
        (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
        (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
        (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x20000 && code <= 0x3fffd);
    return wide ? 2 : 1;
}

const escapes = /\x1b\[[0-9;?]*[A-Za-z]/g;

// The keys of a terminal, each with the method that it calls.
const keys = {
    '\r': 'enter', '\n': 'enter', '\t': 'complete', '\x7f': 'rubOut', '\b': 'rubOut',
    '\x01': 'toStart', '\x02': 'left', '\x03': 'drop', '\x04': 'deleteOrEnd', '\x05': 'toEnd',
    '\x06': 'right', '\x0b': 'killToEnd', '\x0c': 'clearScreen', '\x0e': 'newer', '\x10': 'older',
    '\x12': 'search', '\x15': 'killToStart', '\x17': 'killWord', '\x19': 'yank',
    '\x1b[A': 'older', '\x1b[B': 'newer', '\x1b[C': 'right', '\x1b[D': 'left',
    '\x1bOA': 'older', '\x1bOB': 'newer', '\x1bOC': 'right', '\x1bOD': 'left',
    '\x1b[H': 'toStart', '\x1b[F': 'toEnd', '\x1bOH': 'toStart', '\x1bOF': 'toEnd',
    '\x1b[1~': 'toStart', '\x1b[4~': 'toEnd', '\x1b[3~': 'deleteHere',
    '\x1b[1;5C': 'wordRight', '\x1b[1;5D': 'wordLeft', '\x1bf': 'wordRight', '\x1bb': 'wordLeft',
    '\x1b[1;3C': 'wordRight', '\x1b[1;3D': 'wordLeft',
    '\x1b\x7f': 'killWord', '\x1bd': 'killWordRight',
};

// host: write(text), columns(), typed(line), dropped(), ended(), complete(before) -> promise of
// {from, names, calls}, or null where nothing can be completed.
export class Editor {
    constructor(host, history = []) {
        this.host = host;
        this.history = history;
        this.killed = '';
        this.open = false;
        this.reset();
    }

    reset() {
        this.line = [];
        this.at = 0;
        this.row = 0;          // of the cursor, below the row where the prompt begins
        this.place = this.history.length;
        this.kept = '';        // what was typed before an older line was looked at
        this.searching = null; // {text, place}: Ctrl-R
    }

    // A prompt begins. `own`: what is typed is no line of the history.
    begin(prompt, own = false) {
        this.reset();
        this.prompt = prompt;
        this.own = own;
        this.open = true;
        this.draw();
    }

    // The host writes something else now.
    end() {
        this.open = false;
    }

    text() {
        return this.line.join('');
    }

    set(text) {
        this.line = Array.from(text);
        this.at = this.line.length;
    }

    // ---- drawing ----------------------------------------------------------------------------

    // Where the cursor is after these characters.
    walk(characters, from = {row: 0, column: 0}) {
        const width = Math.max(this.host.columns(), 2);
        let {row, column} = from;
        for (const character of characters) {
            const takes = character === '\n' ? 0 : columnsOf(character);
            if (character === '\n' || column + takes > width) {
                row++;
                column = 0;
            }
            column += takes;
        }
        return {row, column, full: column === width};
    }

    shown() {
        if (!this.searching)
            return {prompt: this.prompt, line: this.line, at: this.at};
        return {prompt: `(search) ${this.searching.text}: `, line: this.line, at: this.line.length};
    }

    draw() {
        const {prompt, line, at} = this.shown();
        const width = Math.max(this.host.columns(), 2);
        const start = this.walk(Array.from(prompt.replace(escapes, '')));
        const end = this.walk(line, start);
        let cursor = this.walk(line.slice(0, at), start);
        let out = (this.row ? `\x1b[${this.row}A` : '') + '\r\x1b[J' + prompt;
        out += line.join('').replace(/\n/g, '\r\n').replace(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]/g, '?');
        let last = end.row;
        if (end.full) { // the terminal waits with the next row until something stands there
            out += '\r\n';
            last++;
        }
        if (cursor.full || (at < line.length && line[at] !== '\n' &&
                            cursor.column + columnsOf(line[at]) > width))
            cursor = {row: cursor.row + 1, column: 0};
        if (last > cursor.row)
            out += `\x1b[${last - cursor.row}A`;
        out += '\r' + (cursor.column ? `\x1b[${cursor.column}C` : '');
        this.row = cursor.row;
        this.host.write(out);
    }

    // Leave the line as it stands; the cursor goes below it.
    leave(sign = '') {
        this.searching = null;
        this.at = this.line.length;
        this.draw();
        this.host.write(sign + (this.shownFull() && !sign ? '' : '\r\n'));
        this.open = false;
    }

    shownFull() {
        const start = this.walk(Array.from(this.prompt.replace(escapes, '')));
        return this.line.length > 0 && this.walk(this.line, start).full;
    }

    // After the width changed. The terminal leaves the rows with the cursor as they were.
    resized() {
        if (this.open)
            this.draw();
    }

    // ---- keys -------------------------------------------------------------------------------

    // What the terminal sent: a key, or several characters at once. Returns what comes after a
    // line that was given to the host.
    input(data) {
        while (data && this.open) {
            const [key, rest] = this.first(data);
            data = rest;
            if (key.paste !== undefined)
                this.insert(key.paste.replace(/\r\n?/g, '\n').replace(/\n+$/, ''));
            else
                this.press(key.key);
        }
        return data;
    }

    first(data) {
        const pasted = /^\x1b\[200~([^]*?)\x1b\[201~/.exec(data);
        if (pasted)
            return [{paste: pasted[1]}, data.slice(pasted[0].length)];
        const known = /^(?:\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|\x1b[^[O])/.exec(data);
        const key = known ? known[0] : String.fromCodePoint(data.codePointAt(0));
        return [{key}, data.slice(key.length)];
    }

    press(key) {
        if (this.searching && this.searchKey(key))
            return;
        const action = Object.hasOwn(keys, key) ? keys[key] : null;
        if (action !== 'complete')
            this.listed = null;
        if (action)
            this[action]();
        else if (key >= ' ')
            this.insert(key);
    }

    insert(text) {
        const characters = Array.from(text);
        this.line.splice(this.at, 0, ...characters);
        this.at += characters.length;
        this.draw();
    }

    enter() {
        const text = this.text();
        this.leave();
        if (!this.own && text.trim() && this.history[this.history.length - 1] !== text)
            this.history.push(text);
        this.host.typed(text);
    }

    drop() {
        this.leave('^C');
        this.host.dropped();
    }

    deleteOrEnd() {
        if (this.line.length)
            return this.deleteHere();
        this.leave();
        this.host.ended();
    }

    cut(from, to, keeps = true) {
        const gone = this.line.splice(from, to - from).join('');
        if (keeps && gone)
            this.killed = gone;
        this.at = from;
        this.draw();
    }

    go(to) {
        this.at = Math.min(Math.max(to, 0), this.line.length);
        this.draw();
    }

    // One step over a character and the marks on it.
    beside(step) {
        let at = this.at + step;
        while (at > 0 && at < this.line.length && columnsOf(this.line[at]) === 0)
            at += step;
        return Math.min(Math.max(at, 0), this.line.length);
    }

    word(step) {
        const letter = (at) => /[\p{L}\p{N}_]/u.test(this.line[at] ?? '');
        let at = this.at;
        const next = () => (step < 0 ? at - 1 : at);
        const inside = () => (step < 0 ? at > 0 : at < this.line.length);
        while (inside() && !letter(next()))
            at += step;
        while (inside() && letter(next()))
            at += step;
        return at;
    }

    left() { this.go(this.beside(-1)); }
    right() { this.go(this.beside(1)); }
    toStart() { this.go(0); }
    toEnd() { this.go(this.line.length); }
    wordLeft() { this.go(this.word(-1)); }
    wordRight() { this.go(this.word(1)); }
    rubOut() { this.cut(this.beside(-1), this.at, false); }
    killToEnd() { this.cut(this.at, this.line.length); }
    killToStart() { this.cut(0, this.at); }
    killWordRight() { this.cut(this.at, this.word(1)); }
    yank() { this.insert(this.killed); }

    deleteHere() {
        const at = this.at;
        this.cut(at, this.beside(1), false);
    }

    // As in a shell, Ctrl-W takes all up to a blank.
    killWord() {
        let from = this.at;
        while (from && this.line[from - 1] === ' ')
            from--;
        while (from && this.line[from - 1] !== ' ')
            from--;
        this.cut(from, this.at);
    }

    clearScreen() {
        this.host.write('\x1b[H\x1b[2J\x1b[3J');
        this.row = 0;
        this.draw();
    }

    // ---- history ----------------------------------------------------------------------------

    look(place) {
        if (place < 0 || place > this.history.length || this.own)
            return;
        if (this.place === this.history.length)
            this.kept = this.text();
        this.place = place;
        this.set(place === this.history.length ? this.kept : this.history[place]);
        this.draw();
    }

    older() { this.look(this.place - 1); }
    newer() { this.look(this.place + 1); }

    search() {
        if (this.own)
            return;
        this.searching = {text: '', place: this.history.length, before: this.text()};
        this.draw();
    }

    find(from) {
        const {text} = this.searching;
        for (let place = Math.min(from, this.history.length - 1); place >= 0 && text; place--)
            if (this.history[place].includes(text)) {
                this.searching.place = place;
                this.set(this.history[place]);
                break;
            }
        this.draw();
    }

    // A key while searching. False: the search is over, and the key does what it does elsewhere.
    searchKey(key) {
        const search = this.searching;
        if (key === '\x12')
            this.find(search.place - 1);
        else if (key === '\x7f' || key === '\b') {
            search.text = Array.from(search.text).slice(0, -1).join('');
            this.find(this.history.length - 1);
        } else if (key === '\x07' || key === '\x03') {
            this.searching = null;
            this.set(search.before);
            this.draw();
        } else if (key >= ' ' && key !== '\x7f') {
            search.text += key;
            this.find(search.place);
        } else {
            this.searching = null;
            return false;
        }
        return true;
    }

    // ---- completion -------------------------------------------------------------------------

    async complete() {
        if (this.own)
            return;
        const before = this.line.slice(0, this.at).join('');
        const found = await this.host.complete(before);
        if (!found || !this.open || this.line.slice(0, this.at).join('') !== before)
            return; // something else was typed meanwhile
        const bytes = new TextEncoder().encode(before);
        const from = Array.from(new TextDecoder().decode(bytes.slice(0, found.from))).length;
        const piece = this.line.slice(from, this.at).join('');
        if (found.names.length === 0)
            return;
        const common = found.names.reduce(shared);
        if (found.names.length === 1) {
            const after = found.calls ? '<<<' : common.endsWith('/') ? '' : ' ';
            this.replace(from, common + after);
        } else if (common.length > piece.length) {
            this.replace(from, common);
        } else if (this.listed === before) {
            this.list(found.names);
            this.listed = null;
        } else {
            this.listed = before; // a second Tab shows the list
        }
    }

    replace(from, text) {
        this.line.splice(from, this.at - from, ...Array.from(text));
        this.at = from + Array.from(text).length;
        this.draw();
    }

    list(names) {
        const at = this.at, width = this.host.columns();
        const widths = names.map((name) => this.walk(Array.from(name)).column);
        const column = Math.min(Math.max(...widths) + 2, width);
        const across = Math.max(1, Math.floor(width / column));
        const down = Math.ceil(names.length / across);
        let out = '';
        for (let row = 0; row < down; row++) {
            for (let i = row; i < names.length; i += down)
                out += names[i] + (i + down < names.length ? ' '.repeat(Math.max(column - widths[i], 0)) : '');
            out += '\r\n';
        }
        this.at = this.line.length;
        this.draw();
        this.host.write('\r\n' + out);
        this.row = 0;
        this.at = at;
        this.draw();
    }
}

// What both names begin with.
function shared(one, other) {
    const a = Array.from(one), b = Array.from(other);
    let n = 0;
    while (n < a.length && n < b.length && a[n] === b[n])
        n++;
    return a.slice(0, n).join('');
}
