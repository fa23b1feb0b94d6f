import { escapeMarkup } from '../../src/message/template';
import type { Reader } from '../../src/sending/tracking';
import { framed } from './frame';
import { PAGE_TEXTS } from './page-texts';
import { PREFERENCE_TEXTS } from './preference-texts';
import type { Language } from '../../src/rules/languages';
import type { PageTexts } from './page-texts';

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

const named = (text: string, sender: string): string => escapeMarkup(text.replaceAll('{sender}', () => sender));

/** Who sends the mail that a page is about. */
type Sender = Pick<Reader, 'sender' | 'brand'>;

const NO_SENDER: Sender = { sender: '', brand: undefined };

/** Returns a page of plain texts; `more` is markup. */
function page(language: Language, which: Title, { sender, brand }: Sender = NO_SENDER, more = ''): string {
  const [title, text] = PAGE_TEXTS[language][which];
  const said = `<h1>${named(title, sender)}</h1>\n<p>${named(text, sender)}</p>${more}`;
  return framed({ language, title: named(title, sender), brand, content: said });
}

/** The way to the preferences, relative to the page's own address, `/u/<token>`. */
const chooser = (language: Language, token: string): string =>
  `\n<form method="get" action="../p/${escapeMarkup(token)}"><button type="submit" class="quiet">${escapeMarkup(PREFERENCE_TEXTS[language].choose)}</button></form>`;

/** Asks before anything happens: programs that follow links must not unsubscribe anyone. */
export const unsubscribePage = (language: Language, sender: Sender, token: string): string =>
  page(
    language,
    'ask',
    sender,
    `\n<form method="post"><button type="submit">${escapeMarkup(PAGE_TEXTS[language].askButton)}</button></form>${chooser(language, token)}`,
  );

/** Says that it is done, and offers to take it back. The form's address is relative to the page's own: `/u/<token>`. */
export const unsubscribedPage = (language: Language, sender: Sender, token: string): string =>
  page(
    language,
    'done',
    sender,
    `\n<form method="post" action="${escapeMarkup(token)}/undo"><button type="submit" class="quiet">${escapeMarkup(PAGE_TEXTS[language].undoButton)}</button></form>${chooser(language, token)}`,
  );

export const resubscribedPage = (language: Language, sender: Sender): string => page(language, 'undone', sender);

/** Shows that another reason than the opt-out keeps mail from the address. */
export const cannotUndoPage = (language: Language, sender: Sender): string => page(language, 'cannotUndo', sender);

/** Shows that the link is good, but its message is gone for good. */
export const notKeptPage = (language: Language): string => page(language, 'notKept');

const FAILURES: Readonly<Record<number, Title>> = { 404: 'notValid', 405: 'notHere', 413: 'tooLarge', 422: 'notHere', 503: 'later' };

/** Returns the page of an error, in words for its status. */
export const failurePage = (language: Language, status: number): string => page(language, FAILURES[status] ?? 'wrong');
