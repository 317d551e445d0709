// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands beside the prompt: the course and what of it is done, the last screen as a picture, and
// the session's files. One panel is open at a time, and it is filled when it is opened and after each
// command.

const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
};

export function download(name, bytes, type = 'application/octet-stream') {
    const place = URL.createObjectURL(new Blob([bytes], {type}));
    element('a', {href: place, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(place), 10000);
}

const signs = {done: '✓', begun: '…', skipped: '–', open: ' '};

// host: ask(what, details), run(line), isLight(), lectures() -> names, upload(), says(sentence).
export class Panels {
    constructor(side, host) {
        this.side = side;
        this.host = host;
        this.open = null;
        this.files = new Map(); // name -> {size, own}: what the session's folder has
        for (const name of ['course', 'picture', 'files'])
            document.getElementById(name + '-button').onclick = () => this.toggle(name);
    }

    toggle(name) {
        this.open = this.open === name ? null : name;
        for (const each of ['course', 'picture', 'files'])
            document.getElementById(each + '-button').setAttribute('aria-expanded', String(each === this.open));
        this.side.hidden = this.open === null;
        this.side.replaceChildren();
        this.fill();
    }

    add(list) {
        for (const {name, size, own} of list)
            this.files.set(name, {size, own});
        if (this.open === 'files')
            this.fill();
    }

    async fill() {
        if (this.open)
            await this['fill_' + this.open]();
    }

    show(name, ...content) {
        if (this.open === name)
            this.side.replaceChildren(...content);
    }

    // A command runs. What an open panel shows stays meanwhile.
    wait(name) {
        if (!this.side.childElementCount)
            this.show(name, element('p', {textContent: 'This panel is filled when the command has ended.'}));
    }

    async fill_course() {
        const found = await this.host.ask('json', {text: 'next --list'});
        const sessions = found && JSON.parse(found)[0]?.result?.sessions;
        if (!sessions)
            return this.wait('course');
        const parts = [element('h2', {textContent: 'Course'})];
        sessions.forEach((session, i) => {
            const state = (lab) => Object.keys(signs).find((word) => session[word]?.includes(lab)) ?? 'open';
            const done = session.labs.filter((lab) => state(lab) === 'done').length;
            const list = element('ul');
            for (const lab of session.labs)
                list.append(element('li', {className: state(lab)},
                    element('span', {className: 'sign', ariaHidden: 'true', textContent: signs[state(lab)]}),
                    element('button', {textContent: lab, onclick: () => this.host.run('next ' + lab)}),
                    element('span', {className: 'state', textContent: state(lab)})));
            parts.push(element('h3', {textContent: `${i + 1}. ${session.title}`}),
                element('p', {className: 'count', textContent: `${done} of ${session.labs.length} done`}), list);
        });
        const lectures = await this.host.lectures();
        if (lectures.length) {
            const list = element('ul');
            for (const name of lectures)
                list.append(element('li', {}, element('a', {href: '#play=' + name, textContent: name})));
            parts.push(element('h2', {textContent: 'Lectures'}), list);
        }
        this.show('course', ...parts);
    }

    async fill_picture() {
        const svg = await this.host.ask('picture', {dark: !this.host.isLight()});
        if (svg === null)
            return this.wait('picture');
        const title = element('h2', {textContent: 'Picture'});
        if (!svg) {
            this.show('picture', title, element('p', {textContent: 'Run a lab, for example banks 32. Its screen is then here as a picture.'}));
            return;
        }
        const blob = new Blob([svg], {type: 'image/svg+xml'});
        const image = element('img', {alt: 'The last output, the same as at the prompt', src: URL.createObjectURL(blob)});
        image.onload = () => URL.revokeObjectURL(image.src);
        this.show('picture', title, image,
            element('button', {textContent: 'Save SVG', onclick: () => download('cudalab.svg', svg, 'image/svg+xml')}));
    }

    async fill_files() {
        const list = element('ul');
        for (const [name, {size, own}] of this.files)
            list.append(element('li', {},
                element('button', {textContent: name, onclick: () => this.save(name)}),
                element('span', {className: 'state', textContent: `${size.toLocaleString('en')} bytes${own ? ', yours' : ''}`})));
        this.show('files', element('h2', {textContent: 'Files'}),
            element('p', {textContent: this.files.size
                ? 'These files are in the session. A button saves the file on your computer.'
                : 'Files that you add, and files that commands write, are listed here. PTX can also be pasted at the prompt.'}),
            list, element('button', {textContent: 'Add files', onclick: () => this.host.upload()}));
    }

    async save(name) {
        const bytes = await this.host.ask('read', {name});
        if (bytes)
            download(name, bytes, name.endsWith('.svg') ? 'image/svg+xml' : 'application/octet-stream');
        else
            this.host.says(`The file ${name} can't be read now. Wait until the command has ended.`);
    }
}
