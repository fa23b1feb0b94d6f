import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { compileContent } from '../../../src/message/template';
import { readDesign, renderDesign } from '../../../src/rules/blocks';
import type { Design } from '../../../src/rules/blocks';

const FOLDER = path.resolve(__dirname, '../../../console/src/parts/gallery/mails');

interface Mail {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly design: object;
}

const mails = readdirSync(FOLDER).map((file) => [file, JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Mail] as const);

test('the gallery has twelve mails', () => {
  expect(mails.map(([file, { id }]) => file === `${id}.json`)).toEqual(Array<boolean>(12).fill(true));
});

test.each(mails)(
  '%s is a whole mail with a design, which loads nothing and can be unsubscribed from',
  (_file, { type, subject, design }) => {
    const read = readDesign(design);
    expect(read).toMatchObject({ design: { version: 1, lang: 'en' } });
    const body = renderDesign(read.design as Design);
    expect(body).toContain('<html lang="en"');
    expect(body).toContain('prefers-color-scheme:dark');
    expect(body).not.toMatch(/<img|<script|<link|url\(|src=/i);
    expect(body.includes('{{unsubscribeUrl}}')).toBe(type === 'marketing');
    expect(() => compileContent({ subject, html: body, text: null })).not.toThrow();
  },
);
