import { useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { ChoiceField } from '../../parts/fields.tsx';
import { Card } from '../../parts/page.tsx';
import { SERVICES, filesOf, isService } from './services.ts';
import type { Service } from './services.ts';

interface FilesProps {
  readonly service: Service;
  readonly choose: (service: Service) => void;
  readonly take: (files: readonly File[]) => void;
  readonly disabled: boolean;
}

/** Takes the files of an export: chosen, or dropped. */
export function Files({ service, choose, take, disabled }: FilesProps): ReactNode {
  const [isOver, setOver] = useState(false);
  const given = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    if (files.length > 0 && !disabled) take(files);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    given(event.dataTransfer.files);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <Card title="Your export">
      <div className={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
        <ChoiceField
          label="Service"
          value={service}
          change={(chosen) => isService(chosen) && choose(chosen)}
          options={SERVICES.map(([id, name]) => [id, name] as const)}
        />
        <div className="field">
          <label htmlFor="export">Files of the export</label>
          <input
            id="export"
            type="file"
            multiple
            disabled={disabled}
            aria-describedby="export-hint"
            onClick={({ currentTarget }) => (currentTarget.value = '')}
            onChange={({ target }) => given(target.files)}
          />
          <p id="export-hint" className="hint">
            {filesOf(service)} You can also drop the files here. They are read in your browser, and nothing is sent yet.
          </p>
        </div>
      </div>
    </Card>
  );
}
