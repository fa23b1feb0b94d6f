import helmet from 'helmet';

/** Lets a page of ours do what `directives` say, and nothing else. A form may send only where they allow it. */
export const pagePolicy = (directives: Readonly<Record<string, readonly string[]>>): ReturnType<typeof helmet> => {
  const none = ["'none'"];
  const all = { defaultSrc: none, ...directives, baseUri: none, formAction: directives['formAction'] ?? none, frameAncestors: none };
  return helmet({ strictTransportSecurity: false, contentSecurityPolicy: { useDefaults: false, directives: all } });
};
