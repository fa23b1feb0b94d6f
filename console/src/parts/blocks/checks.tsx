import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { blockWith } from './model.ts';
import type { Design, DesignWarning } from './model.ts';
import { kindOf } from './kinds.ts';

interface ChecksProps {
  readonly design: Design;
  readonly warnings: readonly DesignWarning[];
  readonly select: (id: string) => void;
}

/** Lists warnings; each leads to its block. */
export function Checks({ design, warnings, select }: ChecksProps): ReactNode {
  const nameOf = (id: string): string => {
    const block = blockWith(design.blocks, id);
    return block ? kindOf(block.kind).label : 'Block';
  };
  return (
    <section aria-label="Checks">
      <h3 className="inspector-title">Checks</h3>
      {warnings.length === 0 ? (
        <p className="hint">Nothing to fix.</p>
      ) : (
        <ul className="checks-of-mail">
          {warnings.map(({ code, message, block }, at) => (
            <li key={at} data-code={code}>
              <TriangleAlert aria-hidden="true" />
              <span>
                {message}
                {block !== null && (
                  <button type="button" className="quiet" onClick={() => select(block)}>
                    {`Show: ${nameOf(block)}`}
                  </button>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
