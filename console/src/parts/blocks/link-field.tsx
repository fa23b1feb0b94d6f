import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { TextField } from '../fields.tsx';
import { useOfferedFields } from './fields.ts';
import { isLink } from './model.ts';

const BARE_DOMAIN = /^[\w-]+(?:\.[\w-]+)+(?:[/?#].*)?$/;
const ADDRESS = /^[^\s@:]+@[\w-]+(?:\.[\w-]+)+$/;

/** Returns what was meant: `example.com` is a website, `ada@example.com` an address. */
const meant = (text: string): string => {
  const link = text.trim();
  if (ADDRESS.test(link)) return `mailto:${link}`;
  return BARE_DOMAIN.test(link) ? `https://${link}` : link;
};

interface LinkProps {
  readonly label: string;
  readonly value: string;
  readonly change: (link: string) => void;
  readonly names: readonly string[];
  readonly hint?: string;
  /** Whether a link may be what it is. */
  readonly accepts?: (link: string) => boolean;
}

/** Asks for an address, which is taken once it is one. */
export function LinkField({ label, value, change, names, hint, accepts = isLink }: LinkProps): ReactNode {
  const [own, setWritten] = useState(value);
  // What is written may be short of a link; a link from elsewhere (undo) replaces it.
  const [known, setKnown] = useState(value);
  const written = known === value ? own : value;
  const list = useId();
  const fields = useOfferedFields(names);
  const isWrong = !accepts(meant(written));
  const write = (text: string): void => {
    const link = meant(text);
    setWritten(text);
    setKnown(accepts(link) ? link : value);
    if (accepts(link)) change(link);
  };
  return (
    <div>
      <TextField
        label={label}
        hint={hint ?? 'A web address, an email address, or a field such as {{data.link}}'}
        value={written}
        change={write}
        onBlur={() => !isWrong && setWritten(meant(written))}
        aria-invalid={isWrong}
        list={list}
        autoComplete="off"
        placeholder="https://"
      />
      <datalist id={list}>
        {fields.map(({ path, label: name }) => (
          <option key={path} value={`{{${path}}}`}>
            {name}
          </option>
        ))}
      </datalist>
      {isWrong && <p className="fault">Use an address that begins with https://, mailto: or tel:.</p>}
    </div>
  );
}
