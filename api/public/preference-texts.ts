import type { Language } from '../../src/rules/languages';
import type { PauseChoice } from '../../src/rules/pause';

/** Reasons that people can give when they leave. */
export const LEAVE_REASONS = ['too_many', 'not_relevant', 'never_asked', 'other'] as const;
type LeaveReason = (typeof LEAVE_REASONS)[number];

/** The texts of the preference page in one language. `{sender}`, `{address}` and `{date}` are placeholders. */
export interface PreferenceTexts {
  readonly title: string;
  readonly intro: string;
  readonly topics: string;
  readonly pause: string;
  readonly noPause: string;
  readonly stayPaused: string;
  readonly resume: string;
  readonly pauses: Readonly<Record<PauseChoice, string>>;
  readonly save: string;
  readonly leave: string;
  readonly leaveHint: string;
  readonly reason: string;
  readonly noReason: string;
  readonly reasons: Readonly<Record<LeaveReason, string>>;
  readonly off: string;
  readonly saved: string;
  readonly unchanged: string;
  readonly undo: string;
  readonly outdated: string;
  /** The link from the unsubscribe page. */
  readonly choose: string;
}

const en: PreferenceTexts = {
  title: 'Email preferences',
  intro: 'Choose what {sender} sends to {address}.',
  topics: 'Topics',
  pause: 'Take a break',
  noPause: 'No break',
  stayPaused: 'Stay paused until {date}',
  resume: 'Resume now',
  pauses: { '2w': 'Pause for 2 weeks', '1m': 'Pause for 1 month', '3m': 'Pause for 3 months', '6m': 'Pause for 6 months' },
  save: 'Save preferences',
  leave: 'Unsubscribe from everything',
  leaveHint: 'You will receive no marketing email at all. Messages about your account or orders still arrive.',
  reason: 'Reason (optional)',
  noReason: 'No answer',
  reasons: {
    too_many: 'Too many emails',
    not_relevant: 'The content does not interest me',
    never_asked: 'I never signed up',
    other: 'Another reason',
  },
  off: 'You are unsubscribed from all marketing email. Your choices below apply if you subscribe again.',
  saved: 'Your preferences are saved.',
  unchanged: 'Nothing was changed.',
  undo: 'Undo',
  outdated: 'Your preferences were changed elsewhere in the meantime, so nothing was saved. This is how they are now.',
  choose: 'Choose what you receive instead',
};

const de: PreferenceTexts = {
  title: 'E-Mail-Einstellungen',
  intro: 'Wählen Sie aus, was {sender} an {address} sendet.',
  topics: 'Themen',
  pause: 'Eine Pause einlegen',
  noPause: 'Keine Pause',
  stayPaused: 'Pause bis {date} beibehalten',
  resume: 'Pause jetzt beenden',
  pauses: { '2w': '2 Wochen Pause', '1m': '1 Monat Pause', '3m': '3 Monate Pause', '6m': '6 Monate Pause' },
  save: 'Einstellungen speichern',
  leave: 'Von allem abmelden',
  leaveHint: 'Sie erhalten dann keine Werbe-E-Mails mehr. Nachrichten zu Ihrem Konto oder Ihren Bestellungen kommen weiterhin an.',
  reason: 'Grund (freiwillig)',
  noReason: 'Keine Angabe',
  reasons: {
    too_many: 'Zu viele E-Mails',
    not_relevant: 'Die Inhalte interessieren mich nicht',
    never_asked: 'Ich habe mich nie angemeldet',
    other: 'Ein anderer Grund',
  },
  off: 'Sie sind von allen Werbe-E-Mails abgemeldet. Ihre Auswahl gilt, wenn Sie sich wieder anmelden.',
  saved: 'Ihre Einstellungen sind gespeichert.',
  unchanged: 'Es wurde nichts geändert.',
  undo: 'Rückgängig machen',
  outdated: 'Ihre Einstellungen wurden inzwischen anderswo geändert; deshalb wurde nichts gespeichert. So sind sie jetzt.',
  choose: 'Stattdessen auswählen, was Sie erhalten',
};

