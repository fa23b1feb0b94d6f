/** How what the payment provider is asked about stands, and how long to wait until it is asked again. */
export interface ProviderOutlook {
  readonly status: string;
  readonly waitMs: number;
}
