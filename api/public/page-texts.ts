import type { Language } from '../../src/rules/languages';

/** The title and the paragraph of a page. */
type Said = readonly [title: string, text: string];

/** Texts of the public pages in one language. `{sender}` is replaced by the project's name. French has no-break spaces before `? ! : ;` and within « ». */
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
    'Sie erhalten dann keine Werbe-E-Mails mehr von {sender}. Nachrichten zu Ihrem Konto oder Ihren Bestellungen können Sie weiterhin erhalten.',
  ],
  askButton: 'Abmelden',
  done: ['Sie sind abgemeldet', '{sender} sendet Ihnen keine Werbe-E-Mails mehr. Sie können diese Seite jetzt schließen.'],
  undoButton: 'Wieder anmelden',
  undone: ['Sie sind wieder angemeldet', '{sender} darf Ihnen wieder Werbe-E-Mails senden.'],
  cannotUndo: [
    'Hier lässt sich das nicht rückgängig machen',
    'Wenn Sie wieder E-Mails erhalten möchten, wenden Sie sich bitte an {sender}.',
  ],
  notKept: [
    'Diese Nachricht ist nicht mehr verfügbar',
    'Sie kann nicht mehr im Browser angezeigt werden. Die E-Mail in Ihrem Postfach bleibt unverändert.',
  ],
  notValid: ['Dieser Link ist ungültig', 'Möglicherweise ist er unvollständig. Bitte verwenden Sie genau den Link aus der E-Mail.'],
  notHere: ['Diese Aktion ist nicht verfügbar', 'Bitte öffnen Sie den Link aus der E-Mail erneut.'],
  tooLarge: [
    'Diese Anfrage ist zu groß',
    'Bitte öffnen Sie den Link aus der E-Mail erneut und verwenden Sie die Schaltfläche auf der Seite.',
  ],
  later: [
    'Bitte versuchen Sie es gleich noch einmal',
    'Der Dienst ist vorübergehend nicht erreichbar. Es wurde nichts geändert, und Ihr Link bleibt gültig.',
  ],
  wrong: ['Etwas ist schiefgelaufen', 'Der Fehler liegt bei uns. Bitte versuchen Sie es später noch einmal. Ihr Link bleibt gültig.'],
};

const fr: PageTexts = {
  ask: [
    'Se désabonner de {sender} ?',
    'Vous ne recevrez plus d’e-mails promotionnels de la part de {sender}. Vous pourrez toujours recevoir des messages concernant votre compte ou vos commandes.',
  ],
  askButton: 'Se désabonner',
  done: ['Désabonnement confirmé', '{sender} ne vous enverra plus d’e-mails promotionnels. Vous pouvez fermer cette page.'],
  undoButton: 'Me réabonner',
  undone: ['Réabonnement confirmé', '{sender} peut de nouveau vous envoyer des e-mails promotionnels.'],
  cannotUndo: ['Impossible d’annuler ici', 'Pour recevoir de nouveau des e-mails, contactez {sender}.'],
  notKept: [
    'Ce message n’est plus disponible',
    'Il ne peut plus être affiché dans le navigateur. Le message dans votre boîte de réception n’est pas affecté.',
  ],
  notValid: ['Ce lien n’est pas valide', 'Il est peut-être incomplet. Utilisez exactement le lien qui figure dans l’e-mail.'],
  notHere: ['Cette action n’est pas disponible', 'Ouvrez de nouveau le lien de l’e-mail.'],
  tooLarge: ['Cette requête est trop volumineuse', 'Ouvrez de nouveau le lien de l’e-mail, puis utilisez le bouton de la page.'],
  later: ['Réessayez dans un instant', 'Le service est momentanément indisponible. Rien n’a été modifié et votre lien reste valide.'],
  wrong: ['Une erreur s’est produite', 'Le problème vient de notre côté. Réessayez plus tard. Votre lien reste valide.'],
};

