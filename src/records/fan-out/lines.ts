import type { Event } from '../events';
import { nextTryInPlace } from './patience';

/** Contacts whose events are handed on at the same time in one run. */
const AT_ONCE = 40;

/** From this many on, each project gets two at most: this leaves room for projects with few events. */
const OF_ALL = 32;
const OF_EACH = 2;

interface Line {
  readonly key: string;
  readonly projectId: string;
  readonly events: Event[];
  failures: number;
}

interface Work {
  /** Throws when the event has to come again. */
  readonly handOn: (event: Event) => Promise<void>;
  /** Called once for each event that was taken in: with null when it was handed on, else with the last failure. */
  readonly ended: (event: Event, failure: { readonly error: unknown } | null) => void;
}

/** Lines that may move, by project: projects go round robin, however many lines each has. */
class RoundRobin {
  private readonly projects = new Map<string, Line[]>();

  push(line: Line): void {
    const lines = this.projects.get(line.projectId);
    if (lines) lines.push(line);
    else this.projects.set(line.projectId, [line]);
  }

  /** Returns a line of the first project that may have one, and moves that project to the end. */
  next(may: (projectId: string) => boolean): Line | undefined {
    for (const [projectId, lines] of this.projects) {
      if (!may(projectId)) continue;
      const line = lines.shift();
      this.projects.delete(projectId);
      if (lines.length > 0) this.projects.set(projectId, lines);
      return line;
    }
    return undefined;
  }
}

/** Hands on the events of one contact one after another, different contacts side by side. A line that waits for its next try does not hold up others. */
export class Lines {
  private readonly lines = new Map<string, Line>();
  private readonly ready = new RoundRobin();
  private readonly activeOf = new Map<string, number>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private active = 0;
  private stopped = false;
  private idle: (() => void) | undefined;

  constructor(private readonly work: Work) {}

  /** Adds an event to the line of its contact; an event without a contact gets its own line. */
  add(event: Event): void {
    const key = event.contactId ?? event._id;
    const line = this.lines.get(key);
    if (line) {
      line.events.push(event);
      return;
    }
    const fresh = { key, projectId: event.projectId, events: [event], failures: 0 };
    this.lines.set(key, fresh);
    this.ready.push(fresh);
    this.move();
  }

  /** Begins nothing more; resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.active > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private move(): void {
    while (!this.stopped && this.active < AT_ONCE) {
      const line = this.ready.next((projectId) => this.active < OF_ALL || (this.activeOf.get(projectId) ?? 0) < OF_EACH);
      if (!line) return;
      this.count(line, 1);
      void this.step(line).finally(() => {
        this.count(line, -1);
        if (this.active === 0) this.idle?.();
        this.move();
      });
    }
  }

  private count({ projectId }: Line, by: 1 | -1): void {
    this.active += by;
    const ofProject = (this.activeOf.get(projectId) ?? 0) + by;
    if (ofProject > 0) this.activeOf.set(projectId, ofProject);
    else this.activeOf.delete(projectId);
  }

  private async step(line: Line): Promise<void> {
    const [event] = line.events;
    if (!event) return;
    const failure = await this.work.handOn(event).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const waitMs = failure && nextTryInPlace(++line.failures);
    if (waitMs === null) this.advance(line, event, failure);
    else this.later(line, waitMs);
  }

  private advance(line: Line, event: Event, failure: { readonly error: unknown } | null): void {
    line.events.shift();
    line.failures = 0;
    if (line.events.length > 0) this.ready.push(line);
    else this.lines.delete(line.key);
    this.work.ended(event, failure);
  }

  private later(line: Line, waitMs: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.ready.push(line);
      this.move();
    }, waitMs);
    this.timers.add(timer);
  }
}
