/** The sender of messages that have no other. */
export const SENDER = 'hello@hello.test';

/** Returns a message of the load benchmarks, as `POST /v1/send` takes it: of 1.7 KB, with a link, for one of 20,000 people. */
export const message = (n: number) => ({
  to: `user-${n % 20_000}@example.com`,
  from: SENDER,
  subject: 'Your order {{number}}',
  html: `<html><body><p>Hello {{name | "there"}},</p>${'<p>Thank you for your order. It is on its way. </p>'.repeat(30)}<p><a href="https://example.com/orders">Your orders</a></p></body></html>`,
  variables: { name: `Name ${n}`, number: n },
});

/** Returns the same message with its values filled in, as a program writes it that has templates of its own: no two are equal. */
export function filledMessage(n: number) {
  const { to, from, subject, html, variables } = message(n);
  const filledIn = (text: string): string =>
    text.replace('{{name | "there"}}', variables.name).replace('{{number}}', String(variables.number));
  return { to, from, subject: filledIn(subject), html: filledIn(html) };
}
