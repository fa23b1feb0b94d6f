import type { Language } from '../../src/rules/languages';

/** The title and the paragraph of a page. */
type Said = readonly [title: string, text: string];

/** Texts of the public pages in one language. `{sender}` is replaced by the project's name. */
export interface PageTexts {
  readonly ask: Said;
  readonly askButton: string;
  readonly done: Said;
  readonly undoButton: string;
  readonly undone: Said;
  readonly cannotUndo: Said;
  readonly notKept: Said;
  readonly notValid: Said;
  readonly notHere: Said;
  readonly tooLarge: Said;
  readonly later: Said;
  readonly wrong: Said;
}

const en: PageTexts = {
  ask: [
    'Unsubscribe from {sender}?',
    'You will no longer receive marketing email from {sender}. You may still receive messages about your account or orders.',
  ],
  askButton: 'Unsubscribe',
  done: ['You are unsubscribed', '{sender} will no longer send you marketing email. You can close this page.'],
  undoButton: 'Subscribe again',
  undone: ['You are subscribed again', '{sender} can send you marketing email again.'],
  cannotUndo: ['You cannot undo this here', 'To receive email again, contact {sender}.'],
  notKept: [
    'This message is no longer available',
    'It can no longer be shown in the browser. The message in your mailbox is not affected.',
  ],
  notValid: ['This link is not valid', 'The link may be incomplete. Use the exact link from the email.'],
  notHere: ['This action is not available', 'Open the link from the email again.'],
  tooLarge: ['This request is too large', 'Open the link from the email again, then use the button on the page.'],
  later: ['Try again in a moment', 'The service is temporarily unavailable. Nothing was changed, and your link remains valid.'],
  wrong: ['Something went wrong', 'The error is on our side. Try again later. Your link remains valid.'],
};

const de: PageTexts = {
  ask: [
    'Von {sender} abmelden?',
    'Sie erhalten dann keine Werbe-E-Mails von {sender} mehr. Nachrichten zu Ihrem Konto oder Ihren Bestellungen können Sie weiterhin erreichen.',
  ],
  askButton: 'Abmelden',
  done: ['Sie sind abgemeldet', '{sender} sendet Ihnen keine Werbe-E-Mails mehr. Sie können diese Seite schließen.'],
  undoButton: 'Doch wieder anmelden',
  undone: ['Sie sind wieder angemeldet', '{sender} darf Ihnen wie zuvor Werbe-E-Mails senden.'],
  cannotUndo: ['Das lässt sich hier nicht rückgängig machen', 'Bitte schreiben Sie an {sender}, wenn Sie wieder E-Mails erhalten möchten.'],
  notKept: [
    'Diese Nachricht ist nicht mehr gespeichert',
    'Sie kann nicht mehr im Browser gelesen werden. Die E-Mail in Ihrem Postfach ist davon nicht betroffen.',
  ],
  notValid: [
    'Dieser Link ist ungültig',
    'Vielleicht wurde er unterwegs gekürzt oder verändert. Bitte verwenden Sie den Link genau so, wie er in der E-Mail steht.',
  ],
  notHere: ['Das ist hier nicht möglich', 'Bitte öffnen Sie den Link aus der E-Mail noch einmal.'],
  tooLarge: ['Diese Anfrage ist zu groß', 'Bitte öffnen Sie den Link aus der E-Mail noch einmal und benutzen Sie den Knopf auf der Seite.'],
  later: [
    'Bitte versuchen Sie es gleich noch einmal',
    'Unsere Datenbank ist gerade nicht erreichbar. Es wurde nichts geändert; Ihr Link bleibt gültig.',
  ],
  wrong: ['Etwas ist schiefgegangen', 'Der Fehler liegt bei uns. Bitte versuchen Sie es später noch einmal; Ihr Link bleibt gültig.'],
};

