import type { Schemas } from './api.ts';

/** From what a suppression is known. */
export const SUPPRESSION_SOURCES: Readonly<Record<Schemas['Suppression']['source'], string>> = {
  smtp: 'a refusal by the mail server',
  dsn: 'a delivery report',
  arf: 'a complaint report',
  link: 'a link in a message',
  one_click: 'a mail program’s button',
  mailto: 'an unsubscribe mail',
  api: 'the API',
  import: 'an import',
  provider: 'the mail provider',
};
