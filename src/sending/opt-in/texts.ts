import type { Language } from '../../rules/languages';

/** The texts of the confirmation in one language. Placeholders are those of templates. */
export interface ConfirmationTexts {
  readonly subject: string;
  readonly ask: string;
  readonly topics: string;
  readonly button: string;
  readonly ignore: string;
}

/** The texts of the platform's own confirmation, by language. */
export const CONFIRMATION_TEXTS: Readonly<Record<Language, ConfirmationTexts>> = {
  en: {
    subject: 'Confirm your subscription: {{projectName}}',
    ask: 'Someone signed up for email from {{projectName}} with this address. If it was you, confirm:',
    topics: 'You asked for:',
    button: 'Confirm subscription',
    ignore: 'If it was not you, do nothing: you will not be subscribed. The link is valid for 7 days.',
  },
  de: {
    subject: 'Bitte bestätigen Sie Ihre Anmeldung: {{projectName}}',
    ask: 'Mit dieser Adresse wurden E-Mails von {{projectName}} bestellt. Wenn Sie das waren, bestätigen Sie bitte:',
    topics: 'Sie haben gewählt:',
    button: 'Anmeldung bestätigen',
    ignore: 'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Sie werden nicht angemeldet. Der Link gilt 7 Tage.',
  },
  fr: {
    subject: 'Confirmez votre inscription : {{projectName}}',
    ask: 'Quelqu’un a demandé les e-mails de {{projectName}} avec cette adresse. Si c’était vous, confirmez :',
    topics: 'Vous avez choisi :',
    button: 'Confirmer l’inscription',
    ignore: 'Si ce n’était pas vous, ne faites rien : vous ne serez pas inscrit. Le lien est valable 7 jours.',
  },
  es: {
    subject: 'Confirme su suscripción: {{projectName}}',
    ask: 'Alguien ha pedido los correos de {{projectName}} con esta dirección. Si fue usted, confirme:',
    topics: 'Ha elegido:',
    button: 'Confirmar la suscripción',
    ignore: 'Si no fue usted, no haga nada: no quedará suscrito. El enlace es válido durante 7 días.',
  },
  nl: {
    subject: 'Bevestig uw aanmelding: {{projectName}}',
    ask: 'Iemand heeft zich met dit adres aangemeld voor e-mail van {{projectName}}. Was u dat, bevestig dan:',
    topics: 'U hebt gekozen:',
    button: 'Aanmelding bevestigen',
    ignore: 'Was u dat niet, dan hoeft u niets te doen: u wordt niet aangemeld. De link is 7 dagen geldig.',
  },
  it: {
    subject: 'Conferma la tua iscrizione: {{projectName}}',
    ask: 'Qualcuno ha richiesto le e-mail di {{projectName}} con questo indirizzo. Se sei stato tu, conferma:',
    topics: 'Hai scelto:',
    button: 'Conferma l’iscrizione',
    ignore: 'Se non sei stato tu, non fare nulla: non verrai iscritto. Il link è valido per 7 giorni.',
  },
  pt: {
    subject: 'Confirme a sua inscrição: {{projectName}}',
    ask: 'Alguém pediu os e-mails de {{projectName}} com este endereço. Se foi você, confirme:',
    topics: 'Você escolheu:',
    button: 'Confirmar inscrição',
    ignore: 'Se não foi você, não faça nada: não será inscrito. O link é válido por 7 dias.',
  },
  pl: {
    subject: 'Potwierdź zapis: {{projectName}}',
    ask: 'Ktoś zapisał ten adres na e-maile od {{projectName}}. Jeśli to Ty, potwierdź:',
    topics: 'Wybrane tematy:',
    button: 'Potwierdzam zapis',
    ignore: 'Jeśli to nie Ty, nic nie rób: adres nie zostanie zapisany. Link jest ważny 7 dni.',
  },
};
