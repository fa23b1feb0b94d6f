import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { When } from '../../parts/dates.tsx';
import { TextField } from '../../parts/fields.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { Page } from '../../parts/page.tsx';
import { save } from '../../parts/save.ts';
import { Empty } from '../../parts/states.tsx';

type File = Schemas['InboundMessage']['attachments'][number];

// The type is not the sender's, so that no browser opens it as a page.
const asFile = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' });

interface AttachmentProps {
  readonly emailId: string;
  readonly file: File;
}

/** Shows a file that came with a message; pressed, it is saved. */
function Attachment({ emailId, file: { attachmentId, filename, kept } }: AttachmentProps): ReactNode {
  if (!kept) return <span>{filename} (too large, not stored)</span>;
  return (
    <ActionButton
      label={filename}
      className="file-name"
      act={() => api.getInboundAttachment(emailId, attachmentId)}
      done={(bytes) => save(asFile(bytes), filename)}
    />
  );
}

type Received = Schemas['InboundMessage'];

const TONES = { pass: 'good', fail: 'bad' } as const;

/** Shows whether the sender is who it says, by the sender's own domain. */
function Verdict({ row: { authentication } }: { readonly row: Received }): ReactNode {
  if (authentication === null) return <span className="hint">not checked</span>;
  const { dmarc } = authentication;
  return <Badge of={`DMARC ${dmarc}`} tone={dmarc === 'pass' || dmarc === 'fail' ? TONES[dmarc] : 'plain'} />;
}

const COLUMNS = [
  {
    name: 'Message',
    show: ({ emailId, subject }: Received) => (
      <Link to={`/mail/${emailId}`} className="row-link">
        {subject === '' ? '(no subject)' : subject}
      </Link>
    ),
  },
  { name: 'From', show: ({ fromName, fromEmail }: Received) => (fromName === null ? fromEmail : `${fromName} <${fromEmail}>`) },
  { name: 'To', show: ({ to }: Received) => to },
  { name: 'Authentication', show: (row: Received) => <Verdict row={row} /> },
  {
    name: 'Attachments',
    show: ({ emailId, attachments }: Received) =>
      attachments.map((file) => <Attachment key={file.attachmentId} emailId={emailId} file={file} />),
  },
  { name: 'Received', show: ({ createdAt }: Received) => <When at={createdAt} /> },
];

/** Shows mail that came in, newest first. */
export function Inbound(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['to', 'fromEmail']);
  const [to, setTo] = useTyped(filters.to, (value) => setFilter('to', value));
  const [from, setFrom] = useTyped(filters.fromEmail, (value) => setFilter('fromEmail', value));
  const query = given(filters);
  return (
    <Page title="Inbound mail">
      <search className="filters">
        <TextField label="Sender" type="search" value={from} change={setFrom} placeholder="ada@example.com" />
        <TextField label="Recipient" type="search" value={to} change={setTo} placeholder="support@mail.example.com" />
      </search>
      <List
        caption="received messages"
        queryKey={['inbound', query]}
        rows={() => api.listInbound(query)}
        idOf={({ emailId }) => emailId}
        columns={COLUMNS}
        empty={
          <Empty title={isFiltered ? 'No matching messages' : 'No inbound mail yet'}>
            <p>Mail to your domain appears here. First point the domain’s MX record to this server.</p>
          </Empty>
        }
      />
    </Page>
  );
}
