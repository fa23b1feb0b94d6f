/** The services whose exports can be read, with what to export there. */
export const SERVICES = [
  [
    'mailchimp',
    'Mailchimp',
    'The archive of an audience export, or the CSV files in it, and HTML files of templates. Keep the names of the files.',
  ],
  [
    'listmonk',
    'listmonk',
    'export.csv of the subscribers, or the JSON of /api/subscribers, which has the lists; the JSON of /api/templates.',
  ],
  ['resend', 'Resend', 'The CSV of contacts, or the JSON of contacts and of templates.'],
  ['sendgrid', 'SendGrid', 'The CSV of contacts, of each kind of suppression by its own name, and the JSON of templates.'],
  ['buttondown', 'Buttondown', 'subscribers.csv.'],
] as const;

export type Service = (typeof SERVICES)[number][0];

export const nameOf = (service: string): string => SERVICES.find(([id]) => id === service)?.[1] ?? service;
export const filesOf = (service: Service): string => SERVICES.find(([id]) => id === service)?.[2] ?? '';
export const isService = (text: string): text is Service => SERVICES.some(([id]) => id === text);
