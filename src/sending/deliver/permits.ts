/** A counting semaphore of this process; waiting calls are served in order. */
export class Permits {
  private readonly waiting: { readonly count: number; readonly grant: () => void }[] = [];

  constructor(private left: number) {}

  /**
   * Takes `count` permits, all at once, so that two waiting calls never hold half of what the other needs. Resolves to what gives them back, which may be
   * called again without an effect.
   */
  async take(count: number): Promise<() => void> {
    await new Promise<void>((grant) => {
      this.waiting.push({ count, grant });
      this.serve();
    });
    let held = count;
    return () => {
      this.left += held;
      held = 0;
      this.serve();
    };
  }

  private serve(): void {
    for (let next = this.waiting[0]; next && next.count <= this.left; next = this.waiting[0]) {
      this.waiting.shift();
      this.left -= next.count;
      next.grant();
    }
  }
}
