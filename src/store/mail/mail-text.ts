import type { Secrets } from '../../secrets.ts';

const purpose = 'text of a mail';

/** Encrypts the text of an email. */
export const sealMailText = (secrets: Pick<Secrets, 'seal'>, text: string): string =>
  secrets.seal(purpose, text);

/** Decrypts the text of an email; returns undefined if TOKEN_KEY has changed since it was encrypted. */
export const openMailText = (secrets: Pick<Secrets, 'open'>, sealed: string): string | undefined =>
  secrets.open(purpose, sealed);
