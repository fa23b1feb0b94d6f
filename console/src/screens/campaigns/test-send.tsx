import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { ChoiceField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { TestLanguage } from '../../parts/languages/test-language.tsx';
import type { Toast } from '../../parts/toasts/store.ts';
import { testsAccepted } from '../../parts/toasts/tests-accepted.ts';

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

/** One message of a test. */
interface Message {
  readonly to: string;
  readonly abSubject: 'a' | 'b';
  /** Empty for that of the contact. */
  readonly language: string;
}
type Sent = Message & { readonly id: string };

const acceptedWords = (sent: readonly Sent[]): Toast => testsAccepted(sent.map(({ id }) => id));

/** Says which messages have been accepted, in case a later one is refused; nothing if there are none. */
const SentSoFar = ({ sent, hasB }: { readonly sent: readonly Sent[]; readonly hasB: boolean }): ReactNode =>
  sent.length > 0 && (
    <p className="notice" role="status">
      Accepted so far, and not sent again: {sent.map(({ to, abSubject }) => (hasB ? `${to} (${abSubject.toUpperCase()})` : to)).join(', ')}
    </p>
  );

const addressesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
  ),
];

/** Sends the content as it is now to a few addresses, with each subject of an A/B test. After a refusal, another try sends only what was not accepted. */
export function TestButton({ campaign }: { readonly campaign: Campaign }): ReactNode {
  const { campaignId, variants, abSubjectB } = campaign;
  const [to, setTo] = useState('');
  const [language, setLanguage] = useState('');
  const [subjects, setSubjects] = useState<Subjects>('both');
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const isSent = (message: Message): boolean =>
    sent.some((each) => each.to === message.to && each.abSubject === message.abSubject && each.language === message.language);
  const send = async (): Promise<readonly Sent[]> => {
    const all = [...sent];
    const addresses = addressesIn(to);
    if (addresses.length > MOST) throw new Error(`Give at most ${MOST} addresses.`);
    const chosen = abSubjectB === null ? SUBJECTS.a : SUBJECTS[subjects];
    const messages = addresses.flatMap((address) => chosen.map((abSubject): Message => ({ to: address, abSubject, language })));
    for (const message of messages.filter((each) => !isSent(each))) {
      const { language: given, ...rest } = message;
      const { id } = await api.testSendCampaign(campaignId, { ...rest, ...(given !== '' && { language: given }) });
      all.push({ ...message, id });
      setSent([...all]);
    }
    return all;
  };
  return (
    <>
      <FormDialog label="Send test" title="Send a test" save="Send test" send={send} begin={() => setSent([])} said={acceptedWords}>
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
        <SentSoFar sent={sent} hasB={abSubjectB !== null} />
      </FormDialog>
    </>
  );
}
