import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import axe from 'axe-core';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { makeLink } from '../../../src/records/console-sessions/service';
import { eventually } from '../../support/platform/platform';
import type { Platform } from '../../support/platform/platform';

const ROOT = path.resolve(__dirname, '../../..');
const PICTURES = path.join(ROOT, 'docs/console');

export const WIDE = { width: 1_280, height: 800 };
export const NARROW = { width: 390, height: 844 };

interface Watched {
  ran?: unknown;
  violations?: string[];
  shifts?: Shift[];
}

/** A layout shift, as Chromium reports it. */
interface Shift {
  /** Milliseconds since the page was opened. */
  readonly at: number;
  readonly value: number;
  readonly moved: string;
}

/** The entry of a layout shift: the types of the DOM have none. */
type ShiftEntry = PerformanceEntry & {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
};

/** Cumulative layout shift that counts as good, and its windows: https://web.dev/articles/cls */
const MOST_SHIFT = 0.1;
const GAP_MS = 1_000;
const LONGEST_MS = 5_000;

/** A request that takes longer than this is held back by a test. */
const HELD_MS = 3_000;

/** Puts shifts that follow each other within a second, and within five in all, together. */
function windowsOf(shifts: readonly Shift[]): readonly (readonly Shift[])[] {
  const windows: Shift[][] = [];
  for (const shift of shifts) {
    const window = windows.at(-1);
    const [first, last] = [window?.[0], window?.at(-1)];
    if (window && first && last && shift.at - last.at < GAP_MS && shift.at - first.at < LONGEST_MS) window.push(shift);
    else windows.push([shift]);
  }
  return windows;
}

const sumOf = (shifts: readonly Shift[]): number => shifts.reduce((all, { value }) => all + value, 0);

/** Returns whether a request came from a frame that the page has no more: the browser does not say how it ended. */
function isOfGoneFrame(request: Request): boolean {
  try {
    return request.frame().isDetached();
  } catch {
    // The frame is only being made.
    return false;
  }
}

/** A person at the console. Notes what the pages should never do: run what was planted, and break their own policy. */
export class Visitor {
  readonly faults: string[] = [];
  private pressed = 0;
  /** Requests of the page that have no answer yet. */
  private readonly underWay = new Set<Request>();

  private constructor(
    readonly page: Page,
    private readonly platform: Platform,
  ) {}

