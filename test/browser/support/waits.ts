import type { Locator } from 'playwright-core';
import { eventually } from '../../support/platform/platform';

/** Waits until a field has a value: some get it once the page knows it. */
export const hasValue = (field: Locator, value: string): Promise<boolean> =>
  eventually(`the field has the value “${value}”`, async () => (await field.inputValue()) === value);

/** Waits until that many elements are there. */
export const hasCount = (elements: Locator, count: number): Promise<boolean> =>
  eventually(`there are ${count}`, async () => (await elements.count()) === count);
