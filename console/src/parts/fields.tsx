import { useEffect, useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly fault?: string;
  readonly children: (id: string, describedBy: string | undefined) => ReactNode;
}

/** Shows a label, what it is of, a hint to it, and what is wrong with it. */
function Field({ label, hint, fault, children }: FieldProps): ReactNode {
  const id = useId();
  useEffect(() => {
    const input = document.getElementById(id) as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null;
    input?.setCustomValidity(fault ?? '');
  }, [id, fault]);
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(fault === undefined ? [] : [`${id}-fault`])].join(' ') || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id, described)}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {/* Announced only if it was there before its text. */}
      <div aria-live="polite">
        {fault !== undefined && (
          <p id={`${id}-fault`} className="fault">
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}

export interface TextProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'> {
  readonly label: string;
  readonly hint?: string;
  /** Says what is wrong with the value, and keeps the form from being sent. */
  readonly fault?: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

export const TextField = ({ label, hint, fault, change, ...rest }: TextProps): ReactNode => (
  <Field label={label} {...(hint !== undefined && { hint })} {...(fault !== undefined && { fault })}>
    {(id, described) => (
      <input
        type="text"
        {...rest}
        id={id}
        aria-describedby={described}
        aria-invalid={fault !== undefined || undefined}
        onChange={(event) => change(event.target.value)}
      />
    )}
  </Field>
);

interface AreaProps {
  readonly label: string;
  readonly hint?: string;
  /** Says what is wrong with the value, and keeps the form from being sent. */
  readonly fault?: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly rows?: number;
  readonly code?: boolean;
  readonly required?: boolean;
}

export const AreaField = ({ label, hint, fault, change, code = false, rows = 8, ...rest }: AreaProps): ReactNode => (
  <Field label={label} {...(hint !== undefined && { hint })} {...(fault !== undefined && { fault })}>
    {(id, described) => (
      <textarea
        {...rest}
        id={id}
        rows={rows}
        className={code ? 'code' : undefined}
        spellCheck={!code}
        aria-describedby={described}
        aria-invalid={fault !== undefined || undefined}
        onChange={(event) => change(event.target.value)}
      />
    )}
  </Field>
);

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  /** Values, with what they are called. */
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Whether the option with an empty value is none. */
  readonly required?: boolean;
}

export const ChoiceField = ({ label, value, change, options, required = false }: ChoiceProps): ReactNode => (
  <Field label={label}>
    {(id) => (
      <select id={id} value={value} required={required} onChange={(event) => change(event.target.value)}>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckProps {
  readonly label: string;
  /** Shown behind the label. */
  readonly hint?: string;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}

export const CheckField = ({ label, hint, checked, change }: CheckProps): ReactNode => (
  <label className="tick">
    <input type="checkbox" checked={checked} onChange={({ target }) => change(target.checked)} />
    {label}
    {hint !== undefined && <span className="hint">{hint}</span>}
  </label>
);
