import { answer } from '../../platform/async';
import { findPending, projectsWaiting } from '../events';
import type { Event, WaitingProject } from '../events';
import { databaseNow } from '../../platform/mongo';
import type { LagReport } from './lag';

/** Events that a run has taken in and not recorded yet, at most. */
const TAKEN_MAX = 1_000;

/** Events of one project at most, fewer when many projects wait: this leaves room for a project that comes. */
const PROJECT_SHARE = 200;

/** The clocks of the processes that stamp events differ by less; an event that waits for another try waits longer. */
const CLOCKS_MS = 1_000;

/** How soon a run looks again for events that have come while it could not take in all that wait. */
const LOOK_AGAIN_MS = 100;

interface Share {
  readonly projectId: string;
  readonly most: number;
}

/** The events that a run has taken in: a share for each project, starting with projects that have the fewest. */
export class Intake {
  private readonly taken = new Map<string, Set<string>>();
  private size = 0;
  private enough = 0;
  private roomWanted: (() => void) | undefined;

  constructor(
    private readonly shard: number,
    private readonly lag: LagReport,
  ) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Takes in due events, each once; the events of a project are in order. `more` says that some had no room. */
  async take(): Promise<{ readonly events: readonly Event[]; readonly more: boolean }> {
    const now = await answer(databaseNow);
    const until = new Date(now.getTime() + CLOCKS_MS);
    const projects = (await answer(() => projectsWaiting(this.shard))).filter(({ since }) => since <= until);
    this.lag.note(this.shard, projects, now);
    const shares = this.shares(projects);
    const pages = await Promise.all(shares.map((share) => this.page(share, until)));
    return { events: pages.flat(), more: pages.some(({ length }, index) => length === shares[index]?.most) };
  }

  /** Frees the room of recorded events. */
  release(events: readonly Event[]): void {
    for (const { _id, projectId } of events) {
      const ids = this.taken.get(projectId);
      if (!ids?.delete(_id)) continue;
      this.size--;
      if (ids.size === 0) this.taken.delete(projectId);
    }
    if (this.size <= this.enough) this.roomWanted?.();
  }

  /** Waits until half of what was taken in is recorded, or, for a moment at least, until events have come: `woken` resolves then. */
  async room(woken: Promise<void>): Promise<void> {
    if (this.size === 0) return;
    this.enough = Math.floor(this.size / 2);
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_AGAIN_MS)));
    const freed = new Promise<void>((resolve) => (this.roomWanted = resolve));
    await Promise.race([freed, Promise.all([moment, woken])]);
    clearTimeout(timer);
    this.roomWanted = undefined;
  }

  private shares(projects: readonly WaitingProject[]): readonly Share[] {
    const fairShare = Math.max(1, Math.min(PROJECT_SHARE, Math.floor(TAKEN_MAX / projects.length)));
    const held = ({ projectId }: WaitingProject): number => this.taken.get(projectId)?.size ?? 0;
    const inOrder = [...projects].sort((a, b) => held(a) - held(b) || a.since.getTime() - b.since.getTime());
    let room = TAKEN_MAX - this.size;
    return inOrder.map((project) => {
      // A read passes over what was taken in: it is made for many events, or for the first of a project.
      const most = held(project) > fairShare / 2 ? 0 : Math.min(fairShare - held(project), room);
      room -= most;
      return { projectId: project.projectId, most };
    });
  }

  private async page({ projectId, most }: Share, until: Date): Promise<readonly Event[]> {
    if (most === 0) return [];
    const ids = this.taken.get(projectId) ?? new Set();
    const events = await answer(() => findPending({ shard: this.shard, projectId, until, without: [...ids], limit: most }));
    for (const { _id } of events) ids.add(_id);
    this.size += events.length;
    if (ids.size > 0) this.taken.set(projectId, ids);
    return events;
  }
}
