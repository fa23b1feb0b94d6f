import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge.tsx';

/** Shows whether a person gets marketing mail. */
export const Consent = ({ subscribed }: { readonly subscribed: boolean }): ReactNode =>
  subscribed ? <Badge of="subscribed" tone="good" /> : <Badge of="unsubscribed" tone="warn" />;
