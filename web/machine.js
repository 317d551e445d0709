// SPDX-License-Identifier: GPL-3.0-or-later
//
// The worker and the session that it has. A worker that must be ended is replaced by a fresh one,
// which gets the session's inputs again and shows nothing of them. So Ctrl-C works where there is no
// shared memory, and a module that can't go on costs only the line that it failed in.
//
// A command that was stopped has done a part of its work, and no list of inputs says which. So the
// worker is replaced after every stop, and the session is as it was before that command. Then a link
// holds the session as it is. Where the command was a step of a lecture, the lecture goes on there.

import {Session} from './session.js';

// As in worker.js.
const STOP = 0, ANSWERED = 1, LENGTH = 2, TAKEN = 3, WORDS = 4;
const ANSWER_MOST = 1 << 16;
const PATIENCE = 120; // ms that a command has to stop by itself
const SLOW = 1000;    // ms after which the page says why a line waits

// host: output(bytes, taken), prompt(text), asks(question), ended(), fresh(), files(list, silent),
// course(text), says(sentence), notes(sentence).
export class Machine {
    constructor(folder, host) {
        this.folder = folder;
        this.host = host;
        this.session = new Session();
        this.state = 'opening'; // ready, busy, asking, ended
        this.look = {columns: 80, rows: 24, light: false, plain: false};
        this.course = null;
        this.kernels = null; // the labs' kernels, which come after the prompt
        this.questions = new Map();
        this.number = 0;
        this.isolated = self.crossOriginIsolated === true && typeof SharedArrayBuffer === 'function';
    }

    // Begin with this session. shows: 'all' or 'nothing' of what its lines write.
    async open(session, shows) {
        this.code ??= await this.compile(this.folder + 'cudalab.wasm');
        this.session = session;
        this.start(shows);
        this.opening = true; // until its lines have run
    }

    // A server that gives the module another type can't be compiled from while it is loaded.
    async compile(place) {
        try {
            return await WebAssembly.compileStreaming(fetch(place));
        } catch {
            const response = await fetch(place);
            if (!response.ok)
                throw new Error('the server has no cudalab.wasm');
            return WebAssembly.compile(await response.arrayBuffer());
        }
    }

    start(shows, answering = false) {
        this.worker?.terminate();
        for (const answer of this.questions.values())
            answer(null);
        this.questions.clear();
        clearTimeout(this.patience);
        clearTimeout(this.slow);
        this.host.fresh();
        const worker = new Worker(this.folder + 'worker.js');
        this.worker = worker;
        this.given = this.session.lines.length; // lines that it has been given, replayed or new
        this.replayed = this.given;
        this.replaying = this.given > 0;
        this.opening = false;
        this.words = this.isolated ? new Int32Array(new SharedArrayBuffer(4 * WORDS + ANSWER_MOST)) : null;
        worker.onmessage = ({data}) => worker === this.worker && this.hear(data);
        worker.onerror = (event) => {
            event.preventDefault?.();
            if (worker === this.worker)
                this.crash(this.given - 1, event.message || 'the worker could not start');
        };
        this.send({do: 'open', code: this.code, places: {glue: this.folder + 'cudalab.js', kernels: this.folder + 'cudalab.data'}, look: this.look,
                   session: {lines: this.session.lines, answers: this.session.answers, files: this.session.files},
                   shows, answering, shared: this.words?.buffer ?? null, kernels: this.kernels, course: this.course /* as it was at the beginning */});
    }

    // A command that needs the kernels before they are here loads them itself.
    async loadKernels() {
        if (this.kernels || this.loading)
            return;
        this.loading = true;
        try {
            const response = await fetch(this.folder + 'cudalab.data');
            if (!response.ok)
                return;
            this.kernels = await response.arrayBuffer();
            this.send({do: 'kernels', bytes: this.kernels});
        } catch {
            // no network now; the command that needs them says so
        } finally {
            this.loading = false;
        }
    }

    send(order) {
        this.worker.postMessage(order);
    }

    // ---- what the page does -----------------------------------------------------------------

    run(text) {
        this.session.line(text);
        this.given++;
        this.running = this.session.lines.length - 1;
        this.state = 'busy';
        if (this.words)
            Atomics.store(this.words, STOP, 0);
        this.send({do: 'line', text});
    }

    drop() {
        if (this.replaying)
            return this.host.prompt(this.prompt); // the module has nothing of that line
        this.send({do: 'drop'});
        this.state = 'busy';
    }

