import { answer, pause, untilDone } from '../../platform/async';
import type { Core } from '../../platform/core';
import { putOff } from '../../records/emails';
import type { Claim, Email, Outcome } from '../../records/emails';
import { metrics, sampled } from '../../platform/metrics';
import { watchOf } from '../provider-holds';
import type { ProviderWatch } from '../provider-holds';
import { Attempts, Loans, Gathering } from './engine-parts';
import { Candidates, claimOf, noteClaimed } from './candidates';
import type { Delivery, Finder } from './delivery';
import { laterCounts } from './counts';
import type { Lease } from './lease';
import type { Loan } from './engine-parts';
import type { Lanes } from './make-lanes';
import { noteOutcomes } from './outcome';
import { Recorder } from './record';
import type { Routing } from './routing';
import { lendableOf } from './taker';
import type { Gate, Lane, Passing } from './transport';

/** The reason that `GET /v1/emails/{id}` shows for a message that waits for its destination. */
const LEFT_ALONE = 'Mail to this mail exchanger is paused, or its connections are busy; the message waits';

/** While the database records some rounds, the lanes of the others are sending. */
const ROUNDS_AT_ONCE = 3;

/**
 * Sends messages over the lanes (one SMTP connection each). In each round the results of the lanes that finished are recorded together, and
 * the next messages of the free lanes are claimed with them: no lane begins a message before its last result is in the ledger, so a lost
 * process leaves at most one message per lane in doubt.
 *
 * | killed                                  | found                         | happens                                              |
 * |-----------------------------------------|-------------------------------|------------------------------------------------------|
 * | before the claim                        | `queued`, due                 | the pump runs again elsewhere and sends it           |
 * | claimed, final dot not sent             | `sending`, worker's lease ends | taken over after the lease and sent                 |
 * | past the final dot, no record           | the same                      | in doubt: sent again after the lease, same Message-ID |
 * | recorded                                | final state and its events    | nothing                                              |
 * | deferred, recorded                      | `queued` with its next time   | the pump's timer sends it then                       |
 */
export class Engine {
  private readonly candidates: Candidates;
  private readonly lanes: readonly Lane[];
  private readonly gate: Gate;
  private readonly free: Lane[];
  private readonly finished: Delivery[] = [];
  private readonly loans: Loans;
  private readonly attempts = new Attempts();
  private rounds = 0;
  private onTheWire = 0;
  private readonly gathering: Gathering;
  private readonly recorder: Recorder;
  /** Providers that refuse campaign mail. */
  readonly watch: ProviderWatch;
  /** Chooses transports; null where there is one. */
  readonly routing: Routing | null;
  /** Whether sending is paused, or not yet known not to be: nothing is begun, and what was begun is finished. */
  paused = false;
  private scheduled = false;
  private stopped = false;

  constructor(
    private readonly core: Core,
    private readonly workerId: string,
    { lanes, gate, routing }: Lanes,
    private readonly lease: Pick<Lease, 'holds' | 'term'>,
  ) {
    this.lanes = lanes;
    this.free = [...lanes];
    this.gate = gate;
    this.routing = routing ?? null;
    this.loans = new Loans(gate, lanes.length);
    this.gathering = new Gathering(this.loans.half, () => this.schedule());
    this.recorder = new Recorder(core);
    this.watch = watchOf(core);
    this.candidates = new Candidates(gate, this.putOff.bind(this), this.recheck.bind(this));
    sampled('delivery', () => {
      metrics.lanes.set({ state: 'busy' }, this.lanes.length - this.free.length);
      metrics.lanes.set({ state: 'free' }, this.free.length);
      metrics.leaseHeld.set(this.lease.holds() ? 1 : 0);
      metrics.sendingPaused.set(this.paused ? 1 : 0);
    });
    gate.changed = () => {
      this.lend();
      this.recheck();
    };
  }

  /** Lists the attempts that are under way or not recorded yet. */
  activeAttempts(): readonly string[] {
    return this.attempts.active();
  }

  /** Whether messages may be begun now. */
  get ready(): boolean {
    return !this.stopped && !this.paused && this.lease.holds();
  }

  /** Number of waiting messages that keep the lanes busy until a pump has found more. */
  get appetite(): number {
    return 2 * this.lanes.length;
  }

  /** Lists the messages that wait for a lane, which the ledger still has as due. */
  waiting(): readonly string[] {
    return this.candidates.waiting();
  }

  /** Lists projects of which enough messages wait for their destinations. */
  crowding(): readonly string[] {
    return this.candidates.crowding;
  }

  /** Whether more waits for a lane than keeps all of them busy for a moment. */
  get crowded(): boolean {
    return this.candidates.ready > this.appetite;
  }

  /** Drops the messages of a shard that are not begun: another worker will find them. */
  leave(shard: number): void {
    this.candidates.leave(shard);
  }

  /** Adds due messages, except those it has already. Returns the new ones, none while nothing may be begun. Each is then to be claimed. */
  add(emails: readonly Email[], pump: Finder): readonly Delivery[] {
    if (!this.ready) return [];
    const added = this.candidates.add(emails, pump);
    pump.added(added.length);
    this.schedule();
    return added;
  }

  /** Resolves to the lane for an added message as soon as it is claimed for it; to null when it is another worker's, or for a later look. */
  claim(delivery: Delivery): Promise<Lane | null> {
    return new Promise((resolve) => (delivery.claimed = resolve));
  }

  /** Resolves when the outcome of a claimed message is recorded. */
  record(delivery: Delivery, outcome: Outcome): Promise<void> {
    this.onTheWire--;
    delivery.leave();
    this.candidates.lookOn();
    delivery.outcome = outcome;
    this.finished.push(delivery);
    this.schedule();
    return new Promise((resolve) => (delivery.recorded = resolve));
  }

