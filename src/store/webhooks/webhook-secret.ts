import type { Secrets } from '../../secrets.ts';

const purpose = 'secret of a webhook';

export const sealWebhookSecret = (secrets: Pick<Secrets, 'seal'>, secret: string): string =>
  secrets.seal(purpose, secret);

/** Undefined when TOKEN_KEY is another one than at its writing. */
export const openWebhookSecret = (secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined =>
  secrets.open(purpose, sealed);
