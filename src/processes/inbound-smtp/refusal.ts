/** The answer to the sender instead of 250: a reply code (RFC 5321) and a text that begins with its enhanced code (RFC 3463). */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

export const NO_SUCH_USER = new Refusal(550, '5.1.1 No such user here');
export const TOO_LARGE = new Refusal(552, '5.3.4 The message is too large');
export const TRY_LATER = new Refusal(451, '4.3.0 Temporary failure, try again later');
export const TOO_FAST = new Refusal(450, '4.7.1 Too many messages from this host, try again in a minute');
export const BUSY = new Refusal(452, '4.3.1 Server busy, try again later');
export const OVER_LIMIT = new Refusal(452, '4.2.2 Monthly limit of this recipient reached');
export const LOOPING = new Refusal(554, '5.4.6 The message has passed too many hosts');
export const UNREADABLE = new Refusal(554, '5.6.0 The message cannot be read');
export const NO_REPORT = new Refusal(554, '5.7.1 This address accepts feedback reports only');
export const NO_SENDER = new Refusal(554, '5.1.7 The message has no sender');