  /**
   * Lends a lane to campaign mail of a project, which gives it back. Campaign mail always gets half of the lanes in time; more while no other mail waits, but
   * never all of them for one project, so that a single message finds a free one at once.
   */
  borrow(projectId: string): Promise<Loan> {
    const loan = this.loans.ask(projectId);
    this.lend();
    return loan;
  }

  giveBack({ lane, ended }: Loan): void {
    ended();
    this.free.push(lane);
    this.lend();
    this.candidates.look();
    this.schedule();
  }

  /** Returns whether a message of campaign mail may be tried now; if so, it has to be. */
  mayTry(mail: Passing): boolean {
    return !this.paused && this.gate.mayTry(mail);
  }

  /** Whether anything may be begun. */
  get open(): boolean {
    return this.gate.open;
  }

  /** Runs `work` under an attempt of campaign mail; until it ends, no worker takes its messages over. */
  during<T>(attemptId: string, work: () => Promise<T>): Promise<T> {
    return this.attempts.during(attemptId, work);
  }

  /** Number of lanes that campaign mail of a project may have. */
  get lendable(): number {
    return lendableOf(this.lanes.length);
  }

  /** Begins nothing more; resolves when all that was begun is recorded. */
  async drain(): Promise<void> {
    this.stopped = true;
    this.candidates.leave();
    while (this.attempts.areActive || this.rounds > 0) await pause(20);
    const { deliveries, inCampaigns } = laterCounts(this.core);
    await Promise.all([deliveries.flush(), inCampaigns.flush()]);
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  /** Cuts all connections at once. */
  destroy(): void {
    for (const lane of this.lanes) lane.destroy();
  }

  /** Begins what may be begun. Called when nothing announces the change: after a lease was renewed or a pause has ended. */
  recheck(): void {
    this.candidates.look();
    this.schedule();
  }

  /** Puts messages off without spending an attempt. When the write fails, they are only found sooner. */
  private async putOff(emails: readonly Email[], until: Date, why = LEFT_ALONE): Promise<void> {
    await answer(() => putOff(emails, until, why)).catch((error: unknown) =>
      this.core.log.warn({ err: error }, 'Messages could not be deferred'),
    );
  }

  /** Schedules rounds for everything that comes within one iteration of the event loop. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (!this.lease.holds()) this.candidates.leave();
      while (this.rounds < ROUNDS_AT_ONCE && (this.canBegin() || this.gathering.isDone(this.finished.length, this.onTheWire)))
        void this.round();
    });
  }

  private async round(): Promise<void> {
    this.rounds++;
    const { term } = this.lease;
    const results = this.finished.splice(0);
    const lanes = results
      .flatMap(({ lane }) => lane ?? [])
      .concat(this.free.splice(0, Math.max(0, this.candidates.length - results.length)));
    const next = this.ready ? this.candidates.take(lanes.length - this.loans.owed(lanes.length)) : [];
    const claim = claimOf(next, this.workerId);
    if (claim) this.attempts.begin(claim.attempt.id, next.length);
    const ids = await this.recordAll(results, claim);
    const taken = this.claimedOf(next, ids);
    // The lease may have ended and been renewed meanwhile: other workers may have taken over these claims.
    const ours = this.lease.holds() && this.lease.term === term ? taken : this.disown(taken);
    // Lanes that were counted for messages which are not ours are free again, and no result of theirs will say so.
    if (ours.length < next.length) this.candidates.look();
    ours.forEach((delivery, index) => this.start(delivery, lanes[index] as Lane));
    this.free.push(...lanes.slice(ours.length));
    this.lend();
    this.rounds--;
    this.schedule();
  }

  private lend(): void {
    this.loans.lend(this.free, this.candidates.ready);
  }

  private canBegin(): boolean {
    return this.ready && this.candidates.maybe && this.free.length > 0;
  }

  /** Tries until nothing can be sent twice any more. Resolves to the ids that are claimed. */
  private async recordAll(results: readonly Delivery[], claim: Claim | null): Promise<ReadonlySet<string>> {
    if (results.length === 0 && claim === null) return new Set();
    const recorded = results.flatMap(({ outcome, listening }) => (outcome ? { outcome, listening } : []));
    noteOutcomes(recorded.map(({ outcome }) => outcome));
    const ids = await this.recorder.record(recorded, claim);
    for (const { outcome } of recorded) this.attempts.end(outcome.email);
    for (const delivery of results) delivery.recorded();
    return ids;
  }

  private claimedOf(next: readonly Delivery[], ids: ReadonlySet<string>): readonly Delivery[] {
    for (const { email } of next) this.candidates.forget(email._id);
    const ours = next.filter(({ email }) => ids.has(email._id));
    this.disown(next.filter(({ email }) => !ids.has(email._id)));
    noteClaimed(ours.map(({ email }) => email));
    return ours;
  }

  /** Drops what others have claimed, and claims of an ended lease: unless taken over, these are found as this worker's own and given back. */
  private disown(others: readonly Delivery[]): readonly [] {
    for (const { email, leave, claimed } of others) {
      this.attempts.end(email);
      leave();
      claimed(null);
    }
    return [];
  }

  private start(delivery: Delivery, lane: Lane): void {
    this.onTheWire++;
    delivery.lane = lane;
    delivery.claimed(lane);
  }

  /** Tries until it succeeds. */
  untilDone<T>(trouble: string, work: () => Promise<T>): Promise<T> {
    return untilDone(this.core, trouble, work);
  }
}
