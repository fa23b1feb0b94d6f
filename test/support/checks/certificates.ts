/** Figures of a certificate, of all messages or of those of one version of the content. */
interface Figures {
  readonly sent: number;
  readonly delivered: number;
  readonly bounced: Readonly<Record<'hard' | 'soft' | 'block', number>>;
  readonly failed: number;
  readonly deferred: number;
  readonly inDoubt: number;
}

/** The certificate of a campaign, as the API answers it. */
export interface Certificate extends Figures {
  readonly audience: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly pending: number;
  readonly byVersion: readonly (Figures & { readonly version: number })[];
  readonly final: boolean;
  readonly finalAt: string | null;
  readonly chain: { readonly algorithm: string; readonly head: string; readonly rows: number };
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((one, other) => one + other, 0);
const outcomes = ({ delivered, bounced, failed, deferred, inDoubt }: Figures): number =>
  delivered + sum(bounced) + failed + deferred + inDoubt;

/** Expects that the sums of a certificate close: of the audience, of each outcome, and of the versions. */
export function expectToClose(certificate: Certificate): void {
  const { audience, sent, skipped, pending, byVersion } = certificate;
  expect(sent + sum(skipped) + pending).toBe(audience);
  expect([certificate, ...byVersion].map(outcomes)).toEqual([certificate, ...byVersion].map((figures) => figures.sent));
  expect(byVersion.reduce((all, version) => all + version.sent, 0)).toBe(sent);
}