const fr: PageTexts = {
  ask: [
    'Vous désabonner de {sender} ?',
    'Vous ne recevrez plus d’e-mails publicitaires de {sender}. Les messages concernant votre compte ou vos commandes pourront toujours vous parvenir.',
  ],
  askButton: 'Me désabonner',
  done: ['Vous êtes désabonné', '{sender} ne vous enverra plus d’e-mails publicitaires. Vous pouvez fermer cette page.'],
  undoButton: 'Annuler : me réabonner',
  undone: ['Vous êtes de nouveau abonné', '{sender} peut vous envoyer des e-mails publicitaires comme auparavant.'],
  cannotUndo: ['Impossible d’annuler ici', 'Veuillez écrire à {sender} si vous souhaitez recevoir de nouveau des e-mails.'],
  notKept: [
    'Ce message n’est plus conservé',
    'Il ne peut plus être lu dans le navigateur. Le message reçu dans votre boîte n’est pas concerné.',
  ],
  notValid: [
    'Ce lien n’est pas valide',
    'Il a peut-être été tronqué ou modifié en chemin. Veuillez utiliser le lien exactement tel qu’il figure dans l’e-mail.',
  ],
  notHere: ['Cette action est impossible ici', 'Veuillez ouvrir de nouveau le lien de l’e-mail.'],
  tooLarge: ['Cette requête est trop volumineuse', 'Veuillez ouvrir de nouveau le lien de l’e-mail et utiliser le bouton de la page.'],
  later: [
    'Veuillez réessayer dans un instant',
    'Notre base de données est momentanément inaccessible. Rien n’a été modifié ; votre lien reste valide.',
  ],
  wrong: ['Une erreur s’est produite', 'Le problème vient de nous. Veuillez réessayer plus tard ; votre lien reste valide.'],
};

const es: PageTexts = {
  ask: [
    '¿Darse de baja de {sender}?',
    'No recibirá más correos publicitarios de {sender}. Los mensajes sobre su cuenta o sus pedidos podrán seguir llegándole.',
  ],
  askButton: 'Darme de baja',
  done: ['Se ha dado de baja', '{sender} no le enviará más correos publicitarios. Puede cerrar esta página.'],
  undoButton: 'Deshacer: volver a suscribirme',
  undone: ['Vuelve a estar suscrito', '{sender} puede enviarle correos publicitarios como antes.'],
  cannotUndo: ['Esto no se puede deshacer aquí', 'Escriba a {sender} si desea volver a recibir correos.'],
  notKept: ['Este mensaje ya no se conserva', 'Ya no se puede leer en el navegador. El mensaje que está en su buzón no se ve afectado.'],
  notValid: [
    'Este enlace no es válido',
    'Es posible que se haya cortado o modificado por el camino. Use el enlace exactamente como aparece en el correo.',
  ],
  notHere: ['Esto no se puede hacer aquí', 'Abra de nuevo el enlace del correo.'],
  tooLarge: ['Esta petición es demasiado grande', 'Abra de nuevo el enlace del correo y use el botón de la página.'],
  later: [
    'Inténtelo de nuevo en un momento',
    'No podemos acceder a nuestra base de datos en este momento. No se ha cambiado nada; su enlace sigue siendo válido.',
  ],
  wrong: ['Algo ha salido mal', 'El fallo es nuestro. Inténtelo más tarde; su enlace sigue siendo válido.'],
};

const nl: PageTexts = {
  ask: [
    'Afmelden bij {sender}?',
    'U ontvangt geen reclamemails van {sender} meer. Berichten over uw account of bestellingen kunnen u nog steeds bereiken.',
  ],
  askButton: 'Afmelden',
  done: ['U bent afgemeld', '{sender} stuurt u geen reclamemails meer. U kunt deze pagina sluiten.'],
  undoButton: 'Ongedaan maken: weer aanmelden',
  undone: ['U bent weer aangemeld', '{sender} mag u weer reclamemails sturen.'],
  cannotUndo: ['Dit kan hier niet ongedaan worden gemaakt', 'Schrijf naar {sender} als u weer e-mail wilt ontvangen.'],
  notKept: [
    'Dit bericht wordt niet meer bewaard',
    'Het kan niet meer in de browser worden gelezen. Het bericht in uw mailbox blijft zoals het is.',
  ],
  notValid: [
    'Deze link is niet geldig',
    'Misschien is de link onderweg afgekapt of veranderd. Gebruik de link precies zoals die in de e-mail staat.',
  ],
  notHere: ['Dit kan hier niet', 'Open de link uit de e-mail opnieuw.'],
  tooLarge: ['Dit verzoek is te groot', 'Open de link uit de e-mail opnieuw en gebruik de knop op de pagina.'],
  later: ['Probeer het zo meteen opnieuw', 'Onze database is op dit moment niet bereikbaar. Er is niets gewijzigd; uw link blijft geldig.'],
  wrong: ['Er is iets misgegaan', 'De fout ligt bij ons. Probeer het later opnieuw; uw link blijft geldig.'],
};

