import type { Secrets } from '../../secrets.ts';

const purpose = 'secret of a webhook';

/** Encrypts the secret of a webhook. */
export const sealWebhookSecret = (secrets: Pick<Secrets, 'seal'>, secret: string): string =>
  secrets.seal(purpose, secret);

/** Decrypts the secret of a webhook; returns undefined if TOKEN_KEY has changed since it was encrypted. */
export const openWebhookSecret = (secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined =>
  secrets.open(purpose, sealed);
