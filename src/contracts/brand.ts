/** How a project shows itself to the readers of its mail, as far as it was said. */
export interface Brand {
  /** The sender's name in the footer and on public pages; the project's name where there is none. */
  readonly name?: string;
  readonly logoUrl?: string;
  /** As `#rrggbb`. */
  readonly color?: string;
  /** The postal address; it may have several lines. */
  readonly address?: string;
  /** Styles for the public pages. */
  readonly css?: string;
}
