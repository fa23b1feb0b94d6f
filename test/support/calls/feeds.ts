import type { SeriesOutlook } from '../../../src/contracts/campaign';
import { advanceSeries } from '../../../src/marketing/series';
import { stored } from '../data/stored';
import type { TestApp } from '../platform/app';
import type { Receiver } from '../servers/webhooks';
import { campaignCalls } from './campaigns';

const DAY_MS = 86_400_000;
export const DAILY = { rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', timezone: 'UTC' };
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS + 8 * 3_600_000;
/** Nine o'clock of the n-th day. */
export const nine = (day: number): number => START + (day - 1) * DAY_MS + 3_600_000;
const BODY = '{{#each feed.items}}<h2><a href="{{url}}">{{title}}</a></h2>{{{html}}}{{/each}}';

/** A turn as the API shows it. */
interface Turn {
  readonly number: number;
  readonly status: string;
  readonly skipReason: string | null;
  readonly skipDetail?: string;
  readonly campaignId: string | null;
  readonly items?: readonly { readonly guid: string; readonly title: string; readonly url: string }[];
}

/** Calls of tests of recurring campaigns with a feed, which `server` serves. */
export const feedCalls = (app: () => TestApp, server: Receiver) => {
  const { act, api, draft, finish, freeze } = campaignCalls(app);
  /** Sets the document that the server answers with. */
  const serves = (text: string, headers: Readonly<Record<string, string>> = {}): void => {
    server.answer = (res) => void res.writeHead(200, headers).end(text);
  };

  const look = (campaignId: string, now: number, readsFeed = true): Promise<SeriesOutlook> =>
    advanceSeries(app().core, { campaignId, projectId: app().keys.projectId, now, readsFeed });

  async function series(feed: object = {}, more: object = {}): Promise<string> {
    const { campaignId } = await draft({ subject: 'News', body: BODY, schedule: DAILY, feed: { url: server.url, ...feed }, ...more });
    await act(campaignId, 'send', { scheduledFor: new Date(START).toISOString() }).expect(200);
    return campaignId;
  }

  const turns = async (id: string): Promise<Turn[]> =>
    ((await api().get(`/v1/campaigns/${id}/turns`).expect(200)).body as { data: Turn[] }).data.reverse();

  /** Settles the turn of a day without sending it. Resolves to the entries that it sends, or the reason why it is skipped. */
  async function turnOf(id: string, day: number): Promise<string> {
    await look(id, nine(day));
    const turn = (await turns(id)).at(-1);
    const childId = turn?.campaignId ?? null;
    if (childId !== null) await endTurn(childId);
    return turn?.skipReason ?? (turn?.items ?? []).map(({ guid }) => guid).join(' ');
  }

  async function endTurn(childId: string): Promise<void> {
    await freeze(childId);
    await stored.recipients.changeAll({ campaignId: childId }, { status: 'skipped', skipReason: 'unsubscribed' });
    await finish(childId);
  }

  return { endTurn, look, series, serves, turnOf, turns };
};