  static async come(browser: Browser, platform: Platform, viewport = WIDE, timezoneId = 'UTC'): Promise<Visitor> {
    const context = await browser.newContext({ viewport, locale: 'en-GB', timezoneId, colorScheme: 'light' });
    const page = await context.newPage();
    const visitor = new Visitor(page, platform);
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => visitor.faults.push(message));
    page.on('request', (request) => visitor.underWay.add(request));
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => visitor.underWay.delete(request));
    await page.exposeFunction('notePress', () => (visitor.pressed += 1));
    await page.addInitScript(() => {
      addEventListener('pointerdown', () => (window as unknown as { notePress: () => void }).notePress(), { capture: true });
      const watched = window as unknown as Watched;
      watched.violations = [];
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
        watched.violations?.push(`${violatedDirective} ${blockedURI} ${sourceFile}`),
      );
      const shifts: Shift[] = [];
      watched.shifts = shifts;
      new PerformanceObserver((list) => {
        for (const { startTime: at, value, hadRecentInput, sources } of list.getEntries() as ShiftEntry[]) {
          const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : (node?.textContent ?? '')).slice(0, 160));
          if (!hadRecentInput) shifts.push({ at, value, moved: moved.join(' | ') });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    return visitor;
  }

  /** Signs in by a link, as an operator would make it. */
  async signIn(projectId = this.platform.keys.projectId): Promise<void> {
    const { url } = await makeLink(projectId, this.platform.url);
    await this.page.goto(url);
    await this.isIn();
  }

  /** Signs in by a key, in the form. */
  async signInByKey(key: string): Promise<void> {
    await this.page.goto(`${this.platform.url}/console`);
    await this.page.getByLabel('Secret or test key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in with key' }).click();
    await this.isIn();
  }

  private async isIn(): Promise<void> {
    await this.page
      .getByRole('navigation', { name: 'Screens' })
      .or(this.page.getByRole('button', { name: 'Menu' }))
      .first()
      .waitFor();
  }

  /** Goes to a place of the console and waits until its heading is there and nothing is on its way. */
  async open(place: string, heading: string | RegExp): Promise<void> {
    // The browser does not always say how the requests of a page ended that has been left, and may tell of one after that.
    await this.page.goto('about:blank');
    this.underWay.clear();
    await this.page.goto(`${this.platform.url}/console${place}`);
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await this.loaded();
  }

  /** Waits until what has been moved stays where it is, and is there from one picture of the screen to the next. */
  async still(moved: Locator): Promise<void> {
    let last: string | undefined;
    await eventually('it stays where it is', async () => {
      const before = last;
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      last = JSON.stringify(await moved.boundingBox());
      return last === before;
    });
  }

  /** Waits until the page has all that it asked for, and has drawn it without asking for more. */
  async loaded(withinMs?: number): Promise<void> {
    const hasAll = async (): Promise<boolean> => {
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const waits = [...this.underWay].filter((request) => !isOfGoneFrame(request)).map((request) => request.url());
      if (waits.length > 0) throw new Error(`under way: ${waits.join(', ')}`);
      if ((await this.page.locator('.spinner').count()) > 0) throw new Error('a part of the page is being loaded');
      return true;
    };
    await eventually('the page is loaded', hasAll, withinMs);
  }

  /** Clicks after what the page has asked for has come, which could move the button away between press and release. A request that a test holds back is not awaited. */
  async click(button: Locator): Promise<void> {
    if (this.underWay.size > 0) await this.loaded(HELD_MS).catch(() => undefined);
    await button.click();
  }

  /** What of the page hinders people with disabilities, by axe-core: by all of its rules, or by some. */
  async hindrances(rules?: string[]): Promise<readonly string[]> {
    // By the page's policy no script may be added to it; the debugger may.
    if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(axe.source);
    return this.page.evaluate(async (runOnly) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: ['iframe'] },
        { resultTypes: ['violations'], ...(runOnly && { runOnly }) },
      );
      return violations.map(({ impact, id, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    }, rules);
  }

  /** What has moved in the worst window while the page was being loaded; nothing if it is too little to be felt. */
  async shifts(): Promise<readonly string[]> {
    const windows = windowsOf(await this.page.evaluate(() => (window as unknown as Watched).shifts ?? []));
    const worst = windows.toSorted((a, b) => sumOf(b) - sumOf(a))[0] ?? [];
    return sumOf(worst) < MOST_SHIFT ? [] : worst.map(({ value, moved }) => `${value.toFixed(3)}: ${moved}`);
  }

  /** What the page has done that it should not: broken its policy, failed, or run what somebody has planted. */
  async misdeeds(): Promise<readonly string[]> {
    const { ran, violations } = await this.page.evaluate(() => {
      const watched = window as unknown as Watched;
      return { ran: watched.ran, violations: watched.violations ?? [] };
    });
    return [...this.faults, ...violations, ...(ran === undefined ? [] : ['what was planted has run'])];
  }

  /** Resolves to how many clicks something takes. Fields are filled by keyboard, and files are dropped: neither counts. */
  async clicksOf(something: () => Promise<void>): Promise<number> {
    const before = this.pressed;
    await something();
    return this.pressed - before;
  }

  /** Whether a reader has to scroll sideways. */
  overflows(): Promise<boolean> {
    return this.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  }

  /** Keeps a picture for the documentation, in a format of which a whole screen is some thirty kilobytes. */
  async picture(name: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    const debug = await this.page.context().newCDPSession(this.page);
    const { data } = await debug.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
    writeFileSync(path.join(PICTURES, `${name}.webp`), Buffer.from(data, 'base64'));
    await debug.detach();
  }

  leave(): Promise<void> {
    return this.page.context().close();
  }
}
