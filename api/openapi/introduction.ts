/** What a reader of the reference needs before the first call. */
export const INTRODUCTION = `Lettermill sends and receives e-mail: single messages, campaigns, and automations that react to what your users do.

## First call

\`\`\`sh
curl -s https://your-server/v1/send \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"to":"ada@example.com","subject":"Hello","text":"Hello, Ada"}'
\`\`\`

A message whose answer is 200 is stored for good: it will be sent, or you will learn why not, from \`GET /v1/emails/{id}\` or a webhook.

Without \`from\` a message goes out from \`hello@\` the first verified domain of the project. The examples of this document send from \`hello.test\`, which is verified wherever \`npm start\` runs: put your own domain in its place.

## Keys

\`Authorization: Bearer <key>\`, or \`X-API-Key: <key>\`. A secret key (\`sk_…\`) does what its scope says: \`full\`, \`sending\` or \`read\`; \`x-key-scopes\` of each operation lists the scopes that open it.
A test key (\`sk_test_…\`) does the same and sends nothing. A public key (\`pk_…\`) may only record events, and may be shown in a browser.

## Answers and failures

A success is \`{"success": true, "data": …}\`. A failure is \`{"success": false, "error": "…", "code": "…"}\`, with \`details\` on \`validation_error\` and \`send_failed\`. Branch on \`code\`: the wording of \`error\` may change.
Every answer has \`X-Request-Id\`. New members may be added to answers and payloads at any time; bodies of requests never take unknown ones.

## Trying again

After 429 and 503 wait for \`Retry-After\` seconds. Operations that take an \`Idempotency-Key\` may be repeated with the same key and body for 24 hours: the stored answer is replayed, and nothing is done twice.

## Rates

Sends have a limit for each project, one unit a message; all other operations have one for each key, one unit a request. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how much is left.

## Pages

Lists come newest first. Pass \`nextCursor\` back unchanged as \`cursor\` until it is null (or absent, in lists that come whole).

## Webhooks

Register an endpoint with \`POST /v1/webhooks\`; the section _Webhooks_ of this document has the payload of every event. Each request is signed (\`X-Service-Signature\`, and the headers of Standard Webhooks), may come more than once, and is repeated for about a day until it is answered with 2xx.
`;

/** What each group of operations is about. */
export const TAGS: Readonly<Record<string, string>> = {
  Send: 'Send messages now or later, one by one or a thousand at a time.',
  Events: 'What your users do in your product. Events start workflows, move contacts between segments and go to webhooks.',
  Contacts: 'The people you write to, with fields of your own; import, export and erasure.',
  Emails: 'The log: every message with its state, what happened to it and its rendered content.',
  Templates: 'Stored content with placeholders, in versions.',
  Domains: 'The domains you send from, and the DNS records that prove they are yours.',
  Segments: 'Groups of contacts: by conditions that are kept current, or by hand.',
  Campaigns: 'One message to many: audience, A/B subjects, throttle, counters.',
  Workflows: 'Automations, as the guides call them: graphs of messages, waits and conditions that contacts pass through.',
  Webhooks: 'URLs of yours that are called when something happens, with a log of every delivery.',
  Suppressions: 'Addresses that get no mail, or no marketing mail.',
  Stats: 'Counts and rates over time.',
  Verify: 'Whether an address can receive mail, without writing to it.',
  Billing: 'Usage, caps, plan and reputation.',
  Inbound: 'Mail that came in.',
  Meta: 'Health, and this document.',
  Extensions: 'What this implementation adds.',
};
