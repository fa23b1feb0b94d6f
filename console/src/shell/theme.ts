const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'lettermill-theme';

/** Returns the theme that was chosen on this machine; `system` if none was. */
export const chosenTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system';

/** Shows the console in the theme that was chosen. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

/** Chooses a theme and keeps the choice. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme(theme);
}
