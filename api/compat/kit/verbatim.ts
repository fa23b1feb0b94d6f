/** Returns a text as content of a message that shows it as it is: what looks like a placeholder is none in the APIs of other services. */
export const verbatim = (text: unknown): unknown => (typeof text === 'string' ? text.replaceAll('{{', '\\{{') : text);
