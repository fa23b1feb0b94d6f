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
    ask: 'Mit dieser Adresse hat sich jemand für E-Mails von {{projectName}} angemeldet. Wenn Sie das waren, bestätigen Sie bitte Ihre Anmeldung:',
    topics: 'Sie haben gewählt:',
    button: 'Anmeldung bestätigen',
    ignore: 'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Sie werden nicht angemeldet. Der Link ist 7 Tage gültig.',
  },
  fr: {
    subject: 'Confirmez votre inscription : {{projectName}}',
    ask: 'Une inscription aux e-mails de {{projectName}} a été demandée avec cette adresse. Si c’était vous, confirmez-la :',
    topics: 'Vous avez choisi :',
    button: 'Confirmer l’inscription',
    ignore: 'Si ce n’était pas vous, ignorez ce message : cette adresse ne sera pas inscrite. Le lien est valable 7 jours.',
  },
  es: {
    subject: 'Confirme su suscripción: {{projectName}}',
    ask: 'Alguien ha suscrito esta dirección a los correos de {{projectName}}. Si ha sido usted, confírmelo:',
    topics: 'Ha elegido:',
    button: 'Confirmar la suscripción',
    ignore: 'Si no ha sido usted, ignore este mensaje: la dirección no quedará suscrita. El enlace es válido durante 7 días.',
  },
  nl: {
    subject: 'Bevestig uw aanmelding: {{projectName}}',
    ask: 'Iemand heeft zich met dit adres aangemeld voor e-mail van {{projectName}}. Was u dat? Bevestig dan uw aanmelding:',
    topics: 'U hebt gekozen:',
    button: 'Aanmelding bevestigen',
    ignore: 'Was u dat niet? Dan hoeft u niets te doen: u wordt niet aangemeld. De link is 7 dagen geldig.',
  },
  it: {
    subject: 'Confermi la sua iscrizione: {{projectName}}',
    ask: 'Con questo indirizzo è stata richiesta l’iscrizione alle e-mail di {{projectName}}. Se è stata una sua richiesta, la confermi:',
    topics: 'Ha scelto:',
    button: 'Conferma l’iscrizione',
    ignore: 'In caso contrario ignori questo messaggio: l’indirizzo non verrà iscritto. Il link è valido per 7 giorni.',
  },
  pt: {
    subject: 'Confirme sua inscrição: {{projectName}}',
    ask: 'Alguém inscreveu este endereço nos e-mails de {{projectName}}. Se foi você, confirme:',
    topics: 'Você escolheu:',
    button: 'Confirmar inscrição',
    ignore: 'Se não foi você, ignore esta mensagem: o endereço não será inscrito. O link é válido por 7 dias.',
  },
  pl: {
    subject: 'Potwierdź zapis: {{projectName}}',
    ask: 'Ktoś podał ten adres, zapisując się na e-maile od {{projectName}}. Jeśli to Ty, potwierdź zapis:',
    topics: 'Wybrane tematy:',
    button: 'Potwierdzam zapis',
    ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość: adres nie zostanie zapisany. Link jest ważny 7 dni.',
  },
};
