/** The status of an object at the payment provider, and the time until it is asked again. */
export interface ProviderOutlook {
  readonly status: string;
  readonly waitMs: number;
}
