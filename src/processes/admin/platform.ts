import { childEnvironment, secretIfThere } from '@lettermill/local';
import { loadConfig, releaseOf } from '../../platform/config';
import type { Config } from '../../platform/config';
import { AppError } from '../../platform/core';
import { Secrets } from '../../platform/secrets';
import type { Platform } from './command';

/** Returns what commands have to know of the platform that they work on. Its secret is the one that is given, else the one that DATA_DIR has. */
export const platformOf = (config: Config, say: Platform['say']): Platform => ({
  say,
  release: releaseOf(config),
  config,
  publicUrl: config.PUBLIC_URL,
  secrets: () => new Secrets(config.APP_SECRET ?? keptSecrets(config)),
});

function keptSecrets({ DATA_DIR }: Config): readonly string[] {
  const kept = secretIfThere(DATA_DIR);
  const secrets = kept === null ? undefined : loadConfig(childEnvironment({}, { APP_SECRET: kept })).APP_SECRET;
  if (secrets === undefined)
    throw new AppError('validation_error', `Set APP_SECRET to the secret that the platform uses: ${DATA_DIR} has none`);
  return secrets;
}
