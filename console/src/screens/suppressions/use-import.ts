import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { PAGE, readRows, sendRows } from './rows.ts';
import type { Mapping, ReadRows } from './rows.ts';

/** The key of a running import. */
export const IMPORTING = ['suppressions', 'import'] as const;

/** Progress of an import. */
interface Progress extends Omit<ReadRows, 'rows'> {
  /** Rows that are to be imported, and how many of them were. */
  readonly total: number;
  readonly done: number;
  readonly added: number;
  readonly unchanged: number;
}

const begun = ({ rows, ...found }: ReadRows): Progress => ({ total: rows.length, done: 0, added: 0, unchanged: 0, ...found });

/**
 * Returns the import of a file, page by page. Its first call begins it; a call after a failure continues with the page that failed, which
 * may be sent twice. It stops when the screen is left.
 */
export function useImport(file: Blob, mapping: Mapping) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const found = useRef<ReadRows>(null);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const importing = useMutation({
    mutationKey: IMPORTING,
    mutationFn: async () => {
      found.current ??= readRows(await file.text(), mapping);
      const { rows } = found.current;
      let now = progress ?? begun(found.current);
      setProgress(now);
      while (now.done < now.total && !isLeft.current) {
        const page = rows.slice(now.done, now.done + PAGE);
        const sent = await sendRows(page);
        now = {
          ...now,
          done: now.done + page.length,
          added: now.added + sent.added,
          unchanged: now.unchanged + sent.unchanged,
          rejected: [...now.rejected, ...sent.rejected],
        };
        setProgress(now);
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['suppressions'] }),
  });
  return { progress, importing };
}
