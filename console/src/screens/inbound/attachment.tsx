import type { ReactNode } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { save } from '../../parts/save.ts';

type File = Schemas['InboundMessage']['attachments'][number];

// The type is not the sender's, so that no browser opens it as a page.
const asFile = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' });

interface Props {
  readonly emailId: string;
  readonly file: File;
}

/** Shows a file that came with a message; pressed, it is saved. */
export function Attachment({ emailId, file: { attachmentId, filename, kept } }: Props): ReactNode {
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
