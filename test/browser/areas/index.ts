import type { Platform } from '../../support/platform/platform';
import { groundOf } from './area';
import type { Area, Ids } from './area';
import { automations } from './automations';
import { content } from './content';
import { mail } from './mail';
import { people } from './people';
import { sending } from './sending';
import { setUp } from './set-up';

/** In the order in which their things are made: whom mail goes to, and what is called for it, come before the mail. */
const AREAS: readonly Area[] = [people, setUp, content, mail, sending, automations];

/** Every screen of the console. */
export const SCREENS = AREAS.flatMap(({ screens }) => screens);

/** What was made for the screens, by its ids. */
export interface Made {
  readonly ids: Ids;
  readonly end: () => void;
}

/** Makes what every screen shows: a small shop, or one in which scripts are planted. */
export async function make(platform: Platform, world: 'example' | 'planted'): Promise<Made> {
  const ground = groundOf(platform);
  let ids: Ids = {};
  for (const area of AREAS) ids = { ...ids, ...(await area[world](ground)) };
  return { ids, end: () => ground.atEnd.forEach((act) => act()) };
}
