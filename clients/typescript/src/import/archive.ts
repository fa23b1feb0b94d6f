/** One file of an export. */
export interface ExportFile {
  readonly name: string;
  readonly text: string;
}

/** A person of an export. */
export interface Person {
  readonly email: string;
  firstName?: string;
  lastName?: string;
  locale?: string;
  timezone?: string;
  /** Opted out of everything: an opt-out there is one here, whatever another file says. */
  optedOut?: boolean;
  readonly data: Record<string, unknown>;
  /** Topics by key: joined or left. */
  readonly topics: Record<string, boolean>;
  readonly segments: Set<string>;
}

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual';

export interface ImportedTemplate {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
}

/** An address or two that a user recognizes, of all that was left out for one reason. */
interface LeftOut {
  count: number;
  readonly reason: string;
}

const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>".]+$/;

/** Everything that an export holds, in our terms. */
export class Archive {
  readonly people = new Map<string, Person>();
  readonly suppressions = new Map<string, SuppressionReason>();
  /** Names of topics by key. */
  readonly topics = new Map<string, string>();
  readonly templates: ImportedTemplate[] = [];
  private readonly out = new Map<string, LeftOut>();

  get leftOut(): readonly LeftOut[] {
    return [...this.out.values()];
  }

  leaveOut(reason: string): void {
    const known = this.out.get(reason) ?? { count: 0, reason };
    known.count++;
    this.out.set(reason, known);
  }

  /** Returns the person of an address, null if it is none; a second row of the same address is the same person. */
  person(address: string | undefined): Person | null {
    const email = (address ?? '').trim().toLowerCase();
    if (!EMAIL.test(email)) {
      this.leaveOut('no e-mail address in the row');
      return null;
    }
    const known = this.people.get(email) ?? { email, data: {}, topics: {}, segments: new Set<string>() };
    this.people.set(email, known);
    return known;
  }

  /** Adds the suppression of an address. An opt-out gives way to a suppression of all mail. */
  suppress(address: string | undefined, reason: SuppressionReason): void {
    const email = (address ?? '').trim().toLowerCase();
    if (!EMAIL.test(email)) return this.leaveOut('no e-mail address in the row');
    if (reason !== 'unsubscribe' || !this.suppressions.has(email)) this.suppressions.set(email, reason);
  }

  /** Returns the key of a topic of this name. */
  topic(name: string): string {
    const key = keyOf(name);
    this.topics.set(key, name);
    return key;
  }
}

/** Returns a name as a key: `Monthly news` is `Monthly_news`. */
export function keyOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_-]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return (/^[A-Za-z_]/.test(plain) ? plain : `_${plain}`).slice(0, 64);
}

/** Splits a whole name at its first space. */
export function namesOf(name: string): { readonly firstName: string; readonly lastName: string } {
  const [firstName = '', ...rest] = name.trim().split(/\s+/);
  return { firstName, lastName: rest.join(' ') };
}
