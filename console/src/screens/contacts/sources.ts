/** From what it is known that a person takes mail, or does not. */
const SOURCES: Readonly<Record<string, string>> = {
  api: 'API or console',
  import: 'Import',
  send: 'Message',
  event: 'Event',
  inbound: 'Inbound mail',
  automation: 'Automation',
  one_click: 'One-click unsubscribe',
  link: 'Unsubscribe link',
  mailto: 'Unsubscribe email',
  preferences: 'Preference page',
  form: 'Form',
  opt_in: 'Double opt-in',
};

export const sourceWords = (source: string): string => SOURCES[source] ?? source;
