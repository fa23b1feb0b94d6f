import { escapeMarkup } from '../../src/message/template';
import type { Topic } from '../../src/audience/topics';
import { textIn } from '../../src/rules/languages';
import type { Reader } from '../../src/sending/tracking';
import { titled } from './frame';
import { PAGE_TEXTS } from './page-texts';
import { PREFERENCE_TEXTS } from './preference-texts';
import { TOPIC_TEXTS } from './topic-texts';
import type { Language } from '../../src/rules/languages';
import type { PageTexts } from './page-texts';

/** The policy of a message in the browser: the pictures and styles that it names; no script, no form, no way into this origin. */
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

/** The sender of the mail that a page is about, and the language of its recipient. */
type Sender = Pick<Reader, 'sender' | 'brand' | 'locale'>;

const NO_SENDER: Sender = { sender: '', brand: undefined, locale: null };

/** The topic of a message, as far as a page names it. */
type PageTopic = Pick<Topic, 'name' | 'names'>;

/** Parts of a page in addition to its texts: markup, and the topic of mail that has one. */
interface Shown {
  readonly more?: string;
  readonly topic?: PageTopic | null;
}

// The pages that speak of a topic where the message has one.
const isOfTopic = (which: Title): which is keyof typeof TOPIC_TEXTS.en & Title => which === 'ask' || which === 'done' || which === 'undone';

function page(language: Language, which: Title, reader: Sender = NO_SENDER, { more = '', topic = null }: Shown = {}): string {
  const words = topic && isOfTopic(which) ? TOPIC_TEXTS[language][which] : PAGE_TEXTS[language][which];
  const called = topic ? nameOfTopic(topic, language, reader.locale) : '';
  const [title, text] = words.map((each) =>
    named(
      each.replaceAll('{topic}', () => called),
      reader.sender,
    ),
  ) as [string, string];
  return titled({ language, title, brand: reader.brand, content: `<p>${text}</p>${more}` });
}

/** Returns what readers call a topic: its name in their own language, else in that of the page, else the one for all. */
export const nameOfTopic = ({ name, names }: PageTopic, language: Language, locale: string | null): string =>
  textIn(names, [...(locale === null ? [] : [locale]), language]) ?? name;

/**
 * Returns the form that leads to the preferences, at a path relative to the page's own address: `/u/<token>`, or below it where `up`
 * leads back.
 */
const chooser = (language: Language, token: string, up = ''): string =>
  `\n<form method="get" action="${escapeMarkup(`${up}../p/${token}`)}"><button type="submit" class="quiet">${escapeMarkup(PREFERENCE_TEXTS[language].choose)}</button></form>`;

/** Asks before anything happens: programs that follow links must not unsubscribe anyone. */
export const unsubscribePage = (language: Language, reader: Sender, token: string, topic: PageTopic | null): string =>
  page(language, 'ask', reader, {
    topic,
    more: `\n<form method="post"><button type="submit">${escapeMarkup(PAGE_TEXTS[language].askButton)}</button></form>${chooser(language, token)}`,
  });

/**
 * Says that it is done, and offers to take it back; of a topic, also to leave all marketing mail. The addresses of the forms are relative to the page's own:
 * `/u/<token>`, or below it where `up` leads back.
 */
export const unsubscribedPage = (language: Language, reader: Sender, token: string, topic: PageTopic | null = null, up = ''): string =>
  page(language, 'done', reader, {
    topic,
    more:
      quietForm(`${up}${token}/undo`, PAGE_TEXTS[language].undoButton) +
      (topic ? quietForm(`${up}${token}/everything`, TOPIC_TEXTS[language].everythingButton) : '') +
      chooser(language, token, up),
  });

const quietForm = (action: string, button: string): string =>
  `\n<form method="post" action="${escapeMarkup(action)}"><button type="submit" class="quiet">${escapeMarkup(button)}</button></form>`;

export const resubscribedPage = (language: Language, reader: Sender, topic: PageTopic | null): string =>
  page(language, 'undone', reader, { topic });

/** Shows that another reason than the opt-out keeps mail from the address. */
export const cannotUndoPage = (language: Language, sender: Sender): string => page(language, 'cannotUndo', sender);

/** Shows that the link is good, but its message is gone for good. */
export const notKeptPage = (language: Language): string => page(language, 'notKept');

const FAILURES: Readonly<Record<number, Title>> = { 404: 'notValid', 405: 'notHere', 413: 'tooLarge', 422: 'notHere', 503: 'later' };

/** Returns the page of an error, in words for its status. */
export const failurePage = (language: Language, status: number): string => page(language, FAILURES[status] ?? 'wrong');