const fr: PreferenceTexts = {
  title: 'Préférences d’e-mail',
  intro: 'Choisissez ce que {sender} envoie à {address}.',
  topics: 'Thèmes',
  pause: 'Faire une pause',
  noPause: 'Pas de pause',
  stayPaused: 'Rester en pause jusqu’au {date}',
  resume: 'Reprendre maintenant',
  pauses: { '2w': 'Pause de 2 semaines', '1m': 'Pause de 1 mois', '3m': 'Pause de 3 mois', '6m': 'Pause de 6 mois' },
  save: 'Enregistrer les préférences',
  leave: 'Se désabonner de tout',
  leaveHint:
    'Vous ne recevrez plus aucun e-mail publicitaire. Les messages concernant votre compte ou vos commandes vous parviendront toujours.',
  reason: 'Raison (facultatif)',
  noReason: 'Sans réponse',
  reasons: {
    too_many: 'Trop d’e-mails',
    not_relevant: 'Le contenu ne m’intéresse pas',
    never_asked: 'Je ne me suis jamais inscrit',
    other: 'Une autre raison',
  },
  off: 'Vous êtes désabonné de tous les e-mails publicitaires. Vos choix s’appliqueront si vous vous réabonnez.',
  saved: 'Vos préférences sont enregistrées.',
  unchanged: 'Rien n’a été modifié.',
  undo: 'Annuler',
  outdated: 'Vos préférences ont été modifiées ailleurs entre-temps ; rien n’a donc été enregistré. Voici leur état actuel.',
  choose: 'Choisir plutôt ce que vous recevez',
};

const es: PreferenceTexts = {
  title: 'Preferencias de correo',
  intro: 'Elija lo que {sender} envía a {address}.',
  topics: 'Temas',
  pause: 'Hacer una pausa',
  noPause: 'Sin pausa',
  stayPaused: 'Seguir en pausa hasta el {date}',
  resume: 'Reanudar ahora',
  pauses: { '2w': 'Pausa de 2 semanas', '1m': 'Pausa de 1 mes', '3m': 'Pausa de 3 meses', '6m': 'Pausa de 6 meses' },
  save: 'Guardar preferencias',
  leave: 'Darse de baja de todo',
  leaveHint: 'No recibirá ningún correo publicitario. Los mensajes sobre su cuenta o sus pedidos seguirán llegando.',
  reason: 'Motivo (opcional)',
  noReason: 'Sin respuesta',
  reasons: {
    too_many: 'Demasiados correos',
    not_relevant: 'El contenido no me interesa',
    never_asked: 'Nunca me suscribí',
    other: 'Otro motivo',
  },
  off: 'Se ha dado de baja de todos los correos publicitarios. Sus opciones se aplicarán si vuelve a suscribirse.',
  saved: 'Sus preferencias se han guardado.',
  unchanged: 'No se ha cambiado nada.',
  undo: 'Deshacer',
  outdated: 'Sus preferencias se cambiaron entretanto en otro lugar, por lo que no se ha guardado nada. Este es su estado actual.',
  choose: 'Elegir en su lugar lo que recibe',
};

const nl: PreferenceTexts = {
  title: 'E-mailvoorkeuren',
  intro: 'Kies wat {sender} naar {address} stuurt.',
  topics: 'Onderwerpen',
  pause: 'Een pauze nemen',
  noPause: 'Geen pauze',
  stayPaused: 'Pauze tot {date} behouden',
  resume: 'Nu hervatten',
  pauses: { '2w': '2 weken pauze', '1m': '1 maand pauze', '3m': '3 maanden pauze', '6m': '6 maanden pauze' },
  save: 'Voorkeuren opslaan',
  leave: 'Voor alles afmelden',
  leaveHint: 'U ontvangt dan geen reclamemails meer. Berichten over uw account of bestellingen komen nog steeds aan.',
  reason: 'Reden (optioneel)',
  noReason: 'Geen antwoord',
  reasons: {
    too_many: 'Te veel e-mails',
    not_relevant: 'De inhoud interesseert me niet',
    never_asked: 'Ik heb me nooit aangemeld',
    other: 'Een andere reden',
  },
  off: 'U bent afgemeld voor alle reclamemails. Uw keuzes gelden als u zich weer aanmeldt.',
  saved: 'Uw voorkeuren zijn opgeslagen.',
  unchanged: 'Er is niets gewijzigd.',
  undo: 'Ongedaan maken',
  outdated: 'Uw voorkeuren zijn intussen elders gewijzigd; daarom is er niets opgeslagen. Zo zijn ze nu.',
  choose: 'In plaats daarvan kiezen wat u ontvangt',
};