const it: PageTexts = {
  ask: [
    'Annullare l’iscrizione a {sender}?',
    'Non riceverà più e-mail pubblicitarie da {sender}. I messaggi che riguardano il suo account o i suoi ordini potranno ancora raggiungerla.',
  ],
  askButton: 'Annulla l’iscrizione',
  done: ['Iscrizione annullata', '{sender} non le invierà più e-mail pubblicitarie. Può chiudere questa pagina.'],
  undoButton: 'Ripristina l’iscrizione',
  undone: ['Iscrizione ripristinata', '{sender} può inviarle e-mail pubblicitarie come prima.'],
  cannotUndo: ['Non è possibile ripristinare da qui', 'Scriva a {sender} se desidera ricevere di nuovo le e-mail.'],
  notKept: ['Questo messaggio non è più conservato', 'Non può più essere letto nel browser. Il messaggio nella sua casella non cambia.'],
  notValid: [
    'Questo link non è valido',
    'Potrebbe essere stato tagliato o modificato lungo il percorso. Usi il link esattamente come appare nell’e-mail.',
  ],
  notHere: ['Questa operazione non è possibile qui', 'Apra di nuovo il link dell’e-mail.'],
  tooLarge: ['Questa richiesta è troppo grande', 'Apra di nuovo il link dell’e-mail e usi il pulsante della pagina.'],
  later: [
    'Riprovi tra un momento',
    'Al momento il nostro database non è raggiungibile. Nulla è stato modificato; il suo link resta valido.',
  ],
  wrong: ['Qualcosa è andato storto', 'L’errore è nostro. Riprovi più tardi; il suo link resta valido.'],
};

const pt: PageTexts = {
  ask: [
    'Cancelar a inscrição em {sender}?',
    'Não receberá mais e-mails publicitários de {sender}. As mensagens sobre a sua conta ou as suas encomendas poderão continuar a chegar.',
  ],
  askButton: 'Cancelar a inscrição',
  done: ['Inscrição cancelada', '{sender} não lhe enviará mais e-mails publicitários. Pode fechar esta página.'],
  undoButton: 'Desfazer: voltar a inscrever-me',
  undone: ['Inscrição retomada', '{sender} pode enviar-lhe e-mails publicitários como antes.'],
  cannotUndo: ['Isto não pode ser desfeito aqui', 'Escreva a {sender} se quiser voltar a receber e-mails.'],
  notKept: ['Esta mensagem já não está guardada', 'Já não pode ser lida no navegador. A mensagem na sua caixa de correio não é afetada.'],
  notValid: ['Este link não é válido', 'Pode ter sido cortado ou alterado pelo caminho. Use o link exatamente como está no e-mail.'],
  notHere: ['Isto não pode ser feito aqui', 'Abra novamente o link do e-mail.'],
  tooLarge: ['Este pedido é demasiado grande', 'Abra novamente o link do e-mail e use o botão da página.'],
  later: [
    'Tente novamente dentro de momentos',
    'De momento não conseguimos aceder à nossa base de dados. Nada foi alterado; o seu link continua válido.',
  ],
  wrong: ['Algo correu mal', 'O erro é nosso. Tente novamente mais tarde; o seu link continua válido.'],
};

const pl: PageTexts = {
  ask: [
    'Zrezygnować z wiadomości od {sender}?',
    'Nie będziemy już wysyłać Państwu e-maili reklamowych od {sender}. Wiadomości dotyczące konta lub zamówień mogą nadal przychodzić.',
  ],
  askButton: 'Zrezygnuj',
  done: ['Subskrypcja anulowana', '{sender} nie będzie już wysyłać e-maili reklamowych. Można zamknąć tę stronę.'],
  undoButton: 'Cofnij: chcę znów otrzymywać wiadomości',
  undone: ['Subskrypcja przywrócona', '{sender} może znów wysyłać e-maile reklamowe.'],
  cannotUndo: ['Tutaj nie można tego cofnąć', 'Aby znów otrzymywać wiadomości, prosimy napisać do {sender}.'],
  notKept: [
    'Ta wiadomość nie jest już przechowywana',
    'Nie można jej już przeczytać w przeglądarce. Wiadomość w skrzynce pozostaje bez zmian.',
  ],
  notValid: [
    'Ten link jest nieprawidłowy',
    'Mógł zostać po drodze skrócony lub zmieniony. Prosimy użyć linku dokładnie tak, jak podano w e-mailu.',
  ],
  notHere: ['Tego nie można tutaj zrobić', 'Prosimy ponownie otworzyć link z e-maila.'],
  tooLarge: ['To żądanie jest zbyt duże', 'Prosimy ponownie otworzyć link z e-maila i użyć przycisku na stronie.'],
  later: [
    'Prosimy spróbować ponownie za chwilę',
    'Nasza baza danych jest chwilowo niedostępna. Nic nie zostało zmienione; link pozostaje ważny.',
  ],
  wrong: ['Coś poszło nie tak', 'Błąd leży po naszej stronie. Prosimy spróbować później; link pozostaje ważny.'],
};

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { en, de, fr, es, nl, it, pt, pl };
