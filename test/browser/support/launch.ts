import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import './unpack';
import packed from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const ROOT = path.resolve(__dirname, '../../..');

/** What the package itself suggests takes the browser's own protections away. */
const FLAGS = ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', '--hide-scrollbars'];

/** The console as it is served, built where it is not yet. */
export const buildConsole = (): void => void execFileSync(process.execPath, ['console/build.mjs'], { cwd: ROOT });

/** A Chromium out of an npm package: it needs nothing of the machine. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await packed.executablePath();
  return chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, FONTCONFIG_FILE: ownFonts() } });
}

/** The fonts of the package, where they were unpacked: its own file names a folder that need not be there, and Chromium ends without a font. */
function ownFonts(): string {
  const file = path.join(os.tmpdir(), 'fonts.conf');
  const fonts = path.join(os.tmpdir(), 'fonts');
  writeFileSync(file, `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${fonts}-cache</cachedir></fontconfig>`);
  return file;
}
