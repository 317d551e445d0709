// SPDX-License-Identifier: GPL-3.0-or-later
//
// The terminal on the page: its size, its colours, its text, and who reads it aloud.

import {Terminal} from './xterm.js';
import {FitAddon} from './fit.js';

const COLUMNS_LEAST = 40, FONT_LEAST = 8, FONT_MOST = 15;

const themes = {
    dark: {background: '#101418', foreground: '#e6e6e6', cursor: '#e6e6e6', selectionBackground: '#3a5068'},
    light: {background: '#ffffff', foreground: '#1b1b1b', cursor: '#1b1b1b', selectionBackground: '#b9d4f0',
            black: '#1b1b1b', red: '#a40000', green: '#2a6a00', yellow: '#7a5600', blue: '#1f4f9c',
            magenta: '#75507b', cyan: '#006070', white: '#5c5c5c', brightBlack: '#555753', brightRed: '#b00000',
            brightGreen: '#2a6a00', brightYellow: '#7a5600', brightBlue: '#1f4f9c', brightMagenta: '#75507b',
            brightCyan: '#006070', brightWhite: '#1b1b1b'},
};

export class Screen {
    // place: where it stands; spoken: the region that is read aloud; resized(columns, rows).
    constructor(place, spoken, resized) {
        this.place = place;
        this.spoken = spoken;
        this.reads = false;
        this.decoder = new TextDecoder();
        this.terminal = new Terminal({
            convertEol: true, scrollback: 20000, fontSize: FONT_MOST, cursorBlink: false, minimumContrastRatio: 4.5,
            fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace',
        });
        this.fit = new FitAddon();
        this.terminal.loadAddon(this.fit);
        this.terminal.open(place);
        this.terminal.textarea.setAttribute('aria-label', 'Commands. Escape, then Tab, leaves the prompt.');
        this.terminal.write('\x1b[?2004h');
        this.resize();
        this.terminal.onResize(({cols, rows}) => resized(cols, rows));
        new ResizeObserver(() => this.resize()).observe(place);
    }

    get columns() { return this.terminal.cols; }
    get rows() { return this.terminal.rows; }

    // As many columns as there is room for. A narrow screen gets smaller letters.
    resize() {
        if (!this.place.clientWidth)
            return;
        for (let size = FONT_MOST; size >= FONT_LEAST; size--) {
            this.terminal.options.fontSize = size;
            const fits = this.fit.proposeDimensions();
            if (fits && (fits.cols >= COLUMNS_LEAST || size === FONT_LEAST)) {
                this.terminal.resize(Math.max(fits.cols, 20), Math.max(fits.rows, 4));
                return;
            }
        }
    }

    paint(light) {
        this.terminal.options.theme = themes[light ? 'light' : 'dark'];
    }

    // For a screen reader: xterm.js makes its rows readable, and new text is in a region of its own.
    read(on) {
        this.reads = on;
        this.terminal.options.screenReaderMode = on;
        this.place.querySelector('.live-region')?.setAttribute('aria-live', 'off'); // not twice
        if (!on)
            this.spoken.replaceChildren();
    }

    write(text) {
        this.terminal.write(text);
    }

    output(bytes, taken) {
        this.terminal.write(bytes, taken);
        if (this.reads)
            this.say(this.decoder.decode(bytes, {stream: true}));
    }

    say(text) {
        const plain = text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r/g, '');
        if (!plain.trim())
            return;
        const part = document.createElement('p');
        part.textContent = plain;
        this.spoken.append(part);
        while (this.spoken.childElementCount > 50)
            this.spoken.firstElementChild.remove();
    }

    // All text, with the rows of a long line joined again.
    text() {
        const {active} = this.terminal.buffer;
        let text = '';
        for (let i = 0; i < active.length; i++) {
            const row = active.getLine(i), goesOn = active.getLine(i + 1)?.isWrapped;
            text += row.translateToString(!goesOn) + (goesOn ? '' : '\n');
        }
        return text.trimEnd() + '\n';
    }
}
