import { DeliveryHost } from '../../../src/sending/deliver/host';
import { WakeWatch } from '../../../src/platform/wake-ups';
import type { TestApp } from './app';
import { forTheFile } from '../run/for-the-file';

/** A worker's delivery host on an app for the tests of a file. */
export const aDeliveryHost = (app: TestApp, times?: ConstructorParameters<typeof DeliveryHost>[2]): DeliveryHost =>
  forTheFile(
    async () => {
      const host = new DeliveryHost(app.core, new WakeWatch(), times);
      await host.start();
      return host;
    },
    (host) => host.stop(),
  );
