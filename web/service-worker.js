// SPDX-License-Identifier: GPL-3.0-or-later
//
// Works between the page and the server. It keeps all files of this version, so that the page opens
// without a network. It adds the two headers that isolate the page, so that shared memory works there
// also where the server does not send them.
'use strict';

const version = 'cudalab-@HASH@';
const files = []; // written by build-aux/web-page

self.addEventListener('install', (event) => {
    event.waitUntil((async () => {
        const cache = await caches.open(version);
        await cache.addAll(files.map((name) => new Request(name, {cache: 'no-cache'})));
    })());
});

self.addEventListener('activate', (event) => {
    event.waitUntil((async () => {
        for (const name of await caches.keys())
            if (name.startsWith('cudalab-') && name !== version)
                await caches.delete(name);
        await self.clients.claim();
    })());
});

function isolated(response) {
    if (response.status === 0 || response.type === 'opaque')
        return response;
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    return new Response(response.body, {status: response.status, statusText: response.statusText, headers});
}

self.addEventListener('fetch', (event) => {
    const {request} = event;
    const url = new URL(request.url);
    if (request.method !== 'GET' || url.origin !== self.location.origin)
        return;
    event.respondWith((async () => {
        const cache = await caches.open(version);
        const folder = new URL('./', self.location).href;
        const name = url.href.split(/[?#]/)[0] === folder ? folder + 'index.html' : request;
        const known = await cache.match(name, {ignoreSearch: true});
        return isolated(known ?? await fetch(request));
    })());
});
