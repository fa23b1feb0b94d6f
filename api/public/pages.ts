import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../src/message/template';
import { PAGE_TEXTS } from './page-texts';
import type { Language } from '../../src/rules/languages';
import type { PageTexts } from './page-texts';

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  font: 17px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #1f2328; background: #f4f5f7; }
main { width: 100%; max-width: 30rem; padding: 40px; border-radius: 14px; background: #fff; box-shadow: 0 1px 3px #0002, 0 8px 28px #0000000f; }
h1 { margin: 0 0 12px; font-size: 1.45rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 0; overflow-wrap: anywhere; }
form { margin: 28px 0 0; }
button { font: inherit; font-weight: 600; padding: 11px 24px; border: 0; border-radius: 9px; color: #fff; background: #1b4fbd; cursor: pointer; }
button:hover { background: #163f97; }
.quiet { color: inherit; background: none; border: 1px solid currentcolor; font-weight: 400; }
.quiet:hover { background: #8883; }
button:focus-visible { outline: 3px solid #7aa2ff; outline-offset: 3px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #121417; }
  main { background: #1c1f24; box-shadow: none; }
}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Policy of the pages below: their own style, a form that posts to its own origin, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** Policy of a message in the browser: the images and styles that it names; no script, no form, no access to this origin. */
export const MESSAGE_POLICY = [
  "default-src 'none'",
  'img-src * data:',
  "style-src 'unsafe-inline' http: https:",
  'font-src http: https: data:',
  'media-src http: https:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

type Title = { [Page in keyof PageTexts]: PageTexts[Page] extends string ? never : Page }[keyof PageTexts];

const named = (text: string, sender: string): string => escapeMarkup(text.replaceAll('{sender}', () => sender));

/** Returns a page of plain texts; `more` is markup. */
function page(language: Language, which: Title, { sender = '', more = '' } = {}): string {
  const [title, text] = PAGE_TEXTS[language][which];
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${named(title, sender)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${named(title, sender)}</h1>
<p>${named(text, sender)}</p>${more}
</main>
</body>
</html>
`;
}

/** Asks before anything happens: programs that follow links must not unsubscribe anyone. */
export const unsubscribePage = (language: Language, sender: string): string =>
  page(language, 'ask', {
    sender,
    more: `\n<form method="post"><button type="submit">${escapeMarkup(PAGE_TEXTS[language].askButton)}</button></form>`,
  });

/** Says that it is done, and offers to take it back. The form's address is relative to the page's own: `/u/<token>`. */
export const unsubscribedPage = (language: Language, sender: string, token: string): string =>
  page(language, 'done', {
    sender,
    more: `\n<form method="post" action="${escapeMarkup(token)}/undo"><button type="submit" class="quiet">${escapeMarkup(PAGE_TEXTS[language].undoButton)}</button></form>`,
  });

export const resubscribedPage = (language: Language, sender: string): string => page(language, 'undone', { sender });

/** Shows that another reason than the opt-out keeps mail from the address. */
export const cannotUndoPage = (language: Language, sender: string): string => page(language, 'cannotUndo', { sender });

/** Shows that the link is good, but its message is gone for good. */
export const notKeptPage = (language: Language): string => page(language, 'notKept');

const FAILURES: Readonly<Record<number, Title>> = { 404: 'notValid', 405: 'notHere', 413: 'tooLarge', 503: 'later' };

/** Returns the page of an error, in words for its status. */
export const failurePage = (language: Language, status: number): string => page(language, FAILURES[status] ?? 'wrong');
