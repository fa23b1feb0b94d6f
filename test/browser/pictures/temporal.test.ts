import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { Page } from 'playwright-core';
import { Platform, eventually } from '../../support/platform/platform';
import { freePort } from '../../support/run/servers';
import { groundOf } from '../areas/area';
import { automations } from '../areas/automations';
import { letter } from '../areas/words';
import { WIDE } from '../support/browser';
import { startBrowser } from '../support/launch';

const PICTURES = path.resolve(__dirname, '../../docs/temporal');
const MOST_BYTES = 150 * 1_024;

/** A campaign whose sample is out, and which waits for the instant at which the better subject is decided. Resolves to the id of its workflow. */
async function aCampaign(platform: Platform): Promise<string> {
  const { post } = groundOf(platform);
  for (let n = 0; n < 40; n++) await post('/v1/contacts', { email: `reader-${n}@example.com`, subscribed: true });
  const draft = { name: 'Winter sale', subject: 'Half price until Sunday', body: letter('Half price until Sunday.') };
  const experiment = { abSubjectB: 'Until Sunday: half price', abSamplePct: 20 };
  const { campaignId = '' } = await post('/v1/campaigns', { ...draft, ...experiment, fromEmail: 'hello@hello.test' });
  await post(`/v1/campaigns/${campaignId}/send`, {});
  return `campaign/${campaignId}`;
}

/** Somebody who waits in an automation. */
async function anExecution(platform: Platform): Promise<string> {
  const { executionId } = await automations.example(groundOf(platform));
  return `automation/${executionId}`;
}

/** Three messages that are to go out within one minute of tomorrow. */
async function aMinute(platform: Platform): Promise<string> {
  const at = new Date(Date.now() + 86_400_000);
  at.setUTCHours(9, 0, 0, 0);
  for (const [n, name] of ['ada', 'grace', 'linus'].entries())
    await platform.send(`${name}@example.com`, { sendAt: new Date(at.getTime() + n * 15_000).toISOString() });
  return `scheduled-send/${platform.keys.projectId}/${at.toISOString().slice(0, 16)}Z`;
}

const SHOWN = [
  ['campaign', aCampaign],
  ['automation', anExecution],
  ['scheduled-minute', aMinute],
] as const;

/** Waits until a workflow has done what there was to do, and waits itself: it has no activity, and its history stays as it is for a second. */
async function settled(client: Client, workflowId: string): Promise<void> {
  let last = 0;
  await eventually(`${workflowId} waits`, async () => {
    const { historyLength, raw } = await client.workflow.getHandle(workflowId).describe();
    const isQuiet = historyLength > 4 && historyLength === last && (raw.pendingActivities ?? []).length === 0;
    last = historyLength;
    if (!isQuiet) await new Promise((resolve) => setTimeout(resolve, 1_000));
    return isQuiet;
  });
}

async function picture(page: Page, ui: string, workflowId: string): Promise<Buffer> {
  await page.goto(`${ui}/namespaces/default/workflows/${encodeURIComponent(workflowId)}`);
  await page.getByText('Workflow Execution Started').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ type: 'png' });
}

/** Pictures of Temporal's web UI for the documentation: `npx jest test/browser/pictures/temporal`. The whole suite leaves them as they are. */
test('pictures are taken of workflows in the web UI of Temporal', async () => {
  const uiPort = await freePort();
  const [platform, browser] = await Promise.all([Platform.start({ ownServers: true, temporalUiPort: uiPort }), startBrowser()]);
  const client = await platform.temporalClient();
  mkdirSync(PICTURES, { recursive: true });
  try {
    const page = await browser.newPage({ viewport: WIDE, locale: 'en-US', timezoneId: 'UTC', colorScheme: 'light' });
    for (const [name, make] of SHOWN) {
      const workflowId = await make(platform);
      await settled(client, workflowId);
      const bytes = await picture(page, `http://127.0.0.1:${uiPort}`, workflowId);
      expect(bytes.length).toBeLessThan(MOST_BYTES);
      writeFileSync(path.join(PICTURES, `${name}.png`), bytes);
    }
  } finally {
    await client.connection.close();
    await browser.close();
    await platform.stop();
  }
});
