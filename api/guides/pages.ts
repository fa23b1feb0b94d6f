import type { Core } from '../../src/platform/core';
import { escapeMarkup } from '../../src/message/template';
import { GUIDES } from './library';
import type { Guide, Library, Listed } from './library';
import { SCRIPT } from './script';
import { partsOf, search } from './search';
import type { Found } from './search';
import { STYLE } from './style';

const searchForm = (query = ''): string =>
  `<form role="search" action="${GUIDES}/search"><input type="search" name="q" value="${escapeMarkup(query)}" placeholder="Search the guides" aria-label="Search the guides"></form>`;

const whole = (title: string, body: string, query = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><strong><a href="/">Lettermill</a></strong> <a href="${GUIDES}">Guides</a> <a href="/docs">API reference</a>${searchForm(query)}</header>
${body}
</body>
</html>
`;

const linkTo = ({ name, title }: Guide, current: Guide | null): string =>
  `<a href="${GUIDES}/${name}"${name === current?.name ? ' aria-current="page"' : ''}>${escapeMarkup(title)}</a>`;

function navigation({ groups }: Library, item: (listed: Listed) => string): string {
  const lists = groups.map(
    ([title, listed]) => `<h2>${escapeMarkup(title)}</h2>\n<ul>\n${listed.map((each) => `<li>${item(each)}</li>`).join('\n')}\n</ul>`,
  );
  return `<nav aria-label="Guides">\n${lists.join('\n')}\n</nav>`;
}

/** A page with fewer headings needs no list of them. */
const FEWEST_LISTED = 3;

function onThisPage({ sections }: Guide): string {
  const listed = sections.filter(({ level }) => level === 2);
  if (listed.length < FEWEST_LISTED) return '';
  const items = listed.map(({ anchor, heading }) => `<li><a href="#${escapeMarkup(anchor)}">${escapeMarkup(heading)}</a></li>`);
  return `<nav class="page" aria-labelledby="on-this-page">\n<h2 id="on-this-page">On this page</h2>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>\n`;
}

/** Returns a guide with the way to the others, its headings, and the script of its examples. */
export const guidePage = (library: Library, guide: Guide): string =>
  whole(
    `${guide.title} · Lettermill`,
    `<div class="columns">
${onThisPage(guide)}<main>
${guide.html}<p class="quiet"><a href="${GUIDES}/${guide.name}.md">This page in Markdown</a></p>
</main>
${navigation(library, (each) => linkTo(each.guide, guide))}
</div>
<script>${SCRIPT}</script>`,
  );

const withAbout = ({ guide, about }: Listed): string => linkTo(guide, null) + (about === '' ? '' : `: ${escapeMarkup(about)}`);

/** Returns the list of all guides, with a line on each. */
export const contentsPage = (library: Library): string =>
  whole('Guides · Lettermill', `<main class="landing">\n<h1>Guides</h1>\n${navigation(library, withAbout)}\n</main>`);

const marked = (text: string, query: string): string =>
  partsOf(text, query)
    .map((part, index) => (index % 2 === 1 ? `<mark>${escapeMarkup(part)}</mark>` : escapeMarkup(part)))
    .join('');

const foundItem = ({ name, title, heading, anchor, excerpt }: Found, query: string): string =>
  `<li><a href="${GUIDES}/${name}#${escapeMarkup(anchor)}">${escapeMarkup(heading === title ? title : `${title}: ${heading}`)}</a><br>${marked(excerpt, query)}</li>`;

function answerTo(library: Library, query: string): string {
  if (query.trim() === '') return '<p>Type what you look for. A result has all of your words, or words that begin with them.</p>';
  const found = search(library, query);
  if (found.length === 0)
    return `<p>No section of a guide has “${escapeMarkup(query)}”. Try fewer words, or see <a href="${GUIDES}">all guides</a>.</p>`;
  return `<p>${found.length === 1 ? 'One section has' : `${found.length} sections have`} “${escapeMarkup(query)}”.</p>\n<ol>\n${found.map((each) => foundItem(each, query)).join('\n')}\n</ol>`;
}

/** Returns the sections of the guides that match a query. */
export const searchPage = (library: Library, query: string): string =>
  whole('Search · Lettermill guides', `<main class="landing">\n<h1>Search the guides</h1>\n${answerTo(library, query)}\n</main>`, query);

/** Returns the page at `/`. */
export const landingPage = ({ DEV_INBOX_URL }: Pick<Core['config'], 'DEV_INBOX_URL'>): string =>
  whole(
    'Lettermill',
    `<main class="landing">
<h1>Lettermill</h1>
<p>An open e-mail platform: transactional messages, campaigns and automations over a JSON API.</p>
<ul>
<li><a href="${GUIDES}/quickstart">Quickstart</a>: send your first message, campaign and automation</li>
<li><a href="${GUIDES}">Guides</a>: how each part works</li>
<li><a href="/docs">API reference</a>, and its <a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/console">Console</a>: contacts, campaigns, automations and the mail log</li>
${DEV_INBOX_URL === undefined ? '' : '<li><a href="/dev/inbox">Inbox</a>: messages sent on this machine</li>\n'}<li><a href="/v1/health">Health</a></li>
</ul>
</main>`,
  );
