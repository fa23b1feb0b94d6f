/** What RFC 8601 calls results; `policy`: a signature that is good and is not heeded. */
export const RESULTS = ['none', 'pass', 'fail', 'softfail', 'neutral', 'policy', 'temperror', 'permerror'] as const;
/** What SPF, DKIM or DMARC said of a message (RFC 8601, section 2.7). */
export type Result = (typeof RESULTS)[number];

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;

/** What is known of where a message came from. */
export interface Authentication {
  readonly spf: Result;
  /** Of the envelope sender, or of what the sending host called itself. */
  readonly spfDomain: string | null;
  readonly dkim: Result;
  /** Whose signatures are good. */
  readonly dkimDomains: readonly string[];
  readonly dmarc: Result;
  /** What the domain of the author asks to be done with mail that fails. */
  readonly dmarcPolicy: (typeof DMARC_POLICIES)[number] | null;
}
