import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { TestLanguage } from '../../parts/languages/test-language.tsx';

type Campaign = Schemas['CampaignDetail'];

/** Addresses of one test: more are an audience. */
const MOST = 10;

const SUBJECTS = { both: ['a', 'b'], a: ['a'], b: ['b'] } as const;
type Subjects = keyof typeof SUBJECTS;

interface SubjectProps {
  readonly campaign: Campaign;
  readonly value: Subjects;
  readonly change: (subjects: Subjects) => void;
}

/** Asks which subject of an A/B test goes out; nothing for a campaign with one. */
const SubjectField = ({ campaign: { subject, abSubjectB }, value, change }: SubjectProps): ReactNode =>
  abSubjectB !== null && (
    <ChoiceField
      label="Subject"
      value={value}
      change={(chosen) => change(chosen as Subjects)}
      options={[
        ['both', 'Both: 2 messages'],
        ['a', `A: ${subject}`],
        ['b', `B: ${abSubjectB}`],
      ]}
    />
  );

const Accepted = ({ ids: [first, ...others] }: { readonly ids: readonly string[] }): ReactNode => {
  if (first === undefined) return null;
  if (others.length === 0) return <Link to={`/mail/${first}`}>Test accepted: view message</Link>;
  return <Link to="/mail">{others.length + 1} tests accepted: view in mail log</Link>;
};

/** Sends the content as it is now to a few addresses, with each subject of an A/B test. */
export function TestButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, variants, abSubjectB } = campaign;
  const [to, setTo] = useState('');
  const [language, setLanguage] = useState('');
  const [subjects, setSubjects] = useState<Subjects>('both');
  const [sent, setSent] = useState<readonly string[]>([]);
  const sendTo = async (address: string): Promise<void> => {
    for (const abSubject of abSubjectB === null ? SUBJECTS.a : SUBJECTS[subjects]) {
      const { id } = await api.testSendCampaign(campaignId, { to: address, abSubject, ...(language !== '' && { language }) });
      setSent((before) => [...before, id]);
    }
  };
  const send = async (): Promise<void> => {
    const addresses = to
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== '');
    if (addresses.length > MOST) throw new Error(`Give at most ${MOST} addresses.`);
    for (const [at, address] of addresses.entries()) {
      await sendTo(address);
      // Those that are left are sent to again if one is refused.
      setTo(addresses.slice(at + 1).join(', '));
    }
    setTo(addresses.join(', '));
  };
  return (
    <>
      <FormDialog label="Send test" title="Send a test" save="Send test" send={send} begin={() => setSent([])}>
        <TextField
          label="To"
          type="email"
          multiple
          required
          value={to}
          change={setTo}
          hint={`Up to ${MOST} addresses, separated by commas. If a contact has an address, its test uses the contact’s values.`}
        />
        <SubjectField campaign={campaign} value={subjects} change={setSubjects} />
        <TestLanguage variants={variants} value={language} change={setLanguage} />
      </FormDialog>
      <span role="status">
        <Accepted ids={sent} />
      </span>
    </>
  );
}
