import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fetchFile } from '../../parts/api.ts';
import { given } from '../../parts/filters.ts';
import { save } from '../../parts/save.ts';

interface ExportProps {
  readonly segmentId: string;
  /** `true` or `false`; empty for all contacts. */
  readonly subscribed: string;
  readonly search: string;
}

/** Saves the contacts of the chosen segment and subscription as a CSV file. An export knows no search. */
export function ExportButton({ segmentId, subscribed, search }: ExportProps): ReactNode {
  const asked = new URLSearchParams(given({ segmentId, subscribed }));
  const exporting = useMutation({
    mutationFn: () => fetchFile(`/v1/contacts/export?${asked}`),
    onSuccess: (file) => save(file, 'contacts.csv'),
  });
  return (
    <>
      <span aria-live="polite">{exporting.error && <span className="fault">{exporting.error.message}</span>}</span>
      <button
        type="button"
        disabled={exporting.isPending || search !== ''}
        title={search === '' ? undefined : 'Clear the search to export'}
        onClick={() => exporting.mutate()}
      >
        {exporting.isPending ? 'Exporting …' : 'Export contacts'}
      </button>
    </>
  );
}
