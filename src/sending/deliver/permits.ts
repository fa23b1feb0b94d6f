/** So many things at once, and no more, in this process; those who wait get theirs in order. */
export class Permits {
  private readonly waiting: { readonly count: number; readonly grant: () => void }[] = [];

  constructor(private left: number) {}

  /** Resolves when `count` are taken; all at once, so that two who wait never hold half of what the other needs. */
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
