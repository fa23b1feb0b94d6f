import type { Schemas } from './api.ts';

/** From what a suppression is known. */
export const SUPPRESSION_SOURCES: Readonly<Record<Schemas['Suppression']['source'], string>> = {
  smtp: 'Rejected by the mail server',
  dsn: 'Bounce message',
  arf: 'Complaint report',
  link: 'Unsubscribe link',
  one_click: 'One-click unsubscribe',
  mailto: 'Unsubscribe email',
  api: 'API or console',
  import: 'Import',
  provider: 'Mail provider',
};
