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
  leaveHint: 'You will no longer receive marketing email. You will still get messages about your account or orders.',
  reason: 'Reason (optional)',
  noReason: 'No answer',
  reasons: {
    too_many: 'Too many emails',
    not_relevant: 'The content is not relevant to me',
    never_asked: 'I never signed up',
    other: 'Another reason',
  },
  off: 'You are unsubscribed from all marketing email. Your choices below apply if you subscribe again.',
  saved: 'Your preferences are saved.',
  unchanged: 'Nothing was changed.',
  undo: 'Undo',
  outdated: 'Your preferences were changed somewhere else in the meantime, so nothing was saved. These are your current preferences.',
  choose: 'Choose which emails to receive instead',
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
  leave: 'Alles abbestellen',
  leaveHint: 'Sie erhalten dann keine Werbe-E-Mails mehr. Nachrichten zu Ihrem Konto oder Ihren Bestellungen erhalten Sie weiterhin.',
  reason: 'Grund (optional)',
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
  outdated:
    'Ihre Einstellungen wurden inzwischen an anderer Stelle geändert. Deshalb wurde nichts gespeichert. Hier sehen Sie den aktuellen Stand.',
  choose: 'Stattdessen auswählen, welche E-Mails Sie erhalten',
};

const fr: PreferenceTexts = {
  title: 'Préférences e-mail',
  intro: 'Choisissez ce que {sender} envoie à {address}.',
  topics: 'Thèmes',
  pause: 'Faire une pause',
  noPause: 'Pas de pause',
  stayPaused: 'Rester en pause jusqu’au {date}',
  resume: 'Reprendre maintenant',
  pauses: { '2w': 'Pause de 2 semaines', '1m': 'Pause d’un mois', '3m': 'Pause de 3 mois', '6m': 'Pause de 6 mois' },
  save: 'Enregistrer les préférences',
  leave: 'Se désabonner de tout',
  leaveHint:
    'Vous ne recevrez plus aucun e-mail promotionnel. Vous recevrez toujours les messages concernant votre compte ou vos commandes.',
  reason: 'Motif (facultatif)',
  noReason: 'Sans réponse',
  reasons: {
    too_many: 'Trop d’e-mails',
    not_relevant: 'Le contenu ne m’intéresse pas',
    never_asked: 'Je n’ai jamais demandé ces e-mails',
    other: 'Un autre motif',
  },
  off: 'Vous ne recevez plus aucun e-mail promotionnel. Vos choix s’appliqueront si vous vous réabonnez.',
  saved: 'Vos préférences sont enregistrées.',
  unchanged: 'Rien n’a été modifié.',
  undo: 'Annuler',
  outdated: 'Vos préférences ont été modifiées ailleurs entre-temps ; rien n’a donc été enregistré. Voici leur état actuel.',
  choose: 'Choisir plutôt les e-mails à recevoir',
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
  leaveHint: 'Dejará de recibir correos promocionales. Seguirá recibiendo los mensajes sobre su cuenta o sus pedidos.',
  reason: 'Motivo (opcional)',
  noReason: 'Sin respuesta',
  reasons: {
    too_many: 'Demasiados correos',
    not_relevant: 'El contenido no me interesa',
    never_asked: 'Nunca me suscribí',
    other: 'Otro motivo',
  },
  off: 'Se ha dado de baja de todos los correos promocionales. Sus opciones se aplicarán si vuelve a suscribirse.',
  saved: 'Sus preferencias se han guardado.',
  unchanged: 'No se ha cambiado nada.',
  undo: 'Deshacer',
  outdated:
    'Mientras tanto, sus preferencias se modificaron en otro lugar, así que no se ha guardado nada. Estas son sus preferencias actuales.',
  choose: 'Prefiero elegir qué correos recibo',
};

const nl: PreferenceTexts = {
  title: 'E-mailvoorkeuren',
  intro: 'Kies wat {sender} naar {address} stuurt.',
  topics: 'Onderwerpen',
  pause: 'Pauze inlassen',
  noPause: 'Geen pauze',
  stayPaused: 'Pauze tot {date} behouden',
  resume: 'Nu hervatten',
  pauses: { '2w': '2 weken pauze', '1m': '1 maand pauze', '3m': '3 maanden pauze', '6m': '6 maanden pauze' },
  save: 'Voorkeuren opslaan',
  leave: 'Afmelden voor alles',
  leaveHint: 'U ontvangt dan geen marketingmails meer. Berichten over uw account of bestellingen blijft u ontvangen.',
  reason: 'Reden (optioneel)',
  noReason: 'Geen antwoord',
  reasons: {
    too_many: 'Te veel e-mails',
    not_relevant: 'De inhoud interesseert me niet',
    never_asked: 'Ik heb me nooit aangemeld',
    other: 'Een andere reden',
  },
  off: 'U bent afgemeld voor alle marketingmails. Uw keuzes gelden als u zich weer aanmeldt.',
  saved: 'Uw voorkeuren zijn opgeslagen.',
  unchanged: 'Er is niets gewijzigd.',
  undo: 'Ongedaan maken',
  outdated: 'Uw voorkeuren zijn intussen ergens anders gewijzigd. Daarom is er niets opgeslagen. Dit zijn uw huidige voorkeuren.',
  choose: 'Liever kiezen welke e-mails u ontvangt',
};

