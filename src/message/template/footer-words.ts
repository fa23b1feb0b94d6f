import type { Language } from '../../rules/languages';

interface FooterWords {
  /** Why the recipient gets this message. */
  readonly reason: string;
  readonly unsubscribe: string;
}

/** What the footer of marketing mail says. */
export const FOOTER_WORDS: Readonly<Record<Language, FooterWords>> = {
  en: { reason: 'You receive this email because you are on our mailing list.', unsubscribe: 'Unsubscribe' },
  de: { reason: 'Sie erhalten diese E-Mail, weil Sie unseren Newsletter abonniert haben.', unsubscribe: 'Abmelden' },
  fr: { reason: 'Vous recevez cet e-mail parce que vous êtes inscrit à notre liste de diffusion.', unsubscribe: 'Se désabonner' },
  es: { reason: 'Recibe este correo porque está suscrito a nuestra lista de distribución.', unsubscribe: 'Darse de baja' },
  nl: { reason: 'U ontvangt deze e-mail omdat u op onze mailinglijst staat.', unsubscribe: 'Afmelden' },
  it: { reason: 'Riceve questa e-mail perché è iscritto alla nostra mailing list.', unsubscribe: 'Annulla l’iscrizione' },
  pt: { reason: 'Recebe este e-mail porque está inscrito na nossa lista de distribuição.', unsubscribe: 'Cancelar a inscrição' },
  pl: {
    reason: 'Otrzymują Państwo tę wiadomość, ponieważ są Państwo na naszej liście mailingowej.',
    unsubscribe: 'Zrezygnuj z subskrypcji',
  },
};
