import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../src/render/escape';

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
button:focus-visible { outline: 3px solid #7aa2ff; outline-offset: 3px; }
@media (prefers-color-scheme: dark) {
  body { color: #e6e8eb; background: #121417; }
  main { background: #1c1f24; box-shadow: none; }
}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Of the pages below: their own style, a form that posts to where it came from, and nothing else. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** Of a message in the browser: the pictures and styles that it names; no script, no form, no way into this origin. */
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

/** `title` and `text` are plain text; `more` is markup. */
const page = (title: string, text: string, more = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(text)}</p>${more}
</main>
</body>
</html>
`;

/** Asks before anything happens: programs that follow links must not unsubscribe anyone. */
export const unsubscribePage = (sender: string): string =>
  page(
    `Unsubscribe from ${sender}?`,
    `You will get no more marketing e-mail from ${sender}. Messages that concern your own account or orders may still reach you.`,
    '\n<form method="post"><button type="submit">Unsubscribe</button></form>',
  );

export const unsubscribedPage = (sender: string): string =>
  page('You are unsubscribed', `${sender} will send you no more marketing e-mail. You can close this page.`);

/** The link is as it was made; what it led to is gone for good. */
export const notKeptPage = (): string =>
  page('This message is no longer kept', 'It can no longer be read in the browser. What was sent to your mailbox is not touched by that.');

const FAILURES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  404: ['This link is not valid', 'It may have been cut short or altered on its way. Please use the link exactly as it is in the e-mail.'],
  405: ['This cannot be done here', 'Please open the link from the e-mail again.'],
  413: ['This request is too large', 'Please open the link from the e-mail again and use the button on its page.'],
  503: ['Please try again in a moment', 'We cannot reach our database right now. Nothing has been changed; your link stays valid.'],
};

const OURS = ['Something went wrong', 'The fault is on our side. Please try again later; your link stays valid.'] as const;

export const failurePage = (status: number): string => page(...(FAILURES[status] ?? OURS));
