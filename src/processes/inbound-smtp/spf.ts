import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { digitsOfIPv6 } from '../../platform/addresses';
import type { Dns } from '../../platform/dns';
import { hostName } from '../../rules/domains/answers';
import { readSpfRecord } from './spf-record';
import type { Mechanism, SpfRecord, Verdict } from './spf-record';

export type SpfResult = Verdict | 'none' | 'temperror' | 'permerror';

/** RFC 7208, section 4.6.4. */
const MOST_LOOKUPS = 10;
const MOST_VOID = 2;
const MOST_NAMES = 10;

const NAME = /^(?=.{1,253}$)(?:[^.]{1,63}\.)+[^.]{1,63}$/s;

/** Ends the whole check with a result. */
class Ended extends Error {
  constructor(readonly result: 'temperror' | 'permerror') {
    super(result);
  }
}

/** The sender and host to check. */
export interface SpfQuestion {
  readonly address: string;
  /** The name that the host gave in HELO. */
  readonly helo: string;
  /** Empty for the null sender, which the host's name replaces. */
  readonly envelopeFrom: string;
}

/** Resolves to whether a host may send for a sender, by RFC 7208, and to the domain that was asked. */
export async function checkSpf(
  dns: Pick<Dns, 'records'>,
  question: SpfQuestion,
): Promise<{ readonly result: SpfResult; readonly domain: string }> {
  const sender = senderOf(question);
  const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();
  const result = await new Check(dns, { ...question, sender }).host(domain).catch((error: unknown) => {
    if (error instanceof Ended) return error.result;
    throw error;
  });
  return { result, domain };
}

function senderOf({ helo, envelopeFrom }: SpfQuestion): string {
  const at = envelopeFrom.lastIndexOf('@');
  return at > 0 ? envelopeFrom : `postmaster@${envelopeFrom.slice(at + 1) || helo}`;
}

class Check {
  private lookups = 0;
  private voids = 0;
  private readonly address: string;
  private readonly isIPv6: boolean;
  private readonly helo: string;
  private readonly sender: string;

  constructor(
    private readonly dns: Pick<Dns, 'records'>,
    { address, helo, sender }: SpfQuestion & { readonly sender: string },
  ) {
    this.address = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
    this.isIPv6 = isIPv6(this.address);
    this.helo = helo;
    this.sender = sender;
  }

  async host(domain: string): Promise<SpfResult> {
    if (!NAME.test(domain)) return 'none';
    const texts = ((await this.ask(domain, 'TXT')) as readonly (readonly string[])[]).map((strings) => strings.join(''));
    const records = texts.filter((text) => /^v=spf1(?: |$)/i.test(text));
    if (records.length === 0) return 'none';
    const [text = ''] = records;
    const record = records.length === 1 && !/[^ -~]/.test(text) ? readSpfRecord(text.split(/ +/).slice(1).filter(Boolean)) : null;
    if (!record) throw new Ended('permerror');
    return this.follow(record, domain);
  }

  private async follow({ directives, redirect }: SpfRecord, domain: string): Promise<SpfResult> {
    for (const { verdict, mechanism } of directives) if (await this.matches(mechanism, domain)) return verdict;
    if (redirect === null) return 'neutral';
    this.countLookup();
    const result = await this.host(await this.expand(redirect, domain));
    return result === 'none' ? 'permerror' : result;
  }

  private async matches(mechanism: Mechanism, domain: string): Promise<boolean> {
    switch (mechanism.kind) {
      case 'all':
        return true;
      case 'ip4':
      case 'ip6':
        return (mechanism.kind === 'ip6') === this.isIPv6 && this.isWithin(mechanism.network, mechanism.prefix);
      default:
        this.countLookup();
        return this.matchesName(mechanism, domain);
    }
  }

  private async matchesName(mechanism: Exclude<Mechanism, { kind: 'all' | 'ip4' | 'ip6' }>, domain: string): Promise<boolean> {
    const name = mechanism.name === null ? domain : await this.expand(mechanism.name, domain);
    switch (mechanism.kind) {
      case 'include':
        return this.isIncluded(name);
      case 'exists':
        return (await this.query(name, 'A')).length > 0;
      case 'ptr':
        return (await this.hostNames()).some((found) => isWithinDomain(found, name));
      case 'a':
        return this.isAt(name, mechanism);
      default:
        return this.isExchanger(name, mechanism);
    }
  }

  private async isIncluded(name: string): Promise<boolean> {
    const result = await this.host(name);
    if (result === 'none' || result === 'permerror') throw new Ended('permerror');
    if (result === 'temperror') throw new Ended('temperror');
    return result === 'pass';
  }

  private async isAt(name: string, { prefix4, prefix6 }: { readonly prefix4: number; readonly prefix6: number }): Promise<boolean> {
    const addresses = (await this.query(name, this.isIPv6 ? 'AAAA' : 'A')) as readonly string[];
    return addresses.some((address) => this.isWithin(address, this.isIPv6 ? prefix6 : prefix4));
  }

  private async isExchanger(name: string, prefixes: { readonly prefix4: number; readonly prefix6: number }): Promise<boolean> {
    const exchangers = (await this.query(name, 'MX')) as readonly { readonly exchange: string }[];
    if (exchangers.length > MOST_NAMES) throw new Ended('permerror');
    for (const { exchange } of exchangers) if (exchange !== '' && (await this.isAt(exchange, prefixes))) return true;
    return false;
  }

