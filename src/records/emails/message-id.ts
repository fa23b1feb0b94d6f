import { domainOf } from '../../platform/addresses';

/** Returns the Message-ID of a message, with angle brackets: the same for every attempt. Its right side is the sender's domain (RFC 5322 3.6.4). */
export const messageIdOf = (emailId: string, fromEmail: string): string => `<${emailId}@${domainOf(fromEmail)}>`;
