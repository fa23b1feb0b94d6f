/** A counting semaphore of this process; waiting calls are served in order. */
export class Permits {
  private readonly waiting: { readonly count: number; readonly grant: () => void }[] = [];

  constructor(private left: number) {}

  /** Takes `count` permits, all at once, so that two waiting calls never hold half of what the other needs. */
  take(count: number): Promise<void> {
    return new Promise((grant) => {
      this.waiting.push({ count, grant });
      this.serve();
    });
  }

  give(count: number): void {
    this.left += count;
    this.serve();
  }

  private serve(): void {
    for (let next = this.waiting[0]; next && next.count <= this.left; next = this.waiting[0]) {
      this.waiting.shift();
      this.left -= next.count;
      next.grant();
    }
  }
}
