import type { ReactNode } from 'react';

interface TableProps {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** Its rows. */
  readonly children: ReactNode;
}

/** Shows a small table of facts, which scrolls on a narrow screen. */
export const Table = ({ label, columns, children }: TableProps): ReactNode => (
  <div className="scroll" tabIndex={0} role="region" aria-label={label}>
    <table className="plain-table">
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
