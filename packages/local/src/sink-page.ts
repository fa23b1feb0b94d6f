import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --dim: color-mix(in srgb, currentColor 60%, transparent); --mark: #2563eb; }
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: grid; grid-template: auto 1fr / minmax(16rem, 24rem) 1fr; font: 14px/1.45 system-ui, sans-serif; }
header { grid-column: 1 / -1; display: flex; gap: 1rem; align-items: baseline; padding: .7rem 1rem; border-bottom: 1px solid var(--line); }
h1 { font-size: 1rem; margin: 0; }
header span { color: var(--dim); }
ol { list-style: none; margin: 0; padding: 0; overflow: auto; border-right: 1px solid var(--line); }
li button { display: block; width: 100%; padding: .6rem 1rem; border: 0; border-bottom: 1px solid var(--line); background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
li button:hover { background: var(--line); }
li button[aria-current=true] { box-shadow: inset 3px 0 var(--mark); background: color-mix(in srgb, var(--mark) 12%, transparent); }
li b, li small { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li small { color: var(--dim); }
main, #letter { display: flex; flex-direction: column; min-width: 0; min-height: 0; }
#letter { flex: 1; }
main > p { margin: 2rem; color: var(--dim); }
h2 { font-size: 1.1rem; margin: 1rem 1rem .2rem; overflow-wrap: anywhere; }
#about { margin: 0 1rem .6rem; color: var(--dim); overflow-wrap: anywhere; }
nav { display: flex; gap: .25rem; padding: 0 1rem; border-bottom: 1px solid var(--line); }
nav button { padding: .4rem .8rem; border: 0; border-bottom: 2px solid transparent; background: none; color: inherit; font: inherit; cursor: pointer; }
nav button[aria-selected=true] { border-color: var(--mark); }
nav button:disabled { opacity: .4; cursor: default; }
iframe { flex: 1; border: 0; background: #fff; color-scheme: light; }
pre { flex: 1; margin: 0; padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, monospace; }
[hidden] { display: none !important; }
@media (max-width: 45rem) { body { grid-template: auto 35vh 1fr / 1fr; } ol { border-right: 0; border-bottom: 1px solid var(--line); } }
`;

const SCRIPT = `
'use strict';
const byId = (id) => document.getElementById(id);
const list = byId('list'), empty = byId('empty'), letter = byId('letter'), frame = byId('frame'), plain = byId('plain');
const tabs = [...document.querySelectorAll('nav button')];
let shown = '', current = null, mail = null, tab = 'html';

const element = (name, text) => { const made = document.createElement(name); made.textContent = text; return made; };
const at = (id) => 'inbox/messages/' + id;

function headerLines(headers) {
  return Object.entries(headers).flatMap(([name, value]) => [].concat(value).map((one) => name + ': ' + one)).join('\\n');
}

async function showTab(name) {
  tab = name;
  for (const button of tabs) button.setAttribute('aria-selected', String(button.dataset.tab === name));
  frame.hidden = name !== 'html';
  plain.hidden = name === 'html';
  const opened = current;
  if (name === 'html') return void (frame.src = at(current) + '/html');
  if (name === 'text') plain.textContent = mail.text ?? '';
  if (name === 'headers') plain.textContent = headerLines(mail.headers);
  if (name === 'source') {
    const source = await (await fetch(at(current) + '/source')).text();
    if (current === opened && tab === 'source') plain.textContent = source;
  }
}

async function openMail(id) {
  const answer = await fetch(at(id));
  if (!answer.ok) return;
  current = id;
  mail = await answer.json();
  byId('subject').textContent = mail.subject || '(no subject)';
  byId('about').textContent = mail.from + ' \\u2192 ' + mail.to + ' \\u00b7 ' + new Date(mail.receivedAt).toLocaleString();
  letter.hidden = false;
  empty.hidden = true;
  for (const button of tabs) button.disabled = (button.dataset.tab === 'html' && mail.html === null) || (button.dataset.tab === 'text' && mail.text === null);
  const chosen = tabs.find((button) => button.dataset.tab === tab);
  mark();
  await showTab(chosen.disabled ? tabs.find((button) => !button.disabled).dataset.tab : tab);
}

function mark() {
  for (const button of list.querySelectorAll('button')) button.setAttribute('aria-current', String(button.dataset.id === String(current)));
}

function draw(mails) {
  list.replaceChildren(...mails.map((row) => {
    const button = document.createElement('button');
    button.dataset.id = row.id;
    button.append(element('b', row.subject || '(no subject)'), element('small', row.to), element('small', new Date(row.receivedAt).toLocaleTimeString() + ' \\u00b7 ' + row.from));
    button.addEventListener('click', () => openMail(row.id));
    const item = document.createElement('li');
    item.append(button);
    return item;
  }));
  mark();
}

async function refresh() {
  try {
    const text = await (await fetch('inbox/messages')).text();
    if (text !== shown) {
      const mails = JSON.parse(text);
      shown = text;
      draw(mails);
      byId('count').textContent = mails.length === 1 ? '1 message' : mails.length + ' messages';
    }
  } catch {
    byId('count').textContent = 'not reachable, trying again';
    shown = '';
  }
  setTimeout(refresh, 2000);
}

for (const button of tabs) button.addEventListener('click', () => showTab(button.dataset.tab));
refresh();
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but this page's own script and style runs; nothing is loaded from elsewhere. */
export const INBOX_CSP = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The inbox page. It holds no mail: its script asks for it and puts it in as text. */
export const INBOX_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Inbox · Lettermill</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header><h1>Lettermill inbox</h1><span id="count">loading</span></header>
<ol id="list" aria-label="Messages"></ol>
<main>
<p id="empty">Messages arrive here while no mail server is configured. Send a message, then open it; its links work.</p>
<section id="letter" hidden>
<h2 id="subject"></h2>
<p id="about"></p>
<nav role="tablist">
<button role="tab" data-tab="html">HTML</button>
<button role="tab" data-tab="text">Text</button>
<button role="tab" data-tab="headers">Headers</button>
<button role="tab" data-tab="source">Source</button>
</nav>
<iframe id="frame" title="The message" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
<pre id="plain" hidden></pre>
</section>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
