/** Words that docs/writing.md asks to avoid, as regular expressions, with what to use. */
const TERMS = [
  ['in (?:the )?place of', 'instead of'],
  ['anew', 'again'],
  ['once more', 'again'],
  ['what became of', 'the outcome of'],
  ['whoever', 'anyone who'],
  ['there is not', 'does not exist'],
  ['by itself', 'automatically'],
  ['alike', 'the same'],
  ['mute', 'unresponsive'],
  ['so many', 'this many'],
  ['of before', 'previous'],
  ['there (?:is|was|are) no such', 'does not exist'],
  ['waits for its turn', 'waits for a free place, waits for its send time'],
  ['takes (?:no|the place of)', 'does not accept, replaces'],
  ['enrolment', 'enrollment'],
  ['colour', 'color'],
  ['behaviour', 'behavior'],
  ['licence', 'license'],
  ['catalogue', 'catalog'],
  ['recognise', 'recognize'],
  ['organise', 'organize'],
  ['serialise', 'serialize'],
  ['neighbour', 'neighbor'],
  ['neighbours', 'neighbors'],
  ['grey', 'gray'],
  ['centre', 'center'],
  ['favour', 'favor'],
  ['analyse', 'analyze'],
];

module.exports = {
  rules: {
    'en-max-word-count': { max: 35 },
    terminology: { defaultTerms: false, terms: TERMS },
  },
};
