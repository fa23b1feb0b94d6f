type Schema = Readonly<Record<string, unknown>>;

/** For a rule about the members of an object: it is checked together with single members, not only after them. */
export const besideMembers = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Says in the document that these members are given. */
export const given = (...names: readonly string[]): Schema => ({ required: names });

/** Describes the members of an object that may have others too. */
export const withMembers = (members: Schema, required: readonly string[] = []): Schema => ({
  properties: members,
  ...(required.length > 0 && { required }),
  // Some validators take an object for closed that says nothing of it.
  unevaluatedProperties: true,
});

/** Returns the schemas of members that may not be given: no value is one of theirs. */
export const absent = (...names: readonly string[]): Schema => Object.fromEntries(names.map((name) => [name, { not: {} }]));

/**
 * Describes a rule for the members of an object together: one of these (`anyOf`), or exactly one (`oneOf`). It is placed within `allOf`,
 * next to which generators of clients still read the members.
 */
export const holds = (rule: { readonly anyOf: readonly Schema[] } | { readonly oneOf: readonly Schema[] }) => ({ allOf: [rule] });

/** Says that exactly one of these members is given. */
export const oneOf = (...names: readonly string[]) => holds({ oneOf: names.map((name) => given(name)) });
