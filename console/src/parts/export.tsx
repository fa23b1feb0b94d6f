import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { fetchFile } from './api.ts';
import type { Pages } from './api.ts';
import { CsvFile } from './csv.ts';
import { count } from './numbers.ts';
import { save } from './save.ts';

type Progress = (words: string) => void;

/** Writes a file and says how far it is, until it is aborted. */
type Write = (signal: AbortSignal, say: Progress) => Promise<Blob>;

/** Reads a list to its end, page by page. */
const pageByPage =
  <T extends object>(rows: () => Pages<T>): Write =>
  async (signal, say) => {
    const file = new CsvFile();
    let read = 0;
    for await (const page of rows().pages()) {
      signal.throwIfAborted();
      file.add(page.rows);
      read += page.rows.length;
      say(`${count(read)} rows`);
    }
    return file.end();
  };

const MEGABYTE = 1_000_000;

/** Fetches an export that the API writes. */
const whole =
  (path: string): Write =>
  (signal, say) =>
    fetchFile(path, signal, (bytes) => say(`${(bytes / MEGABYTE).toFixed(1)} MB`));

interface ExportProps<T> {
  /** Kind of the rows; also the name of the file. */
  readonly what: string;
  readonly rows: () => Pages<T>;
  /** Path of the API's own export of these rows, where it has one. */
  readonly path?: string | undefined;
}

/** Saves all rows of a list as a CSV file, including those that are not shown yet. */
export function ExportButton<T extends object>({ what, rows, path }: ExportProps<T>): ReactNode {
  const running = useRef<AbortController>(undefined);
  const [progress, say] = useState('');
  const exporting = useMutation({
    mutationFn: (write: Write) => {
      const controller = new AbortController();
      running.current = controller;
      say('');
      return write(controller.signal, say);
    },
    onSuccess: (file) => save(file, `${what.toLowerCase().replaceAll(' ', '-')}.csv`),
  });
  useEffect(() => () => running.current?.abort(), []);
  const hasFailed = exporting.error && exporting.error.name !== 'AbortError';
  return (
    <div className="export">
      <span role="status">
        {exporting.isPending && <span className="hint">Exporting {progress}</span>}
        {hasFailed && <span className="fault">{exporting.error.message}</span>}
      </span>
      {exporting.isPending ? (
        <button type="button" className="quiet" onClick={() => running.current?.abort()}>
          Cancel export
        </button>
      ) : (
        <button
          type="button"
          className="quiet"
          aria-label={`Export CSV of ${what}`}
          onClick={() => exporting.mutate(path === undefined ? pageByPage(rows) : whole(path))}
        >
          Export CSV
        </button>
      )}
    </div>
  );
}
