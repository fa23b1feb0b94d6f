import type { Language } from '../../src/rules/languages';

/** The title of a page and its one paragraph. */
type Said = readonly [title: string, text: string];

/** The texts of the pages of forms and confirmations in one language. `{sender}` stands for the project's name. */
export interface SignUpTexts {
  readonly ask: Said;
  readonly topics: string;
  readonly askButton: string;
  readonly done: Said;
  readonly email: string;
  readonly submit: string;
  readonly privacy: string;
  readonly required: string;
  readonly needsScript: string;
  readonly working: string;
  readonly sent: Said;
  readonly subscribed: Said;
  readonly held: Said;
  readonly tooMany: Said;
  readonly check: string;
}

export const SIGN_UP_TEXTS: Readonly<Record<Language, SignUpTexts>> = {
  en: {
    ask: ['Confirm your subscription', 'You will receive email from {sender}.'],
    topics: 'You asked for:',
    askButton: 'Confirm subscription',
    done: ['You are subscribed', 'Thank you. {sender} will send you email from now on. You can close this page.'],
    email: 'Email address',
    submit: 'Sign up',
    privacy: 'Privacy policy',
    required: 'required',
    needsScript: 'Turn on JavaScript to sign up. It protects the form from bots.',
    working: 'One moment…',
    sent: ['Check your inbox', 'We sent you an email. Open the link in it to confirm your subscription.'],
    subscribed: ['Thank you', 'You are signed up.'],
    held: ['Sign-up is paused', 'Try again later.'],
    tooMany: ['Too many attempts', 'Try again later.'],
    check: 'Check what you entered:',
  },
  de: {
    ask: ['Anmeldung bestätigen', 'Sie erhalten dann E-Mails von {sender}.'],
    topics: 'Sie haben gewählt:',
    askButton: 'Anmeldung bestätigen',
    done: ['Sie sind angemeldet', 'Vielen Dank. {sender} sendet Ihnen ab jetzt E-Mails. Sie können diese Seite schließen.'],
    email: 'E-Mail-Adresse',
    submit: 'Anmelden',
    privacy: 'Datenschutzerklärung',
    required: 'Pflichtfeld',
    needsScript: 'Bitte aktivieren Sie JavaScript, um sich anzumelden. Es schützt das Formular vor Bots.',
    working: 'Einen Moment …',
    sent: [
      'Bitte prüfen Sie Ihr Postfach',
      'Wir haben Ihnen eine E-Mail gesendet. Öffnen Sie den Link darin, um Ihre Anmeldung zu bestätigen.',
    ],
    subscribed: ['Vielen Dank', 'Sie sind angemeldet.'],
    held: ['Anmeldungen sind derzeit nicht möglich', 'Bitte versuchen Sie es später noch einmal.'],
    tooMany: ['Zu viele Versuche', 'Bitte versuchen Sie es später noch einmal.'],
    check: 'Bitte prüfen Sie Ihre Eingaben:',
  },
  fr: {
    ask: ['Confirmer l’inscription', 'Vous recevrez les e-mails de {sender}.'],
    topics: 'Vous avez choisi :',
    askButton: 'Confirmer l’inscription',
    done: ['Inscription confirmée', 'Merci. {sender} vous enverra désormais des e-mails. Vous pouvez fermer cette page.'],
    email: 'Adresse e-mail',
    submit: 'S’inscrire',
    privacy: 'Politique de confidentialité',
    required: 'obligatoire',
    needsScript: 'Activez JavaScript pour vous inscrire : il protège le formulaire contre les robots.',
    working: 'Un instant…',
    sent: [
      'Consultez votre boîte de réception',
      'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour confirmer votre inscription.',
    ],
    subscribed: ['Merci', 'Votre inscription est enregistrée.'],
    held: ['Les inscriptions sont suspendues', 'Réessayez plus tard.'],
    tooMany: ['Trop de tentatives', 'Réessayez plus tard.'],
    check: 'Vérifiez votre saisie :',
  },
  es: {
    ask: ['Confirmar la suscripción', 'Recibirá correos de {sender}.'],
    topics: 'Ha elegido:',
    askButton: 'Confirmar la suscripción',
    done: ['Suscripción confirmada', 'Gracias. {sender} le enviará correos a partir de ahora. Puede cerrar esta página.'],
    email: 'Correo electrónico',
    submit: 'Suscribirse',
    privacy: 'Política de privacidad',
    required: 'obligatorio',
    needsScript: 'Active JavaScript para suscribirse: protege el formulario de los bots.',
    working: 'Un momento…',
    sent: ['Revise su correo', 'Le hemos enviado un correo. Abra el enlace que contiene para confirmar la suscripción.'],
    subscribed: ['Gracias', 'Su suscripción se ha registrado.'],
    held: ['Las suscripciones están en pausa', 'Inténtelo más tarde.'],
    tooMany: ['Demasiados intentos', 'Inténtelo más tarde.'],
    check: 'Revise los datos:',
  },
  nl: {
    ask: ['Bevestig uw aanmelding', 'U ontvangt dan e-mail van {sender}.'],
    topics: 'U hebt gekozen:',
    askButton: 'Aanmelding bevestigen',
    done: ['U bent aangemeld', 'Dank u wel. {sender} stuurt u vanaf nu e-mail. U kunt deze pagina sluiten.'],
    email: 'E-mailadres',
    submit: 'Aanmelden',
    privacy: 'Privacybeleid',
    required: 'verplicht',
    needsScript: 'Schakel JavaScript in om u aan te melden. Het beschermt het formulier tegen bots.',
    working: 'Een ogenblik…',
    sent: ['Kijk in uw inbox', 'We hebben u een e-mail gestuurd. Open de link daarin om uw aanmelding te bevestigen.'],
    subscribed: ['Dank u wel', 'U bent aangemeld.'],
    held: ['Aanmelden is tijdelijk niet mogelijk', 'Probeer het later opnieuw.'],
    tooMany: ['Te veel pogingen', 'Probeer het later opnieuw.'],
    check: 'Controleer uw invoer:',
  },
  it: {
    ask: ['Conferma dell’iscrizione', 'Riceverà le e-mail di {sender}.'],
    topics: 'Ha scelto:',
    askButton: 'Conferma l’iscrizione',
    done: ['Iscrizione confermata', 'Grazie. D’ora in poi {sender} le invierà e-mail. Può chiudere questa pagina.'],
    email: 'Indirizzo e-mail',
    submit: 'Iscriviti',
    privacy: 'Informativa sulla privacy',
    required: 'obbligatorio',
    needsScript: 'Attivi JavaScript per iscriversi: protegge il modulo dai bot.',
    working: 'Un momento…',
    sent: ['Controlli la posta in arrivo', 'Le abbiamo inviato un’e-mail. Apra il link che contiene per confermare l’iscrizione.'],
    subscribed: ['Grazie', 'Iscrizione completata.'],
    held: ['Le iscrizioni sono sospese', 'Riprovi più tardi.'],
    tooMany: ['Troppi tentativi', 'Riprovi più tardi.'],
    check: 'Controlli i dati inseriti:',
  },
  pt: {
    ask: ['Confirmar a inscrição', 'Você receberá e-mails de {sender}.'],
    topics: 'Você escolheu:',
    askButton: 'Confirmar inscrição',
    done: ['Inscrição confirmada', 'Obrigado. A partir de agora, {sender} enviará e-mails para você. Você pode fechar esta página.'],
    email: 'Endereço de e-mail',
    submit: 'Inscrever-se',
    privacy: 'Política de privacidade',
    required: 'obrigatório',
    needsScript: 'Ative o JavaScript para se inscrever: ele protege o formulário contra robôs.',
    working: 'Um momento…',
    sent: ['Confira sua caixa de entrada', 'Enviamos um e-mail para você. Abra o link nele para confirmar a inscrição.'],
    subscribed: ['Obrigado', 'Inscrição concluída.'],
    held: ['As inscrições estão suspensas', 'Tente novamente mais tarde.'],
    tooMany: ['Muitas tentativas', 'Tente novamente mais tarde.'],
    check: 'Confira os dados:',
  },
  pl: {
    ask: ['Potwierdź zapis', 'Będziesz otrzymywać e-maile od {sender}.'],
    topics: 'Wybrane tematy:',
    askButton: 'Potwierdzam zapis',
    done: ['Zapis potwierdzony', 'Dziękujemy. Od teraz {sender} będzie wysyłać Ci e-maile. Możesz zamknąć tę stronę.'],
    email: 'Adres e-mail',
    submit: 'Zapisz się',
    privacy: 'Polityka prywatności',
    required: 'wymagane',
    needsScript: 'Włącz JavaScript, aby się zapisać. Chroni on formularz przed botami.',
    working: 'Chwileczkę…',
    sent: ['Sprawdź skrzynkę', 'Wysłaliśmy do Ciebie e-mail. Otwórz zawarty w nim link, aby potwierdzić zapis.'],
    subscribed: ['Dziękujemy', 'Zapis przyjęty.'],
    held: ['Zapisy są wstrzymane', 'Spróbuj ponownie później.'],
    tooMany: ['Zbyt wiele prób', 'Spróbuj ponownie później.'],
    check: 'Sprawdź wpisane dane:',
  },
};
