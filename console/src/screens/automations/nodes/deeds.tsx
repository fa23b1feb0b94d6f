import type { ReactNode } from 'react';
import { useContactFields } from '../../../parts/conditions/contact-fields.ts';
import { SegmentName } from '../../../parts/conditions/names.tsx';
import { useEventMembers } from '../../../parts/event-members.ts';
import { ChoiceField, TextField } from '../../../parts/fields.tsx';
import { ValueField, ValuesField } from '../../../parts/values/values-field.tsx';
import { CONTACT_FIELDS, textIn } from '../graph/model.ts';
import { orNone, withMember } from './form.ts';
import type { FormProps } from './form.ts';

/** Shows the form for changing a contact. */
export function UpdateForm({ config, change }: FormProps): ReactNode {
  const { subscribed } = config;
  const fields = useContactFields();
  return (
    <>
      {CONTACT_FIELDS.map(([member, label]) => (
        <TextField
          key={member}
          label={label}
          hint="Empty: no change"
          value={textIn(config, member)}
          change={(value) => change(withMember(config, member, orNone(value)))}
        />
      ))}
      <ChoiceField
        label="Subscribed"
        value={typeof subscribed === 'boolean' ? String(subscribed) : ''}
        change={(chosen) => change(withMember(config, 'subscribed', chosen === '' ? undefined : chosen === 'true'))}
        options={[
          ['', 'No change'],
          ['true', 'Subscribe'],
          ['false', 'Unsubscribe'],
        ]}
      />
      <ValuesField
        label="Custom fields"
        one="Field"
        hint="Other fields stay. “Nothing” removes a field."
        names={fields.map(({ field }) => field)}
        value={config['data']}
        change={(data) => change(withMember(config, 'data', data))}
      />
    </>
  );
}

/** Asks which segment's members are changed. */
export const MembershipForm = ({ config, change }: FormProps): ReactNode => (
  <SegmentName label="Static segment" type="static" value={textIn(config, 'segmentId')} change={(segmentId) => change({ segmentId })} />
);

/** Asks which event is created. */
export const EmitForm = ({ config, change }: FormProps): ReactNode => (
  <>
    <TextField label="Event name" required value={textIn(config, 'name')} change={(name) => change({ ...config, name })} />
    <ValuesField
      label="Event data"
      one="Field"
      names={useEventMembers(textIn(config, 'name'))}
      value={config['data']}
      change={(data) => change(withMember(config, 'data', data))}
    />
  </>
);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, method] as const);

/** Asks which server is called, and with what. */
export const CallForm = ({ config, change }: FormProps): ReactNode => (
  <>
    <TextField label="URL" required value={textIn(config, 'url')} change={(url) => change({ ...config, url })} />
    <ChoiceField label="Method" value={textIn(config, 'method')} options={METHODS} change={(method) => change({ ...config, method })} />
    <ValuesField
      label="Headers"
      one="Header"
      textOnly
      value={config['headers']}
      change={(headers) => change(withMember(config, 'headers', headers))}
    />
    <ValueField
      label="Body"
      hint="Sent as JSON. Texts can have placeholders, such as {{email}}"
      value={config['body']}
      change={(body) => change(withMember(config, 'body', body))}
    />
  </>
);

/** Shows the form for the reason of an exit. */
export const ExitForm = ({ config, change }: FormProps): ReactNode => (
  <TextField label="Reason" value={textIn(config, 'reason')} change={(reason) => change(withMember(config, 'reason', orNone(reason)))} />
);
