/** The results that RFC 8601 defines; `policy`: a valid signature that the receiver's policy does not accept. */
export const RESULTS = ['none', 'pass', 'fail', 'softfail', 'neutral', 'policy', 'temperror', 'permerror'] as const;
/** The result of SPF, DKIM or DMARC for a message (RFC 8601, section 2.7). */
export type Result = (typeof RESULTS)[number];

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;

/** Evidence about the origin of a message. */
export interface Authentication {
  readonly spf: Result;
  /** Domain of the envelope sender, or of the name that the sending host gave. */
  readonly spfDomain: string | null;
  readonly dkim: Result;
  /** Domains with a valid signature. */
  readonly dkimDomains: readonly string[];
  readonly dmarc: Result;
  /** The action that the author's domain requests for mail that fails. */
  readonly dmarcPolicy: (typeof DMARC_POLICIES)[number] | null;
}
