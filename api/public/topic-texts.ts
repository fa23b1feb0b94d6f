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
    ask: ['„{topic}“ abbestellen?', 'Sie erhalten dann „{topic}“ von {sender} nicht mehr. Andere E-Mails können Sie weiterhin erreichen.'],
    done: ['„{topic}“ ist abbestellt', '{sender} sendet Ihnen „{topic}“ nicht mehr. Andere E-Mails können Sie weiterhin erreichen.'],
    undone: ['Sie sind wieder angemeldet', '{sender} darf Ihnen „{topic}“ wie zuvor senden.'],
    everythingButton: 'Von allen Werbe-E-Mails abmelden',
  },
  fr: {
    ask: [
      'Vous désabonner de « {topic} » ?',
      'Vous ne recevrez plus « {topic} » de {sender}. D’autres e-mails pourront toujours vous parvenir.',
    ],
    done: [
      'Vous êtes désabonné de « {topic} »',
      '{sender} ne vous enverra plus « {topic} ». D’autres e-mails pourront toujours vous parvenir.',
    ],
    undone: ['Vous êtes de nouveau abonné', '{sender} peut vous envoyer « {topic} » comme auparavant.'],
    everythingButton: 'Me désabonner de tous les e-mails publicitaires',
  },
  es: {
    ask: ['¿Darse de baja de «{topic}»?', 'No recibirá más «{topic}» de {sender}. Otros correos podrán seguir llegándole.'],
    done: ['Se ha dado de baja de «{topic}»', '{sender} no le enviará más «{topic}». Otros correos podrán seguir llegándole.'],
    undone: ['Vuelve a estar suscrito', '{sender} puede enviarle «{topic}» de nuevo.'],
    everythingButton: 'Darme de baja de todos los correos publicitarios',
  },
  nl: {
    ask: ['Afmelden voor “{topic}”?', 'U ontvangt “{topic}” van {sender} niet meer. Andere e-mails kunnen u nog steeds bereiken.'],
    done: ['U bent afgemeld voor “{topic}”', '{sender} stuurt u “{topic}” niet meer. Andere e-mails kunnen u nog steeds bereiken.'],
    undone: ['U bent weer aangemeld', '{sender} mag u “{topic}” weer sturen.'],
    everythingButton: 'Afmelden voor alle reclamemails',
  },
  it: {
    ask: ['Annullare l’iscrizione a “{topic}”?', 'Non riceverà più “{topic}” da {sender}. Altre e-mail potranno ancora raggiungerla.'],
    done: ['Iscrizione a “{topic}” annullata', '{sender} non le invierà più “{topic}”. Altre e-mail potranno ancora raggiungerla.'],
    undone: ['È di nuovo iscritto', '{sender} può inviarle di nuovo “{topic}”.'],
    everythingButton: 'Annullare l’iscrizione a tutte le e-mail pubblicitarie',
  },
  pt: {
    ask: ['Cancelar a inscrição em “{topic}”?', 'Não receberá mais “{topic}” de {sender}. Outros e-mails poderão continuar a chegar.'],
    done: ['Inscrição em “{topic}” cancelada', '{sender} não lhe enviará mais “{topic}”. Outros e-mails poderão continuar a chegar.'],
    undone: ['Está novamente inscrito', '{sender} pode voltar a enviar-lhe “{topic}”.'],
    everythingButton: 'Cancelar a inscrição em todos os e-mails publicitários',
  },
  pl: {
    ask: ['Zrezygnować z „{topic}”?', 'Nie będziemy już wysyłać Państwu „{topic}” od {sender}. Inne wiadomości mogą nadal przychodzić.'],
    done: ['Rezygnacja z „{topic}” przyjęta', '{sender} nie będzie już wysyłać Państwu „{topic}”. Inne wiadomości mogą nadal przychodzić.'],
    undone: ['Subskrypcja została przywrócona', '{sender} może ponownie wysyłać Państwu „{topic}”.'],
    everythingButton: 'Zrezygnować ze wszystkich wiadomości reklamowych',
  },
};