const it: PreferenceTexts = {
  title: 'Preferenze e-mail',
  intro: 'Scelga che cosa {sender} invia a {address}.',
  topics: 'Argomenti',
  pause: 'Fare una pausa',
  noPause: 'Nessuna pausa',
  stayPaused: 'Restare in pausa fino al {date}',
  resume: 'Riprendere ora',
  pauses: { '2w': 'Pausa di 2 settimane', '1m': 'Pausa di 1 mese', '3m': 'Pausa di 3 mesi', '6m': 'Pausa di 6 mesi' },
  save: 'Salva le preferenze',
  leave: 'Annulla tutte le iscrizioni',
  leaveHint: 'Non riceverà più alcuna e-mail pubblicitaria. I messaggi sul suo account o sui suoi ordini continueranno ad arrivare.',
  reason: 'Motivo (facoltativo)',
  noReason: 'Nessuna risposta',
  reasons: {
    too_many: 'Troppe e-mail',
    not_relevant: 'Il contenuto non mi interessa',
    never_asked: 'Non mi sono mai iscritto',
    other: 'Un altro motivo',
  },
  off: 'La sua iscrizione a tutte le e-mail pubblicitarie è annullata. Le sue scelte varranno se si iscriverà di nuovo.',
  saved: 'Le sue preferenze sono state salvate.',
  unchanged: 'Non è stato modificato nulla.',
  undo: 'Annulla la modifica',
  outdated: 'Nel frattempo le sue preferenze sono state modificate altrove, quindi non è stato salvato nulla. Ecco lo stato attuale.',
  choose: 'Scegliere invece che cosa ricevere',
};

const pt: PreferenceTexts = {
  title: 'Preferências de e-mail',
  intro: 'Escolha o que {sender} envia para {address}.',
  topics: 'Temas',
  pause: 'Fazer uma pausa',
  noPause: 'Sem pausa',
  stayPaused: 'Continuar em pausa até {date}',
  resume: 'Retomar agora',
  pauses: { '2w': 'Pausa de 2 semanas', '1m': 'Pausa de 1 mês', '3m': 'Pausa de 3 meses', '6m': 'Pausa de 6 meses' },
  save: 'Guardar preferências',
  leave: 'Cancelar todas as inscrições',
  leaveHint: 'Não receberá qualquer e-mail publicitário. As mensagens sobre a sua conta ou as suas encomendas continuarão a chegar.',
  reason: 'Motivo (opcional)',
  noReason: 'Sem resposta',
  reasons: {
    too_many: 'Demasiados e-mails',
    not_relevant: 'O conteúdo não me interessa',
    never_asked: 'Nunca me inscrevi',
    other: 'Outro motivo',
  },
  off: 'A sua inscrição em todos os e-mails publicitários está cancelada. As suas escolhas aplicam-se se voltar a inscrever-se.',
  saved: 'As suas preferências foram guardadas.',
  unchanged: 'Nada foi alterado.',
  undo: 'Desfazer',
  outdated: 'As suas preferências foram entretanto alteradas noutro lugar, pelo que nada foi guardado. É este o estado atual.',
  choose: 'Escolher antes o que recebe',
};

const pl: PreferenceTexts = {
  title: 'Ustawienia wiadomości',
  intro: 'Proszę wybrać, co {sender} wysyła na adres {address}.',
  topics: 'Tematy',
  pause: 'Przerwa',
  noPause: 'Bez przerwy',
  stayPaused: 'Przerwa do {date}',
  resume: 'Zakończ przerwę teraz',
  pauses: { '2w': 'Przerwa na 2 tygodnie', '1m': 'Przerwa na 1 miesiąc', '3m': 'Przerwa na 3 miesiące', '6m': 'Przerwa na 6 miesięcy' },
  save: 'Zapisz ustawienia',
  leave: 'Zrezygnuj ze wszystkiego',
  leaveHint: 'Nie będziemy wysyłać żadnych e-maili reklamowych. Wiadomości dotyczące konta lub zamówień nadal będą przychodzić.',
  reason: 'Powód (opcjonalnie)',
  noReason: 'Brak odpowiedzi',
  reasons: {
    too_many: 'Za dużo e-maili',
    not_relevant: 'Treść mnie nie interesuje',
    never_asked: 'Nie było mojej zgody na wiadomości',
    other: 'Inny powód',
  },
  off: 'Subskrypcja wszystkich e-maili reklamowych jest anulowana. Wybór poniżej zacznie obowiązywać po ponownej subskrypcji.',
  saved: 'Ustawienia zostały zapisane.',
  unchanged: 'Nic nie zostało zmienione.',
  undo: 'Cofnij',
  outdated: 'W międzyczasie ustawienia zostały zmienione w innym miejscu, dlatego nic nie zapisano. Oto ich obecny stan.',
  choose: 'Zamiast tego wybierz, co otrzymujesz',
};

export const PREFERENCE_TEXTS: Readonly<Record<Language, PreferenceTexts>> = { en, de, fr, es, nl, it, pt, pl };
