import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';

type File = Schemas['InboundMessage']['attachments'][number];

/** Saves bytes as a file. Their type is not the sender's, so that no browser opens them as a page. */
function save(bytes: Uint8Array, name: string): void {
  const href = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  Object.assign(link, { href, download: name });
  link.click();
  URL.revokeObjectURL(href);
}

interface Props {
  readonly emailId: string;
  readonly file: File;
}

/** A file that came with a message; pressed, it is saved. */
export function Attachment({ emailId, file: { attachmentId, filename, kept } }: Props): ReactNode {
  const saving = useMutation({ mutationFn: async () => save(await api.getInboundAttachment(emailId, attachmentId), filename) });
  if (!kept) return <span>{filename} (too large to be kept)</span>;
  return (
    <>
      <button type="button" disabled={saving.isPending} onClick={() => saving.mutate()}>
        {filename}
      </button>
      {saving.error && <span className="fault">{saving.error.message}</span>}
    </>
  );
}
