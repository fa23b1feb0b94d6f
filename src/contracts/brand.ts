/** The appearance of a project to the readers of its mail. Members that were not set are absent. */
export interface Brand {
  /** The sender's name in the footer and on public pages; the project's name where there is none. */
  readonly name?: string;
  readonly logoUrl?: string;
  /** A color in the form `#rrggbb`. */
  readonly color?: string;
  /** The postal address; it may have several lines. */
  readonly address?: string;
  /** Styles for the public pages. */
  readonly css?: string;
}
