import type { Language } from '../../src/rules/languages';

/** The texts of the pages of mail with a topic in one language. `{sender}` stands for the project's name, `{topic}` for the topic's. */
interface TopicTexts {
  readonly ask: readonly [title: string, text: string];
  readonly done: readonly [title: string, text: string];
  readonly undone: readonly [title: string, text: string];
  /** Leaves all marketing mail. */
  readonly everythingButton: string;
}

export const TOPIC_TEXTS: Readonly<Record<Language, TopicTexts>> = {
  en: {
    ask: ['Unsubscribe from “{topic}”?', 'You will no longer receive “{topic}” from {sender}. You may still receive other email.'],
    done: ['You are unsubscribed from “{topic}”', '{sender} will no longer send you “{topic}”. You may still receive other email.'],
    undone: ['You are subscribed again', '{sender} can send you “{topic}” again.'],
    everythingButton: 'Unsubscribe from all marketing email',
  },
  de: {
    ask: [
      '„{topic}“ abbestellen?',
      'Sie erhalten dann „{topic}“ von {sender} nicht mehr. Andere E-Mails erhalten Sie möglicherweise weiterhin.',
    ],
    done: ['„{topic}“ ist abbestellt', '{sender} sendet Ihnen „{topic}“ nicht mehr. Andere E-Mails erhalten Sie möglicherweise weiterhin.'],
    undone: ['Sie sind wieder angemeldet', '{sender} darf Ihnen „{topic}“ wieder senden.'],
    everythingButton: 'Von allen Werbe-E-Mails abmelden',
  },
  fr: {
    ask: [
      'Se désabonner de « {topic} » ?',
      'Vous ne recevrez plus « {topic} » de {sender}. Vous pourrez toujours recevoir d’autres e-mails.',
    ],
    done: [
      'Désabonnement de « {topic} » confirmé',
      '{sender} ne vous enverra plus « {topic} ». Vous pourrez toujours recevoir d’autres e-mails.',
    ],
    undone: ['Réabonnement confirmé', '{sender} peut de nouveau vous envoyer « {topic} ».'],
    everythingButton: 'Me désabonner de tous les e-mails promotionnels',
  },
  es: {
    ask: ['¿Darse de baja de «{topic}»?', 'Dejará de recibir «{topic}» de {sender}. Es posible que siga recibiendo otros correos.'],
    done: ['Se ha dado de baja de «{topic}»', '{sender} ya no le enviará «{topic}». Es posible que siga recibiendo otros correos.'],
    undone: ['Suscripción reactivada', '{sender} puede volver a enviarle «{topic}».'],
    everythingButton: 'Darme de baja de todos los correos promocionales',
  },
  nl: {
    ask: ['Afmelden voor “{topic}”?', 'U ontvangt “{topic}” van {sender} dan niet meer. Andere e-mails kunt u nog wel ontvangen.'],
    done: ['U bent afgemeld voor “{topic}”', '{sender} stuurt u “{topic}” niet meer. Andere e-mails kunt u nog wel ontvangen.'],
    undone: ['U bent weer aangemeld', '{sender} mag u “{topic}” weer sturen.'],
    everythingButton: 'Afmelden voor alle marketingmails',
  },
  it: {
    ask: ['Annullare l’iscrizione a “{topic}”?', 'Non riceverà più “{topic}” da {sender}. Potrà continuare a ricevere altre e-mail.'],
    done: ['Iscrizione a “{topic}” annullata', '{sender} non le invierà più “{topic}”. Potrà continuare a ricevere altre e-mail.'],
    undone: ['Iscrizione ripristinata', '{sender} può inviarle di nuovo “{topic}”.'],
    everythingButton: 'Annulla l’iscrizione a tutte le e-mail promozionali',
  },
  pt: {
    ask: ['Cancelar a inscrição em “{topic}”?', 'Você não receberá mais “{topic}” de {sender}. Outros e-mails ainda podem chegar.'],
    done: ['Inscrição em “{topic}” cancelada', '{sender} não enviará mais “{topic}” para você. Outros e-mails ainda podem chegar.'],
    undone: ['Inscrição reativada', '{sender} pode voltar a enviar “{topic}” para você.'],
    everythingButton: 'Cancelar a inscrição em todos os e-mails promocionais',
  },
  pl: {
    ask: ['Zrezygnować z „{topic}”?', 'Nie będziesz już otrzymywać „{topic}” od {sender}. Nadal możesz otrzymywać inne wiadomości.'],
    done: ['Rezygnacja z „{topic}” przyjęta', '{sender} nie będzie już wysyłać Ci „{topic}”. Nadal możesz otrzymywać inne wiadomości.'],
    undone: ['Subskrypcja przywrócona', '{sender} może znów wysyłać Ci „{topic}”.'],
    everythingButton: 'Zrezygnuj ze wszystkich e-maili marketingowych',
  },
};
