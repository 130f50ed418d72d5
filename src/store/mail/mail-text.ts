import type { Secrets } from '../../secrets.ts';

const purpose = 'text of a mail';

export const sealMailText = (secrets: Pick<Secrets, 'seal'>, text: string): string =>
  secrets.seal(purpose, text);

/** Undefined when TOKEN_KEY is another one than at its writing. */
export const openMailText = (secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined =>
  secrets.open(purpose, sealed);
