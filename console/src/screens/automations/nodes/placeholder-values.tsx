import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../../parts/api.ts';
import { usePlaceholders } from '../../../parts/placeholders.ts';
import { ValuesField } from '../../../parts/values/values-field.tsx';
import { textIn } from '../graph/model.ts';
import type { Config } from '../graph/model.ts';
import { withMember } from './form.ts';
import type { FormProps } from './form.ts';

const EMPTY = { subject: '', body: '' };

/** Returns the message of a step: its own, or that of its template. */
function useContent(config: Config): typeof EMPTY {
  const id = textIn(config, 'templateId');
  const { data } = useQuery({ queryKey: ['templates', 'one', id], queryFn: () => api.getTemplate(id), enabled: id !== '' });
  if ('templateId' in config) return data ?? EMPTY;
  return { subject: textIn(config, 'subject'), body: textIn(config, 'body') };
}

// A name with a dot is within the contact's data, where a value of this name would not be.
const isWhole = (name: string): boolean => !name.includes('.');

/** Edits the values that a message's placeholders get in addition to those of the contact and of the event. */
export const PlaceholderValues = ({ config, change }: FormProps): ReactNode => (
  <ValuesField
    label="Placeholder values"
    one="Placeholder"
    names={usePlaceholders(useContent(config)).filter(isWhole)}
    value={config['variables']}
    change={(variables) => change(withMember(config, 'variables', variables))}
  />
);
