import type { Members } from './members';

/** Escapes the texts of a message, so that it shows them as they are: other services have no placeholders of ours. */
export const verbatim = (content: Members): Members =>
  Object.fromEntries(
    Object.entries(content).map(([name, text]) => [name, typeof text === 'string' ? text.replaceAll('{{', '\\{{') : text]),
  );