const it: PreferenceTexts = {
  title: 'Preferenze e-mail',
  intro: 'Scelga che cosa {sender} invia a {address}.',
  topics: 'Argomenti',
  pause: 'Pausa',
  noPause: 'Nessuna pausa',
  stayPaused: 'Resta in pausa fino al {date}',
  resume: 'Riprendi ora',
  pauses: { '2w': 'Pausa di 2 settimane', '1m': 'Pausa di 1 mese', '3m': 'Pausa di 3 mesi', '6m': 'Pausa di 6 mesi' },
  save: 'Salva le preferenze',
  leave: 'Annulla tutte le iscrizioni',
  leaveHint: 'Non riceverà più e-mail promozionali. Continuerà a ricevere i messaggi sul suo account o sui suoi ordini.',
  reason: 'Motivo (facoltativo)',
  noReason: 'Nessuna risposta',
  reasons: {
    too_many: 'Troppe e-mail',
    not_relevant: 'Il contenuto non mi interessa',
    never_asked: 'Non ho mai richiesto queste e-mail',
    other: 'Un altro motivo',
  },
  off: 'La sua iscrizione a tutte le e-mail promozionali è annullata. Le sue scelte saranno valide se si iscriverà di nuovo.',
  saved: 'Le sue preferenze sono state salvate.',
  unchanged: 'Non è stato modificato nulla.',
  undo: 'Annulla modifica',
  outdated: 'Nel frattempo le sue preferenze sono state modificate altrove, quindi non è stato salvato nulla. Ecco lo stato attuale.',
  choose: 'Scelga invece quali e-mail ricevere',
};

const pt: PreferenceTexts = {
  title: 'Preferências de e-mail',
  intro: 'Escolha o que {sender} envia para {address}.',
  topics: 'Assuntos',
  pause: 'Fazer uma pausa',
  noPause: 'Sem pausa',
  stayPaused: 'Continuar em pausa até {date}',
  resume: 'Retomar agora',
  pauses: { '2w': 'Pausa de 2 semanas', '1m': 'Pausa de 1 mês', '3m': 'Pausa de 3 meses', '6m': 'Pausa de 6 meses' },
  save: 'Salvar preferências',
  leave: 'Cancelar todas as inscrições',
  leaveHint: 'Você não receberá mais e-mails promocionais. Continuará recebendo mensagens sobre sua conta ou seus pedidos.',
  reason: 'Motivo (opcional)',
  noReason: 'Sem resposta',
  reasons: {
    too_many: 'E-mails demais',
    not_relevant: 'O conteúdo não me interessa',
    never_asked: 'Nunca me inscrevi',
    other: 'Outro motivo',
  },
  off: 'Sua inscrição em todos os e-mails promocionais está cancelada. Suas escolhas valerão se você se inscrever novamente.',
  saved: 'Suas preferências foram salvas.',
  unchanged: 'Nada foi alterado.',
  undo: 'Desfazer',
  outdated: 'Suas preferências foram alteradas em outro lugar enquanto isso; por isso, nada foi salvo. Estas são suas preferências atuais.',
  choose: 'Prefiro escolher quais e-mails receber',
};

const pl: PreferenceTexts = {
  title: 'Ustawienia e-maili',
  intro: 'Wybierz, co {sender} ma wysyłać na adres {address}.',
  topics: 'Tematy',
  pause: 'Przerwa',
  noPause: 'Bez przerwy',
  stayPaused: 'Przerwa do {date}',
  resume: 'Zakończ przerwę teraz',
  pauses: { '2w': 'Przerwa na 2 tygodnie', '1m': 'Przerwa na 1 miesiąc', '3m': 'Przerwa na 3 miesiące', '6m': 'Przerwa na 6 miesięcy' },
  save: 'Zapisz ustawienia',
  leave: 'Zrezygnuj ze wszystkiego',
  leaveHint: 'Nie będziesz już otrzymywać e-maili marketingowych. Nadal będziesz otrzymywać wiadomości dotyczące konta lub zamówień.',
  reason: 'Powód (opcjonalnie)',
  noReason: 'Brak odpowiedzi',
  reasons: {
    too_many: 'Za dużo e-maili',
    not_relevant: 'Treść mnie nie interesuje',
    never_asked: 'Nigdy nie zgadzałem(-am) się na te e-maile',
    other: 'Inny powód',
  },
  off: 'Subskrypcja wszystkich e-maili marketingowych jest anulowana. Wybór poniżej zacznie obowiązywać po ponownym zapisaniu się.',
  saved: 'Ustawienia zostały zapisane.',
  unchanged: 'Nic nie zmieniono.',
  undo: 'Cofnij',
  outdated: 'W międzyczasie ustawienia zmieniono w innym miejscu, dlatego nic nie zapisano. Oto Twoje obecne ustawienia.',
  choose: 'Wolę wybrać, jakie e-maile otrzymuję',
};

export const PREFERENCE_TEXTS: Readonly<Record<Language, PreferenceTexts>> = { en, de, fr, es, nl, it, pt, pl };
