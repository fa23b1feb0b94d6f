import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../../parts/api.ts';
import type { Schemas } from '../../parts/api.ts';
import { useChanged } from '../../parts/changed.ts';
import { AreaField, TextField } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { PreviewFrame } from '../../parts/message-frame.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Answer } from '../../parts/states.tsx';
import { useMay } from '../../session/session.ts';

type Brand = Schemas['Brand'];
type Written = Readonly<Record<keyof Brand, string>>;

const MEMBERS = ['name', 'logoUrl', 'color', 'address', 'css'] as const;

const writtenOf = (brand: Brand): Written =>
  Object.fromEntries(MEMBERS.map((member) => [member, brand[member] ?? ''])) as Record<keyof Brand, string>;

/** Returns the change to save. An empty member is removed. */
const changeOf = (written: Written): Brand =>
  Object.fromEntries(MEMBERS.map((member) => [member, written[member].trim() === '' ? null : written[member]])) as Brand;

/** Shows the footer of marketing mail, as a contact without a language reads it. */
function FooterPreview({ brand }: { readonly brand: Brand }): ReactNode {
  const query = useQuery({
    queryKey: ['settings', 'footer', brand.name, brand.address],
    queryFn: () => api.previewTemplate({ subject: 'Preview', body: '<p></p>', type: 'marketing' }),
  });
  return (
    <Answer query={query} what="the footer">
      {({ html }) => <PreviewFrame title="Preview of the footer" html={html} short />}
    </Answer>
  );
}

/** Shows and changes how the project presents itself to the readers of its mail. */
export function BrandCard({
  brand,
  changed,
}: {
  readonly brand: Brand;
  readonly changed: (settings: Schemas['Settings']) => void;
}): ReactNode {
  const mayChange = useMay('manage');
  const footerChanged = useChanged('campaigns');
  const [written, setWritten] = useState(() => writtenOf(brand));
  const put =
    (member: keyof Brand) =>
    (value: string): void =>
      setWritten((before) => ({ ...before, [member]: value }));
  const save = async (): Promise<void> => changed(await api.updateSettings({ brand: changeOf(written) }));
  return (
    <Card title="Brand">
      <p className="hint">The footer of marketing mail has the name and the postal address. Public pages show all of it.</p>
      {brand.address === null && <p className="hint">There is no postal address yet. Many countries require one in marketing mail.</p>}
      <Facts
        facts={[
          ['Name', brand.name],
          [
            'Postal address',
            brand.address !== null && (
              <span key="address" className="lines">
                {brand.address}
              </span>
            ),
          ],
          ['Logo', brand.logoUrl],
          ['Color', brand.color],
          ['Styles', brand.css !== null && 'Custom'],
        ]}
      />
      <h3>Footer</h3>
      <FooterPreview brand={brand} />
      {mayChange && (
        <FormDialog
          label="Edit brand"
          title="Edit the brand"
          save="Save brand"
          begin={() => setWritten(writtenOf(brand))}
          send={save}
          done={footerChanged}
          said="Brand saved."
        >
          <TextField label="Name" hint="Empty: the project name" value={written.name} change={put('name')} maxLength={200} />
          <AreaField
            label="Postal address"
            hint="Shown in the footer, line by line."
            value={written.address}
            change={put('address')}
            rows={3}
          />
          <TextField label="Logo URL" type="url" hint="An https address of an image" value={written.logoUrl} change={put('logoUrl')} />
          <TextField label="Color" hint="Like #1a7f5a" value={written.color} change={put('color')} maxLength={7} />
          <AreaField
            label="Styles (CSS)"
            hint="For public pages. Rules only: no url() and no @import."
            value={written.css}
            change={put('css')}
            rows={4}
            code
          />
        </FormDialog>
      )}
    </Card>
  );
}
