import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useContactFields } from '../../parts/conditions/contact-fields.ts';
import { TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { orNull } from '../../parts/texts.ts';
import { changesOf } from '../../parts/unsaved.tsx';
import { ValuesField } from '../../parts/values/values-field.tsx';
import type { Values } from '../../parts/values/values-field.tsx';

type Contact = Schemas['Contact'];

interface Written {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly locale: string;
  readonly timezone: string;
  readonly data: Values | undefined;
}

const NEW = { email: '', firstName: null, lastName: null, locale: null, timezone: null, data: null } as const;

const writtenOf = (contact: Contact | null): Written => {
  const { email, firstName, lastName, locale, timezone, data } = contact ?? NEW;
  return {
    email,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    locale: locale ?? '',
    timezone: timezone ?? '',
    data: data ?? undefined,
  };
};

const textsOf = ({ firstName, lastName, locale, timezone }: Written) => ({
  firstName: orNull(firstName),
  lastName: orNull(lastName),
  locale: orNull(locale),
  timezone: orNull(timezone),
});

/** Returns the changes, with null for each removed custom field: the API merges, so everything else stays as others have stored it. */
function changeOf(written: Written, kept: Written): Schemas['UpsertContactRequest'] {
  const removed = Object.fromEntries(Object.keys(kept.data ?? {}).map((field) => [field, null]));
  return {
    email: written.email.trim(),
    ...changesOf(textsOf(written), textsOf(kept)),
    data: changesOf({ ...removed, ...written.data }, kept.data ?? {}),
  };
}

interface FieldsProps {
  readonly value: Values | undefined;
  readonly change: (values: Values | undefined) => void;
}

const CustomFields = (props: FieldsProps): ReactNode => (
  <ValuesField {...props} label="Custom fields" one="Field" names={useContactFields().map(({ field }) => field)} />
);

interface FormProps {
  /** Null to add one. */
  readonly contact: Contact | null;
  readonly done: () => void;
}

/** Adds a contact, or changes one. */
export function ContactForm({ contact, done }: FormProps): ReactNode {
  const [kept, setKept] = useState(() => writtenOf(contact));
  const [written, setWritten] = useState(kept);
  const begin = (): void => {
    const stored = writtenOf(contact);
    setKept(stored);
    setWritten(stored);
  };
  const put =
    <Name extends keyof Written>(name: Name) =>
    (value: Written[Name]): void =>
      setWritten((before) => ({ ...before, [name]: value }));
  return (
    <FormDialog
      label={contact ? 'Edit' : 'Add contact'}
      title={contact ? `Edit ${contact.email}` : 'Add a contact'}
      primary={!contact}
      begin={begin}
      send={async () => api.upsertContact(changeOf(written, kept))}
      done={done}
      said={({ email }) => `${email} saved.`}
    >
      {!contact && <TextField label="Email" type="email" required value={written.email} change={put('email')} />}
      <TextField label="First name" value={written.firstName} change={put('firstName')} />
      <TextField label="Last name" value={written.lastName} change={put('lastName')} />
      <TextField label="Locale" value={written.locale} change={put('locale')} hint="For example en-US" />
      <TextField label="Time zone" value={written.timezone} change={put('timezone')} hint="For example Europe/Vienna" />
      <CustomFields value={written.data} change={put('data')} />
    </FormDialog>
  );
}
