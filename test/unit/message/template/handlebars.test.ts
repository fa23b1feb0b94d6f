import fc from 'fast-check';
import Handlebars from 'handlebars';
import type { Values } from '../../../../src/message/template';
import { parseTemplate } from '../../../../src/message/template/parse';
import { noReads } from '../../../../src/message/template/inspect';
import { Reused } from '../../../../src/message/template/skeleton';
import { attempt, joined, render, VALUES } from '../../../support/data/render-samples';

describe('against Handlebars', () => {
  const name = fc.constantFrom(
    'word',
    'zero',
    'no',
    'none',
    'empty',
    'missing',
    'object.word',
    './word',
    '../word',
    '@index',
    '@key',
    '@first',
    '@last',
    '@root.word',
    '[word]',
    '"word"',
  );
  const subject = fc.constantFrom('word', 'zero', 'no', 'empty', 'list', 'object', 'tags', 'object.tags', '../no', 'missing');
  const sigil = fc.constantFrom(['{{', '}}'], ['{{~', '}}'], ['{{', '~}}'], ['{{{', '}}}'], ['{{&', '}}'], ['{{~{', '}~}}']);
  const text = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '  \n',
    '<p>',
    '</p>\n',
    '\\{{x}}',
    '\\\\',
    '{ ',
    ' }',
    '"',
    '{{! c }}',
    '{{!-- }} --}}',
    '\n{{! c }}\n',
  );
  // Handlebars adds up numbers that stand unescaped side by side, hence the dot before each of them.
  const { template } = fc.letrec<{ template: string; block: string }>((tie) => ({
    template: joined(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        fc.tuple(sigil, name).map(([[open, close], path]) => `.${open}${path}${close}`),
        tie('block'),
      ),
      6,
    ),
    block: fc
      .tuple(
        fc.constantFrom('if', 'unless', 'each', 'with'),
        subject,
        tie('template'),
        fc.option(tie('template')),
        fc.constantFrom('', '~'),
      )
      .map(
        ([block, path, body, inverse, strip]) =>
          `{{${strip}#${block} ${path}${strip}}}${body}${inverse === null ? '' : `{{else}}${inverse}`}{{/${block}}}`,
      ),
  }));

  test('the same templates give the same text and HTML', () => {
    fc.assert(
      fc.property(template, (source) => {
        // Handlebars writes objects as "[object Object]" and counts contexts that repeat only once; neither is asked here.
        fc.pre(!/\{\{[~{&]*(?:tags|this)/.test(source) && (source.match(/\{\{~?#/g)?.length ?? 0) <= 10);
        const flat = { ...VALUES };
        expect(render({ text: source }, flat).text).toBe(Handlebars.compile<Values>(source, { noEscape: true })(flat));
        expect(render({ html: source }, flat).html).toBe(Handlebars.compile<Values>(source)(flat));
      }),
      { numRuns: 500 },
    );
  });

  const TOKENS = [
    '{{',
    '}}',
    '{{{',
    '}}}',
    '{{#if a}}',
    '{{/if}}',
    '{{else}}',
    '{{^',
    '{{!',
    '--',
    '--}}',
    '~',
    '"',
    "'",
    '\\',
    '[',
    ']',
    '(',
    ')',
    '|',
    'a',
    ' ',
    '.',
    '/',
    '@',
    '=',
    '1',
    'not ',
    '>',
    '&',
    '\n',
    'else',
    'as |x|',
  ];

  test('any template is either refused or renders as Handlebars does', () => {
    const handlebars = Handlebars.create();
    handlebars.registerHelper('not', (...args: readonly unknown[]) => (args.length > 1 ? !args[0] : undefined));
    fc.assert(
      fc.property(joined(fc.constantFrom(...TOKENS), 14), (source) => {
        const rendered = attempt({ text: source }, {}, {});
        fc.pre(rendered !== null);
        // Only we know fallbacks; Handlebars takes an empty name for the whole context.
        fc.pre(!/\|\s*"|""|''|\[\]/.test(source));
        expect(rendered?.text).toBe(handlebars.compile(source, { noEscape: true })({}));
      }),
      { numRuns: 800, maxSkipsPerRun: 200 },
    );
  });

  test('what is parsed by its tags alone reads as what is parsed with its words', () => {
    // Of this character a template keeps its words.
    const WITH_WORDS = '\uE000';
    const parsed = (source: string): string => {
      const reads = noReads();
      const { leaves, faults } = parseTemplate(source, 'escaped', reads, new Reused().skeletons);
      return JSON.stringify([leaves, faults, [...reads.names], [...reads.system], reads.dataKeys && [...reads.dataKeys]]);
    };
    fc.assert(
      fc.property(
        joined(fc.constantFrom(...TOKENS, '{{a}}', '{{{a}}}', '{{data.b | "c"}}', 'two words', '}', '{', '{{year}}'), 14),
        (source) => {
          expect(parsed(`${source}.`)).toBe(parsed(`${source}.${WITH_WORDS}`).replaceAll(WITH_WORDS, ''));
        },
      ),
      { numRuns: 800 },
    );
  });
});