    answer(text) {
        const at = this.running;
        this.session.answers.push({at, text});
        this.state = 'busy';
        if (!this.words) {
            this.start('nothing', true);
            return;
        }
        const bytes = new TextEncoder().encode(text).subarray(0, ANSWER_MOST);
        new Uint8Array(this.words.buffer, 4 * WORDS).set(bytes);
        Atomics.store(this.words, LENGTH, bytes.length);
        Atomics.store(this.words, ANSWERED, 1);
        Atomics.notify(this.words, ANSWERED);
    }

    file(name, bytes) {
        this.session.file(name, bytes);
        this.send({do: 'file', name, bytes});
    }

    // Ctrl-C. A command that does not stop by itself loses its worker.
    stop() {
        if (this.state !== 'busy')
            return;
        if (this.words && !this.replaying) {
            Atomics.store(this.words, STOP, 1);
            Atomics.notify(this.words, TAKEN);
            clearTimeout(this.patience);
            this.patience = setTimeout(() => this.state === 'busy' && this.replace(), PATIENCE);
        } else {
            this.replace();
        }
    }

    // End the command with its worker.
    replace() {
        this.host.says('stopped');
        this.goBack();
    }

    // The session is as it was before the command that was stopped.
    goBack() {
        if (this.again(this.running))
            this.host.says('The session goes on before the step that was stopped.');
    }

    // A fresh worker without the last input of line `at`. If that was an answer, the line asks again. Else
    // the prompt is there at once, and lines that are typed meanwhile wait. True: it asks again.
    again(at) {
        const asksAgain = !this.opening && this.session.forgetAnswer(at);
        if (!asksAgain)
            this.session.forget(at);
        this.start('nothing');
        this.slow = setTimeout(() => this.replaying && this.host.notes(
            'The earlier commands run again, without the last one. What you type waits for them.'), SLOW);
        this.state = asksAgain ? 'busy' : 'ready';
        this.prompt ??= 'cudalab> ';
        if (!asksAgain)
            this.host.prompt(this.prompt);
        return asksAgain;
    }

    lookLike(look) {
        this.look = {...this.look, ...look};
        if (this.worker)
            this.send({do: 'look', ...this.look});
    }

    // A question beside the lines; null where it can't be answered now.
    ask(what, details = {}) {
        if (this.state !== 'ready' || !this.worker)
            return Promise.resolve(null);
        return new Promise((answer) => {
            const number = ++this.number;
            this.questions.set(number, answer);
            this.send({do: what, number, ...details});
        });
    }

    // ---- what the worker says ---------------------------------------------------------------

    hear(message) {
        switch (message.is) {
        case 'output': {
            const {words} = this, {length} = message.bytes;
            this.host.output(message.bytes, () => {
                if (words) {
                    Atomics.add(words, TAKEN, length);
                    Atomics.notify(words, TAKEN);
                }
            });
            break;
        }
        case 'replays':
            if (this.state === 'opening')
                this.state = 'busy';
            if (this.given === this.replayed) // else a line was typed meanwhile, and waits
                this.running = message.line;
            break;
        case 'asks':
            clearTimeout(this.patience);
            this.replaying = this.opening = false;
            if (message.stopped)
                return this.goBack();
            this.state = 'asking';
            if (message.line < this.replayed)
                this.running = message.line;
            this.host.asks(message.question);
            break;
        case 'answer':
            this.questions.get(message.number)?.(message.value);
            this.questions.delete(message.number);
            break;
        case 'files':
            this.host.files(message.list, message.silent);
            break;
        case 'prompt':
            this.ready(message);
            break;
        case 'crash':
            this.crash(message.line, message.why);
            break;
        }
    }

    ready({text, line, stopped, course}) {
        this.replaying = this.opening = false;
        this.loadKernels();
        if (course !== null)
            this.host.course(course);
        if (line < this.given - 1)
            return; // a line was typed meanwhile
        clearTimeout(this.patience);
        if (stopped)
            return this.goBack();
        if (text === null) {
            this.state = 'ended';
            this.host.ended();
            return;
        }
        const known = this.state === 'ready'; // its prompt stands there since the worker was replaced
        this.state = 'ready';
        if (!known || text !== this.prompt)
            this.host.prompt(text);
        this.prompt = text;
    }

    crash(line, why) {
        const at = line < this.replayed ? line : this.running;
        const lost = this.session.lines[at];
        if (lost === undefined) {
            this.host.says(`cudalab could not start: ${why}`);
            this.state = 'ended';
            this.host.ended();
            return;
        }
        const memory = /memory|allocat|grow/i.test(why);
        this.host.says(memory
            ? 'The browser has refused the memory that this command needs. The session goes on without it.'
            : `This command has ended cudalab (${why}). The session goes on without it.`);
        this.again(at);
    }
}
