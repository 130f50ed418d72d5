import { createHash } from 'node:crypto';

/** Names a token or code in the database, which does not store the token itself. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');
