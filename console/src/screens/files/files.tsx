import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { When } from '../../parts/dates.tsx';
import { TextField } from '../../parts/fields.tsx';
import { DropZone, pathOf } from '../../parts/files/drop-zone.tsx';
import { given, useFilters, useTyped } from '../../parts/filters.ts';
import { List } from '../../parts/list.tsx';
import { bytes } from '../../parts/numbers.ts';
import { Page } from '../../parts/page.tsx';
import { Empty } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';
import { DeleteFile, UsesButton } from './uses.tsx';
import './files.css';

type File = Schemas['File'];

const COLUMNS = [
  {
    name: 'Picture',
    show: (file: File) => (
      <span className="file-face">
        <img src={pathOf(file)} alt="" loading="lazy" />
        <strong>{file.name}</strong>
      </span>
    ),
  },
  { name: 'Pixels', show: ({ width, height }: File) => `${width} × ${height}` },
  { name: 'Size', show: (file: File) => bytes(file.bytes), sortValue: (file: File) => file.bytes },
  { name: 'Uploaded', show: ({ createdAt }: File) => <When at={createdAt} />, sortValue: ({ createdAt }: File) => createdAt },
  { name: 'Used in', show: (file: File) => <UsesButton file={file} /> },
  { name: 'URL', show: ({ url }: File) => <CopyButton label="Copy URL" text={url} /> },
];

/** Lists the pictures of the project, newest first. */
export function Files(): ReactNode {
  const { filters, setFilter, isFiltered } = useFilters(['search']);
  const [search, setSearch] = useTyped(filters.search, (text) => setFilter('search', text));
  const changed = useChanged('files');
  const mayChange = useMay('change');
  const query = given(filters);
  const action = {
    name: 'Action',
    show: (file: File) => <DeleteFile file={file} done={changed} />,
  };
  return (
    <Page title="Files">
      {mayChange && <DropZone />}
      <search className="filters">
        <TextField label="Name" type="search" value={search} change={setSearch} />
      </search>
      <List
        caption="files"
        queryKey={['files', 'list', query]}
        rows={() => api.listFiles(query)}
        idOf={({ id }) => id}
        columns={mayChange ? [...COLUMNS, action] : COLUMNS}
        empty={
          isFiltered ? (
            <Empty title="No matching files">
              <p>Remove the filter to see more.</p>
            </Empty>
          ) : (
            <Empty title="No files yet">
              <p>Upload the pictures of your mail here, or while you write a message. Each gets a URL that stays.</p>
            </Empty>
          )
        }
      />
    </Page>
  );
}