const es: PageTexts = {
  ask: [
    '¿Darse de baja de {sender}?',
    'Dejará de recibir correos promocionales de {sender}. Es posible que siga recibiendo mensajes sobre su cuenta o sus pedidos.',
  ],
  askButton: 'Darme de baja',
  done: ['Se ha dado de baja', '{sender} ya no le enviará correos promocionales. Puede cerrar esta página.'],
  undoButton: 'Volver a suscribirme',
  undone: ['Se ha vuelto a suscribir', '{sender} puede volver a enviarle correos promocionales.'],
  cannotUndo: ['Esto no se puede deshacer aquí', 'Para volver a recibir correos, póngase en contacto con {sender}.'],
  notKept: ['Este mensaje ya no está disponible', 'Ya no se puede mostrar en el navegador. El mensaje de su bandeja de entrada no cambia.'],
  notValid: ['Este enlace no es válido', 'Puede que esté incompleto. Use exactamente el enlace del correo.'],
  notHere: ['Esta acción no está disponible', 'Abra de nuevo el enlace del correo.'],
  tooLarge: ['Esta solicitud es demasiado grande', 'Abra de nuevo el enlace del correo y use el botón de la página.'],
  later: [
    'Inténtelo de nuevo en un momento',
    'El servicio no está disponible temporalmente. No se ha cambiado nada y su enlace sigue siendo válido.',
  ],
  wrong: ['Se ha producido un error', 'El problema está en nuestro sistema. Inténtelo de nuevo más tarde. Su enlace sigue siendo válido.'],
};

const nl: PageTexts = {
  ask: [
    'Afmelden bij {sender}?',
    'U ontvangt dan geen marketingmails meer van {sender}. Berichten over uw account of bestellingen kunt u nog wel ontvangen.',
  ],
  askButton: 'Afmelden',
  done: ['U bent afgemeld', '{sender} stuurt u geen marketingmails meer. U kunt deze pagina sluiten.'],
  undoButton: 'Opnieuw aanmelden',
  undone: ['U bent weer aangemeld', '{sender} mag u weer marketingmails sturen.'],
  cannotUndo: ['U kunt dit hier niet ongedaan maken', 'Neem contact op met {sender} als u weer e-mails wilt ontvangen.'],
  notKept: [
    'Dit bericht is niet meer beschikbaar',
    'Het kan niet meer in de browser worden weergegeven. Het bericht in uw mailbox blijft ongewijzigd.',
  ],
  notValid: ['Deze link is niet geldig', 'De link is mogelijk onvolledig. Gebruik de exacte link uit de e-mail.'],
  notHere: ['Deze actie is niet beschikbaar', 'Open de link uit de e-mail opnieuw.'],
  tooLarge: ['Dit verzoek is te groot', 'Open de link uit de e-mail opnieuw en gebruik de knop op de pagina.'],
  later: ['Probeer het zo meteen opnieuw', 'De dienst is tijdelijk niet beschikbaar. Er is niets gewijzigd en uw link blijft geldig.'],
  wrong: ['Er is iets misgegaan', 'De fout ligt bij ons. Probeer het later opnieuw. Uw link blijft geldig.'],
};

const it: PageTexts = {
  ask: [
    'Annullare l’iscrizione a {sender}?',
    'Non riceverà più e-mail promozionali da {sender}. Potrà continuare a ricevere messaggi relativi al suo account o ai suoi ordini.',
  ],
  askButton: 'Annulla l’iscrizione',
  done: ['Iscrizione annullata', '{sender} non le invierà più e-mail promozionali. Può chiudere questa pagina.'],
  undoButton: 'Ripristina l’iscrizione',
  undone: ['Iscrizione ripristinata', '{sender} può inviarle di nuovo e-mail promozionali.'],
  cannotUndo: ['Non è possibile ripristinare l’iscrizione da qui', 'Per ricevere di nuovo le e-mail, contatti {sender}.'],
  notKept: [
    'Questo messaggio non è più disponibile',
    'Non può più essere visualizzato nel browser. Il messaggio nella sua casella di posta resta invariato.',
  ],
  notValid: ['Questo link non è valido', 'Potrebbe essere incompleto. Usi il link esatto contenuto nell’e-mail.'],
  notHere: ['Questa azione non è disponibile', 'Apra di nuovo il link contenuto nell’e-mail.'],
  tooLarge: ['Questa richiesta è troppo grande', 'Apra di nuovo il link contenuto nell’e-mail, poi usi il pulsante nella pagina.'],
  later: [
    'Riprovi tra qualche istante',
    'Il servizio è temporaneamente non disponibile. Nulla è stato modificato e il suo link resta valido.',
  ],
  wrong: ['Si è verificato un errore', 'L’errore dipende da noi. Riprovi più tardi. Il suo link resta valido.'],
};

