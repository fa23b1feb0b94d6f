import type { DomainIdentity, PlatformNames } from '../../../src/rules/domains/records';

export const IDENTITY: DomainIdentity = {
  domain: 'example.com',
  selector: 'lm0a1b2c3d',
  verificationToken: '0123456789abcdefghjkmnpqrstvwxyz',
  dkimPublicKey: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA/+==',
};

export const NAMES: PlatformNames = {
  SPF_INCLUDE: '_spf.lettermill.test',
  TRACKING_HOST: 'track.lettermill.test',
  MX_HOST: 'mx.lettermill.test',
};
