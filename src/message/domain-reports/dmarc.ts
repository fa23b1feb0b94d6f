import { isIP } from 'node:net';
import { normalizeDomain } from '../../platform/addresses';
import { DMARC_POLICIES } from '../../rules/authentication';
import { nameIn } from './report';
import type { Disposition, DmarcReport, DmarcRow, PublishedPolicy, Signature } from './report';
import { SaxesParser } from 'saxes';

/** Limit for distinct rows: a report on the mail of one domain has fewer. */
const MOST_ROWS = 5_000;
const MOST_SIGNATURES = 20;
const MOST_MESSAGES = 1_000_000_000;

const ROOT = 'feedback/';
const RECORD = 'feedback/record';
const OF_RECORD = `${RECORD}/`;
const AUTH = 'auth_results/';
const OF_HEADING: ReadonlySet<string> = new Set([
  ...['org_name', 'report_id', 'date_range/begin', 'date_range/end'].map((name) => `report_metadata/${name}`),
  ...['domain', 'p', 'sp', 'pct', 'adkim', 'aspf'].map((name) => `policy_published/${name}`),
]);
const OF_ROW: ReadonlySet<string> = new Set([
  ...['source_ip', 'count', 'policy_evaluated/disposition', 'policy_evaluated/dkim', 'policy_evaluated/spf'].map((name) => `row/${name}`),
  'identifiers/header_from',
]);

type Texts = Map<string, string>;

/** Reads an aggregate report. Throws for one that is not to be understood, or has too many rows. */
export function readDmarc(bytes: Uint8Array): DmarcReport {
  const heading: Texts = new Map();
  const rows = new Map<string, DmarcRow>();
  let record = new RecordTexts();
  readElements(bytes, (path, text) => {
    if (path === RECORD) {
      add(rows, record.row(heading.get('policy_published/domain') ?? ''));
      record = new RecordTexts();
    } else if (path.startsWith(OF_RECORD)) record.take(path.slice(OF_RECORD.length), text);
    else if (path.startsWith(ROOT) && OF_HEADING.has(path.slice(ROOT.length))) heading.set(path.slice(ROOT.length), text);
  });
  const metadata = (name: string): string => heading.get(`report_metadata/${name}`) ?? '';
  const published = (name: string): string => heading.get(`policy_published/${name}`) ?? '';
  const reportId = nameIn(metadata('report_id'));
  if (reportId === '' || rows.size === 0) throw new Error('Not a report');
  return {
    kind: 'dmarc',
    organization: nameIn(metadata('org_name')),
    reportId,
    from: instantIn(metadata('date_range/begin')),
    to: instantIn(metadata('date_range/end')),
    domain: domainIn(published('domain')),
    policy: policyIn(published),
    rows: [...rows.values()],
  };
}

/** The contents of a record, until it ends. */
class RecordTexts {
  private readonly texts: Texts = new Map();
  private readonly signatures: Signature[] = [];
  private result: Texts = new Map();
  private envelope: string | null = null;

  take(path: string, text: string): void {
    if (OF_ROW.has(path)) this.texts.set(path, text);
    else if (path === `${AUTH}dkim` || path === `${AUTH}spf`) this.endResult(path);
    else if (path.startsWith(AUTH)) this.result.set(path.slice(path.lastIndexOf('/') + 1), text);
  }

  row(policyDomain: string): DmarcRow {
    const messages = wholeIn(this.texts.get('row/count'), MOST_MESSAGES);
    const ip = this.texts.get('row/source_ip') ?? '';
    if (isIP(ip) === 0 || messages === null) throw new Error('Not a row');
    const evaluated = (name: string): string => this.texts.get(`row/policy_evaluated/${name}`)?.toLowerCase() ?? '';
    return {
      ip,
      messages,
      disposition: dispositionIn(evaluated('disposition')) ?? 'none',
      dkim: evaluated('dkim') === 'pass',
      spf: evaluated('spf') === 'pass',
      headerFrom: domainIn(this.texts.get('identifiers/header_from') || policyDomain),
      signatures: this.signatures,
      envelope: this.envelope,
    };
  }

  private endResult(path: string): void {
    const { result } = this;
    this.result = new Map();
    const domain = normalizeDomain(result.get('domain') ?? '');
    if (domain === null || result.get('result')?.toLowerCase() !== 'pass') return;
    if (path === `${AUTH}spf`) this.envelope = domain;
    else if (this.signatures.length < MOST_SIGNATURES) {
      this.signatures.push({ domain, selector: (result.get('selector') ?? '').slice(0, 63).toLowerCase() });
    }
  }
}

/** Adds up rows that say the same. */
function add(rows: Map<string, DmarcRow>, row: DmarcRow): void {
  const key = JSON.stringify({ ...row, messages: 0 });
  const known = rows.get(key);
  if (!known && rows.size === MOST_ROWS) throw new Error('Too many rows');
  rows.set(key, known ? { ...row, messages: known.messages + row.messages } : row);
}

function wholeIn(text: string | undefined, most: number): number | null {
  const number = /^\d{1,15}$/.test(text ?? '') ? Number(text) : null;
  return number !== null && number <= most ? number : null;
}

function instantIn(text: string): Date {
  const seconds = wholeIn(text, 100_000_000_000);
  if (seconds === null) throw new Error('Not an instant');
  return new Date(seconds * 1_000);
}

function domainIn(text: string): string {
  const domain = normalizeDomain(text);
  if (domain === null) throw new Error('Not a domain');
  return domain;
}

const dispositionIn = (text: string): Disposition | null => DMARC_POLICIES.find((known) => known === text) ?? null;

function policyIn(published: (name: string) => string): PublishedPolicy {
  const alignment = (name: string): 'r' | 's' => (published(name).toLowerCase() === 's' ? 's' : 'r');
  return {
    p: dispositionIn(published('p').toLowerCase()) ?? 'none',
    sp: dispositionIn(published('sp').toLowerCase()),
    pct: wholeIn(published('pct'), 100),
    adkim: alignment('adkim'),
    aspf: alignment('aspf'),
  };
}

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
function readElements(bytes: Uint8Array, ended: Ended): void {
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