const pt: PageTexts = {
  ask: [
    'Cancelar a inscrição em {sender}?',
    'Você não receberá mais e-mails promocionais de {sender}. Ainda poderá receber mensagens sobre sua conta ou seus pedidos.',
  ],
  askButton: 'Cancelar a inscrição',
  done: ['Inscrição cancelada', '{sender} não enviará mais e-mails promocionais para você. Você pode fechar esta página.'],
  undoButton: 'Quero me inscrever novamente',
  undone: ['Inscrição reativada', '{sender} pode voltar a enviar e-mails promocionais para você.'],
  cannotUndo: ['Não é possível desfazer isso aqui', 'Para voltar a receber e-mails, entre em contato com {sender}.'],
  notKept: [
    'Esta mensagem não está mais disponível',
    'Ela não pode mais ser exibida no navegador. A mensagem na sua caixa de entrada não é afetada.',
  ],
  notValid: ['Este link não é válido', 'Ele pode estar incompleto. Use o link exato do e-mail.'],
  notHere: ['Esta ação não está disponível', 'Abra novamente o link do e-mail.'],
  tooLarge: ['Esta solicitação é grande demais', 'Abra novamente o link do e-mail e use o botão da página.'],
  later: ['Tente novamente em instantes', 'O serviço está temporariamente indisponível. Nada foi alterado, e seu link continua válido.'],
  wrong: ['Ocorreu um erro', 'O erro é nosso. Tente novamente mais tarde. Seu link continua válido.'],
};

const pl: PageTexts = {
  ask: [
    'Zrezygnować z wiadomości od {sender}?',
    'Nie będziesz już otrzymywać e-maili marketingowych od {sender}. Nadal możesz otrzymywać wiadomości dotyczące konta lub zamówień.',
  ],
  askButton: 'Zrezygnuj z subskrypcji',
  done: ['Subskrypcja anulowana', '{sender} nie będzie już wysyłać Ci e-maili marketingowych. Możesz zamknąć tę stronę.'],
  undoButton: 'Zapisz mnie ponownie',
  undone: ['Subskrypcja przywrócona', '{sender} może znów wysyłać Ci e-maile marketingowe.'],
  cannotUndo: ['Tutaj nie można tego cofnąć', 'Aby znów otrzymywać wiadomości, skontaktuj się z nadawcą: {sender}.'],
  notKept: [
    'Ta wiadomość nie jest już dostępna',
    'Nie można jej już wyświetlić w przeglądarce. Wiadomość w Twojej skrzynce pozostaje bez zmian.',
  ],
  notValid: ['Ten link jest nieprawidłowy', 'Może być niepełny. Użyj dokładnie tego linku, który jest w e-mailu.'],
  notHere: ['Ta operacja jest niedostępna', 'Otwórz ponownie link z e-maila.'],
  tooLarge: ['To żądanie jest zbyt duże', 'Otwórz ponownie link z e-maila i użyj przycisku na stronie.'],
  later: ['Spróbuj ponownie za chwilę', 'Usługa jest chwilowo niedostępna. Nic nie zostało zmienione, a Twój link pozostaje ważny.'],
  wrong: ['Coś poszło nie tak', 'Błąd leży po naszej stronie. Spróbuj ponownie później. Twój link pozostaje ważny.'],
};

export const PAGE_TEXTS: Readonly<Record<Language, PageTexts>> = { en, de, fr, es, nl, it, pt, pl };
