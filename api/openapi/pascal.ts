/** Returns a name in Pascal case: `email.sent` and `email_sent` are `EmailSent`. */
export const pascal = (name: string): string => name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
