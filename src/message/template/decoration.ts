import { FixedText } from '../mime';
import type { Pieces } from '../mime';
import { LANGUAGES } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import { escapeMarkup } from './escape';

const HIDDEN = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all';
const FOOTER =
  'margin:24px 0 0;padding:0 16px 16px;font-family:Arial,Helvetica,sans-serif;font-size:13px;line-height:20px;color:#595959;text-align:center';

const PREVIEW_START = new FixedText(`<div style="${HIDDEN}">`);
/** Filler that shows nothing: without it, mailboxes show the beginning of the body after a short preview. */
const PREVIEW_END = new FixedText(`${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`);
const LINE_END = new FixedText('\n');
const PIXEL_START = new FixedText('<img src="');
const PIXEL_END = new FixedText('" width="1" height="1" alt="" style="display:none">');

/** The fixed texts around the unsubscribe link: every message in a language shares them. */
const footerIn = (language: Language) => {
  const { reason, unsubscribe } = FOOTER_WORDS[language];
  return {
    start: new FixedText(`<p lang="${language}" style="${FOOTER}">${escapeMarkup(reason)} <a href="`),
    end: new FixedText(`" style="color:#595959;text-decoration:underline">${escapeMarkup(unsubscribe)}</a></p>`),
    text: new FixedText(`\n\n${unsubscribe}: `),
  };
};

interface FooterWords {
  /** Why the recipient gets this message. */
  readonly reason: string;
  readonly unsubscribe: string;
}

/** Texts of the footer of marketing mail. */
const FOOTER_WORDS: Readonly<Record<Language, FooterWords>> = {
  en: { reason: 'You receive this email because you are on our mailing list.', unsubscribe: 'Unsubscribe' },
  de: { reason: 'Sie erhalten diese E-Mail, weil Sie unseren Newsletter abonniert haben.', unsubscribe: 'Abmelden' },
  fr: { reason: 'Vous recevez cet e-mail car votre adresse figure dans notre liste de diffusion.', unsubscribe: 'Se désabonner' },
  es: { reason: 'Recibe este correo porque su dirección está en nuestra lista de distribución.', unsubscribe: 'Darse de baja' },
  nl: { reason: 'U ontvangt deze e-mail omdat u op onze mailinglijst staat.', unsubscribe: 'Afmelden' },
  it: { reason: 'Riceve questa e-mail perché il suo indirizzo è nella nostra mailing list.', unsubscribe: 'Annulla l’iscrizione' },
  pt: { reason: 'Recebe este e-mail porque o seu endereço está na nossa lista de distribuição.', unsubscribe: 'Cancelar a inscrição' },
  pl: {
    reason: 'Otrzymujesz tę wiadomość, ponieważ Twój adres znajduje się na naszej liście mailingowej.',
    unsubscribe: 'Zrezygnuj z subskrypcji',
  },
};

const FOOTERS = Object.fromEntries(LANGUAGES.map((language) => [language, footerIn(language)])) as Record<
  Language,
  ReturnType<typeof footerIn>
>;

/** Returns the preview line that a mailbox shows after the subject, padded so that the body does not follow it there; nothing when it is empty. */
export const previewBlock = (text: string): Pieces => (text === '' ? [] : [PREVIEW_START, escapeMarkup(text), PREVIEW_END]);

/** Returns the footer of marketing mail whose author wrote no link to unsubscribe. */
export function footerHtml(unsubscribeUrl: string, language: Language): Pieces {
  const { start, end } = FOOTERS[language];
  return [start, escapeMarkup(unsubscribeUrl), end];
}

export const footerText = (unsubscribeUrl: string, language: Language): Pieces => [FOOTERS[language].text, unsubscribeUrl, LINE_END];

/** Returns the picture whose loading is counted as an open. */
export const pixelHtml = (url: string): Pieces => [PIXEL_START, escapeMarkup(url), PIXEL_END];
