import { LRUCache } from 'lru-cache';
import { domainOf } from '../../platform/addresses';
import { Breaker } from '../../platform/fair';
import type { BreakerTimes, Verdict } from '../../platform/fair';
import type { SmtpOutcome } from '@lettermill/smtp';
import { Shares, Taker, lendableOf, totalOf, leaveAll } from './taker';
import type { Leave, Passing, Waits } from './transport';
import { verdictOfFlow } from './verdicts';

const SECONDS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 900];
const FLOW_TIMES: BreakerTimes = { pausesMs: SECONDS.map((seconds) => seconds * 1_000), storm: 20, stormMs: 10_000 };
/** Shorter: a project that sends to many domains has more to lose. */
const PROJECT_TIMES: BreakerTimes = { ...FLOW_TIMES, pausesMs: FLOW_TIMES.pausesMs.slice(0, 5) };

const FIRST_ALLOWANCE = 2;
const KEPT = 20_000;
const PROJECT = { wait: 'project' } as const;
const SOON = { wait: 'soon' } as const;
const LONG = { wait: 'long' } as const;

/** All mail of a project: it is in trouble when mail to several domains fails and none is taken, as when its sender is over a quota. */
class ProjectMail extends Taker {
  private readonly failing = new Set<string>();

  noteOf(domain: string, verdict: Verdict): void {
    if (verdict === 'well') this.failing.clear();
    else if (verdict !== 'other' && this.failing.size < 2) this.failing.add(domain);
    if (verdict === 'well' || this.failing.size > 1) this.note(verdict);
  }
}

/**
 * Mail as it flows from projects to domains. A failure after MAIL FROM (a 421, no answer, refusals one after another) is attributed to the
 * project and the domain of the message, which pause for a while; the server continues with all other mail. A flow has two lanes until a
 * message of it was accepted, and such flows of a project, or to a domain, never have all of them: those that wait for an unresponsive
 * server leave lanes for the others. Proven flows of a project leave one lane in eight.
 */
export class Flows {
  private readonly flows: LRUCache<string, Taker>;
  private readonly projects: LRUCache<string, ProjectMail>;
  private readonly troubled = new Set<Taker>();
  /** Flows on trial of which campaign mail has a message on the wire. */
  private readonly tried = new WeakSet<Taker>();
  /** Lanes of flows that are not proven, but for those of campaigns. */
  private readonly byProject: Shares;
  private readonly lent: Shares;
  private readonly byDomain: Shares;
  private readonly most: number;
  private readonly mostLent: number;

  /** Calls `changed` when one that was left alone may be tried again. */
  constructor(
    lanes: number,
    private readonly changed: () => void,
  ) {
    this.most = totalOf(lanes);
    this.mostLent = lendableOf(lanes);
    this.byProject = new Shares(lanes);
    this.lent = new Shares(lanes);
    this.byDomain = new Shares(lanes);
    const forget = (gone: Taker): void => void this.troubled.delete(gone);
    this.flows = new LRUCache({ max: KEPT, dispose: forget });
    this.projects = new LRUCache<string, ProjectMail>({ max: KEPT, dispose: forget });
  }

  /** Returns why a message has to wait; null when it need not. */
  waits(mail: Passing): Waits | null {
    const domain = domainOf(mail.to);
    const flow = this.flow(mail.projectId, domain);
    if (flow.restMs > 0) return { laterMs: flow.restMs };
    const project = this.project(mail.projectId);
    if (project.restMs > 0) return SOON;
    if (!project.hasRoom) return PROJECT;
    if (!flow.hasRoom) return flow.isUnknown ? LONG : SOON;
    return !flow.isUnknown || (this.byProject.hasRoom(mail.projectId) && this.byDomain.hasRoom(domain)) ? null : SOON;
  }

  /** Counts a message as begun. */
  take(mail: Passing): Leave {
    const domain = domainOf(mail.to);
    const flow = this.flow(mail.projectId, domain);
    const unproven = flow.isUnknown ? [this.byProject.take(mail.projectId), this.byDomain.take(domain)] : [];
    return leaveAll(flow.take(), this.project(mail.projectId).take(), ...unproven);
  }

  /** Lets campaign mail of a project have a lane; null while the project has its share, or is left alone. */
  lend(projectId: string): Leave | null {
    const project = this.project(projectId);
    if (project.restMs > 0 || !project.hasRoom || !this.lent.hasRoom(projectId) || this.lent.of(projectId) >= this.mostLent) return null;
    return leaveAll(project.take(), this.lent.take(projectId));
  }

  /** Returns whether campaign mail may try a message, which it then does at once. A flow whose last message failed is tried with one at a time. */
  mayTry({ projectId, to }: Passing): boolean {
    if (this.troubled.size === 0) return true;
    const flow = this.flow(projectId, domainOf(to));
    if (!flow.onTrial) return true;
    if (flow.restMs > 0 || flow.busy > 0 || this.tried.has(flow)) return false;
    this.tried.add(flow);
    return true;
  }

  note({ projectId, to }: Passing, outcome: SmtpOutcome): void {
    const verdict = verdictOfFlow(outcome);
    const domain = domainOf(to);
    const [flow, project] = [this.flow(projectId, domain), this.project(projectId)];
    flow.note(verdict);
    this.tried.delete(flow);
    project.noteOf(domain, verdict);
    for (const each of [flow, project]) {
      if (verdict === 'well') this.troubled.delete(each);
      else if (verdict !== 'other') this.troubled.add(each);
    }
  }

  /** Notes the same for a message of a stream, most of which are taken: that changes something only while something fails. */
  noteStreamed(mail: Passing, outcome: SmtpOutcome): void {
    if (!outcome.accepted || this.troubled.size > 0) this.note(mail, outcome);
  }

  private flow(projectId: string, domain: string): Taker {
    const name = `${projectId}/${domain}`;
    const known = this.flows.get(name);
    if (known) return known;
    const flow = new Taker(this.breaker(FLOW_TIMES), { first: Math.min(FIRST_ALLOWANCE, this.most), most: this.most, trial: 1 });
    this.flows.set(name, flow);
    return flow;
  }

  private project(projectId: string): ProjectMail {
    const known = this.projects.get(projectId);
    if (known) return known;
    const project = new ProjectMail(this.breaker(PROJECT_TIMES), { first: this.most, most: this.most, trial: 1 });
    this.projects.set(projectId, project);
    return project;
  }

  private breaker(times: BreakerTimes): Breaker {
    return new Breaker(times, (pauseMs) => void setTimeout(this.changed, pauseMs + 1).unref());
  }
}
