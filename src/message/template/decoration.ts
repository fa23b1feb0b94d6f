import { FixedText } from '../mime';
import type { Pieces } from '../mime';
import { LANGUAGES } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import { escapeMarkup } from './values';
import type { FooterBrand, SystemValues } from './types';

const HIDDEN = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';
const FOOTER =
  'margin:24px 0 0;padding:0 16px 16px;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#595959;text-align:center';

const PREVIEW_START = new FixedText(`<div style="${HIDDEN}">`);
/** Filler that shows nothing: without it, mailboxes show the beginning of the body after a short preview. */
const PREVIEW_END = new FixedText(`${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`);
const PIXEL_START = new FixedText('<img src="');
const PIXEL_END = new FixedText('" width="1" height="1" alt="" style="display:none">');

const LINK_STYLE = '" style="color:#595959;text-decoration:underline">';

/** Returns the fixed texts around the two links of the footer: every message in a language shares them. */
const footerIn = (language: Language, brand: FooterBrand | null, direction = '') => {
  const { reason, unsubscribe, preferences } = FOOTER_WORDS[language];
  const sender = linesOf(brand);
  return {
    start: new FixedText(`<p lang="${language}"${direction} style="${FOOTER}">${escapeMarkup(reason)} <a href="`),
    between: new FixedText(`${LINK_STYLE}${escapeMarkup(unsubscribe)}</a> · <a href="`),
    end: new FixedText(`${LINK_STYLE}${escapeMarkup(preferences)}</a>${sender.map((line) => `<br>${escapeMarkup(line)}`).join('')}</p>`),
    text: new FixedText(`\n\n${unsubscribe}: `),
    textBetween: new FixedText(`\n${preferences}: `),
    textEnd: new FixedText(`\n${sender.length > 0 ? `\n${sender.join('\n')}\n` : ''}`),
  };
};

type FooterTexts = ReturnType<typeof footerIn>;

/** Returns the lines that identify the sender: the name, then the postal address. */
const linesOf = (brand: FooterBrand | null): readonly string[] =>
  [brand?.name, brand?.address]
    .flatMap((text) => text?.split('\n') ?? [])
    .map((line) => line.trim())
    .filter((line) => line !== '');

interface FooterWords {
  /** Why the recipient gets this message. */
  readonly reason: string;
  readonly unsubscribe: string;
  readonly preferences: string;
}

/** Texts of the footer of marketing mail. */
const FOOTER_WORDS: Readonly<Record<Language, FooterWords>> = {
  en: {
    reason: 'You are receiving this email because you are on our mailing list.',
    unsubscribe: 'Unsubscribe',
    preferences: 'Email preferences',
  },
  de: {
    reason: 'Sie erhalten diese E-Mail, weil Sie unseren Newsletter abonniert haben.',
    unsubscribe: 'Abmelden',
    preferences: 'E-Mail-Einstellungen',
  },
  fr: {
    reason: 'Vous recevez cet e-mail parce que vous faites partie de notre liste de diffusion.',
    unsubscribe: 'Se désabonner',
    preferences: 'Préférences e-mail',
  },
  es: {
    reason: 'Recibe este correo porque está en nuestra lista de correo.',
    unsubscribe: 'Darse de baja',
    preferences: 'Preferencias de correo',
  },
  nl: { reason: 'U ontvangt deze e-mail omdat u op onze mailinglijst staat.', unsubscribe: 'Afmelden', preferences: 'E-mailvoorkeuren' },
  it: {
    reason: 'Riceve questa e-mail perché il suo indirizzo è nella nostra mailing list.',
    unsubscribe: 'Annulla l’iscrizione',
    preferences: 'Preferenze e-mail',
  },
  pt: {
    reason: 'Você está recebendo este e-mail porque faz parte da nossa lista de e-mails.',
    unsubscribe: 'Cancelar a inscrição',
    preferences: 'Preferências de e-mail',
  },
  pl: {
    reason: 'Otrzymujesz tę wiadomość, ponieważ Twój adres znajduje się na naszej liście mailingowej.',
    unsubscribe: 'Zrezygnuj z subskrypcji',
    preferences: 'Ustawienia e-maili',
  },
};

const FOOTERS = Object.fromEntries(LANGUAGES.map((language) => [language, footerIn(language, null)])) as Record<Language, FooterTexts>;

/** Within a message that is written from right to left. */
const LEFT_TO_RIGHT = ' dir="ltr"';

/** Returns the footers of a content by language, each made once. */
export function footersOf(brand: FooterBrand | null, isRightToLeft: boolean): (language: Language) => FooterTexts {
  if (brand === null && !isRightToLeft) return (language) => FOOTERS[language];
  const made = new Map<Language, FooterTexts>();
  return (language) => {
    const footer = made.get(language) ?? footerIn(language, brand, isRightToLeft ? LEFT_TO_RIGHT : '');
    made.set(language, footer);
    return footer;
  };
}

/** Returns the preview line that a mailbox shows after the subject, padded so that the body does not follow it there; nothing when it is empty. */
export const previewBlock = (text: string): Pieces => (text === '' ? [] : [PREVIEW_START, escapeMarkup(text), PREVIEW_END]);

type FooterLinks = Pick<SystemValues, 'unsubscribeUrl' | 'preferencesUrl'>;

/** Returns the footer of marketing mail whose author wrote no link to unsubscribe. */
export const footerHtml = ({ start, between, end }: FooterTexts, { unsubscribeUrl, preferencesUrl }: FooterLinks): Pieces => [
  start,
  escapeMarkup(unsubscribeUrl),
  between,
  escapeMarkup(preferencesUrl),
  end,
];

export const footerText = ({ text, textBetween, textEnd }: FooterTexts, { unsubscribeUrl, preferencesUrl }: FooterLinks): Pieces => [
  text,
  unsubscribeUrl,
  textBetween,
  preferencesUrl,
  textEnd,
];

/** Returns the picture whose loading is counted as an open. */
export const pixelHtml = (url: string): Pieces => [PIXEL_START, escapeMarkup(url), PIXEL_END];
