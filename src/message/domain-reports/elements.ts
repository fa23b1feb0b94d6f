import { SaxesParser } from 'saxes';

const DEEPEST = 20;
const TEXT_LENGTH = 1_024;
/** Twice what the largest report has. */
const MOST_ELEMENTS = 1_000_000;
/** Reports have them at the root: namespaces and locations of schemas. */
const MOST_ATTRIBUTES = 100;
/** Characters at a time. */
const CHUNK = 65_536;

/** Told of each element at its end: its names from the root on, without prefixes, and its text. */
type Ended = (path: string, text: string) => void;

/**
 * Reads XML element by element, without building a tree. Throws for text that is not well formed, for one with a document type (its entities could expand without
 * end), and for one that is nested deeper, or has more elements or attributes, than reports.
 */
export function readElements(bytes: Uint8Array, ended: Ended): void {
  const parser = new SaxesParser({ position: false });
  const names: string[] = [];
  let text = '';
  let elements = 0;
  let attributes = 0;
  const add = (more: string): void => {
    if (text.length < TEXT_LENGTH) text += more.slice(0, TEXT_LENGTH);
  };
  parser.on('doctype', () => {
    throw new Error('A report has no document type');
  });
  parser.on('attribute', () => {
    if (++attributes > MOST_ATTRIBUTES) throw new Error('Too many attributes');
  });
  parser.on('opentag', ({ name }) => {
    if (++elements > MOST_ELEMENTS) throw new Error('Too many elements');
    if (names.push(name.slice(name.indexOf(':') + 1)) > DEEPEST) throw new Error('Nested too deeply');
    text = '';
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => {
    ended(names.join('/'), text.trim());
    names.pop();
    text = '';
  });
  const xml = new TextDecoder('utf-8').decode(bytes);
  for (let at = 0; at < xml.length; at += CHUNK) parser.write(xml.slice(at, at + CHUNK));
  parser.close();
}
