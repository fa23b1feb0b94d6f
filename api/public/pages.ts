import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../src/message/template';
import { languageOfTag } from '../../src/rules/languages';
import type { Topic } from '../../src/audience/topics';
import { PAGE_TEXTS } from './page-texts';
import { TOPIC_TEXTS } from './topic-texts';
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
form p, ul { margin: 14px 0; }
label { display: block; }
input:not([type=checkbox]) { font: inherit; width: 100%; padding: 9px 12px; border: 1px solid #8888; border-radius: 9px; color: inherit; background: none; }
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

type Title = { [Page in keyof PageTexts]: PageTexts[Page] extends string ? never : Page }[keyof PageTexts];

/** Returns a text with a project's name in it, as markup. */
export const named = (text: string, sender: string): string => escapeMarkup(text.replaceAll('{sender}', () => sender));

/** What a page shows beside its texts. */
interface Shown {
  readonly sender?: string;
  /** Markup. */
  readonly more?: string;
  /** Of mail that has one. */
  readonly topic?: PageTopic | null;
}

/** What the page calls the topic of a message. */
type PageTopic = Pick<Topic, 'name' | 'names'>;

function ofTopicNamed(text: string, language: Language, topic: PageTopic | null): string {
  if (!topic) return text;
  const own = Object.keys(topic.names).find((tag) => languageOfTag(tag) === language);
  return text.replaceAll('{topic}', () => (own === undefined ? undefined : topic.names[own]) ?? topic.name);
}

/** Returns a page of plain texts; `more` is markup. */
function page(language: Language, which: Title, { sender = '', more = '', topic = null }: Shown = {}): string {
  const ofTopic = topic && (which === 'ask' || which === 'done' || which === 'undone') ? TOPIC_TEXTS[language][which] : null;
  const [title, text] = (ofTopic ?? PAGE_TEXTS[language][which]).map((words) => ofTopicNamed(words, language, topic)) as [string, string];
  return document(language, named(title, sender), `<p>${named(text, sender)}</p>${more}`);
}

/** Returns a page in the style of all of them; title and content are markup. */
export const document = (language: Language, title: string, content: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** Asks before anything happens: programs that follow links must not unsubscribe anyone. */
export const unsubscribePage = (language: Language, sender: string, topic: PageTopic | null): string =>
  page(language, 'ask', {
    sender,
    topic,
    more: `\n<form method="post"><button type="submit">${escapeMarkup(PAGE_TEXTS[language].askButton)}</button></form>`,
  });

/**
 * Says that it is done, and offers to take it back; of a topic, also to leave all marketing mail. `token` is that of the page, or the way to it: the addresses of
 * the forms are relative to the page's own.
 */
export const unsubscribedPage = (language: Language, sender: string, token: string, topic: PageTopic | null = null): string =>
  page(language, 'done', {
    sender,
    topic,
    more:
      quietForm(`${token}/undo`, PAGE_TEXTS[language].undoButton) +
      (topic ? quietForm(`${token}/everything`, TOPIC_TEXTS[language].everythingButton) : ''),
  });

const quietForm = (action: string, button: string): string =>
  `\n<form method="post" action="${escapeMarkup(action)}"><button type="submit" class="quiet">${escapeMarkup(button)}</button></form>`;

export const resubscribedPage = (language: Language, sender: string, topic: PageTopic | null): string =>
  page(language, 'undone', { sender, topic });

/** Shows that another reason than the opt-out keeps mail from the address. */
export const cannotUndoPage = (language: Language, sender: string): string => page(language, 'cannotUndo', { sender });

/** Shows that the link is good, but its message is gone for good. */
export const notKeptPage = (language: Language): string => page(language, 'notKept');

const FAILURES: Readonly<Record<number, Title>> = { 404: 'notValid', 405: 'notHere', 413: 'tooLarge', 503: 'later' };

/** Returns the page of an error, in words for its status. */
export const failurePage = (language: Language, status: number): string => page(language, FAILURES[status] ?? 'wrong');
