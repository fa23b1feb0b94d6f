import { automationJourneys } from './journeys/automations';
import { campaignJourneys } from './journeys/campaigns';
import { peopleJourneys } from './journeys/contacts';
import { eventJourneys } from './journeys/events';
import { formJourneys } from './journeys/forms';
import { guideJourneys } from './journeys/guides';
import { consentJourneys } from './journeys/consent';
import { keyJourneys } from './journeys/keys';
import { mailJourneys } from './journeys/mail';
import { referenceJourneys } from './journeys/reference';
import { segmentJourneys } from './journeys/segments';
import { sendingJourneys } from './journeys/sending';
import { sessionJourneys } from './journeys/sessions';
import { setUpJourneys } from './journeys/set-up';
import { startPageJourneys } from './journeys/start-page';
import { templateJourneys } from './journeys/templates';
import { timingJourneys } from './journeys/timing';
import { openWorld } from './support/world';

// One platform and one browser for all of them; in this order, for a later one may find what an earlier one has left.
const world = openWorld();

peopleJourneys(world);
mailJourneys(world);
setUpJourneys(world);
templateJourneys(world);
segmentJourneys(world);
sendingJourneys(world);
campaignJourneys(world);
startPageJourneys(world);
automationJourneys(world);
timingJourneys(world);
keyJourneys(world);
consentJourneys(world);
formJourneys(world);
eventJourneys(world);
referenceJourneys(world);
guideJourneys(world);
sessionJourneys(world);
