interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** Shown in the reference where a shape alone does not tell how to begin. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  send: {
    request: {
      to: { email: 'ada@example.com', name: 'Ada Lovelace' },
      from: 'hello@example.com',
      subject: 'Welcome, {{firstName | "friend"}}',
      html: '<p>Good to have you, {{firstName | "friend"}}.</p>',
      variables: { plan: 'pro' },
    },
    response: {
      success: true,
      data: { results: [{ id: 'eml_01jd3z6m8x2k9v4t7q5w1r0ycg', to: 'ada@example.com', status: 'queued' }], testMode: false },
    },
  },
  sendBatch: {
    request: {
      messages: [
        { to: 'ada@example.com', templateId: 'tpl_01jd3z6m8x2k9v4t7q5w1r0ycg' },
        { to: 'grace@example.com', subject: 'Your report', text: 'It is ready.' },
      ],
    },
    response: {
      success: true,
      data: {
        results: [
          { id: 'eml_01jd3z6m8x2k9v4t7q5w1r0ycg', to: 'ada@example.com', status: 'queued' },
          { to: 'grace@example.com', skipped: 'suppressed' },
        ],
        testMode: false,
      },
    },
  },
};