  /** Resolves to the names of the host that lead back to it. What DNS does not say of one is nothing. */
  private async hostNames(): Promise<readonly string[]> {
    const reverse = `${this.dotted().split('.').reverse().join('.')}.${this.isIPv6 ? 'ip6' : 'in-addr'}.arpa`;
    const names = (await this.query(reverse, 'PTR').catch(() => [])) as readonly string[];
    const found: string[] = [];
    for (const name of names.slice(0, MOST_NAMES)) {
      const answer = await this.dns.records(name, this.isIPv6 ? 'AAAA' : 'A');
      if (answer.said === 'found' && answer.records.some((address) => this.isWithin(address as string, this.isIPv6 ? 128 : 32))) {
        found.push(hostName(name));
      }
    }
    return found;
  }

  private async expand(name: string, domain: string): Promise<string> {
    const values: MacroValues = {
      sender: this.sender,
      domain,
      helo: this.helo,
      dotted: this.dotted(),
      isIPv6: this.isIPv6,
      validated: async () => {
        const names = await this.hostNames();
        return names.find((found) => found === domain) ?? names.find((found) => isWithinDomain(found, domain)) ?? names[0] ?? 'unknown';
      },
    };
    return expandName(name, values);
  }

  private dotted(): string {
    return this.isIPv6 ? [...digitsOfIPv6(this.address)].join('.') : this.address;
  }

  private countLookup(): void {
    if (++this.lookups > MOST_LOOKUPS) throw new Ended('permerror');
  }

  /** Asks what a mechanism asks; too many answers of nothing end the check. */
  private async query(name: string, type: string): Promise<readonly unknown[]> {
    const records = NAME.test(name) ? await this.ask(name, type) : [];
    if (records.length === 0 && ++this.voids > MOST_VOID) throw new Ended('permerror');
    return records;
  }

  private async ask(name: string, type: string): Promise<readonly unknown[]> {
    const answer = await this.dns.records(name, type);
    if (answer.said === 'unknown') throw new Ended('temperror');
    return answer.said === 'found' ? answer.records : [];
  }

  private isWithin(network: string, prefix: number): boolean {
    const family = this.isIPv6 ? 'ipv6' : 'ipv4';
    if (this.isIPv6 ? !isIPv6(network) : !isIPv4(network)) return false;
    const list = new BlockList();
    list.addSubnet(network, prefix, family);
    return list.check(this.address, family);
  }
}

/** The values of the macros of SPF (RFC 7208, section 7). */
interface MacroValues {
  readonly sender: string;
  /** The domain whose record is read. */
  readonly domain: string;
  readonly helo: string;
  /** Dotted as in names: four numbers, or 32 digits. */
  readonly dotted: string;
  readonly isIPv6: boolean;
  /** The name of the host, found out only where it is asked for. */
  readonly validated: () => Promise<string>;
}

const MACRO = /%(?:\{([slodiphv])(\d*)(r?)([-.+,/_=]*)\}|([%_-]))/gi;

const LITERALS: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };

const MOST_OF_NAME = 253;

/** Fills in the macros of a name; of one that is too long the labels at its beginning are left out. */
async function expandName(name: string, values: MacroValues): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const match of name.matchAll(MACRO)) {
    const [whole, letter, digits = '', reversed = '', delimiters = '', literal] = match;
    pieces.push(name.slice(at, match.index));
    at = match.index + whole.length;
    if (letter === undefined) pieces.push(LITERALS[literal ?? ''] ?? '');
    else pieces.push(transformed(await valueOf(letter, values), { digits, isReversed: reversed !== '', delimiters }, letter));
  }
  let expanded = (pieces.join('') + name.slice(at)).replace(/\.$/, '');
  while (expanded.length > MOST_OF_NAME && expanded.includes('.')) expanded = expanded.slice(expanded.indexOf('.') + 1);
  return expanded;
}

async function valueOf(letter: string, { sender, domain, helo, dotted, isIPv6, validated }: MacroValues): Promise<string> {
  const at = sender.lastIndexOf('@');
  switch (letter.toLowerCase()) {
    case 's':
      return sender;
    case 'l':
      return sender.slice(0, at);
    case 'o':
      return sender.slice(at + 1);
    case 'd':
      return domain;
    case 'i':
      return dotted;
    case 'p':
      return validated();
    case 'v':
      return isIPv6 ? 'ip6' : 'in-addr';
    default:
      return helo;
  }
}

interface Transformation {
  readonly digits: string;
  readonly isReversed: boolean;
  readonly delimiters: string;
}

function transformed(value: string, { digits, isReversed, delimiters }: Transformation, letter: string): string {
  const separators = new Set(delimiters || '.');
  const labels = [...value].reduce<string[]>(
    (found, character) => {
      if (separators.has(character)) found.push('');
      else found[found.length - 1] += character;
      return found;
    },
    [''],
  );
  if (isReversed) labels.reverse();
  const text = labels.slice(digits === '' ? 0 : -Number(digits)).join('.');
  return letter === letter.toUpperCase() ? encodeURIComponent(text) : text;
}

const isWithinDomain = (name: string, domain: string): boolean => {
  const parent = domain.toLowerCase();
  return name === parent || name.endsWith(`.${parent}`);
};
