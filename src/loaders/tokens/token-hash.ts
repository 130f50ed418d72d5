import { hash } from 'node:crypto';

/** Names a token or code in the database, which does not store the token itself. */
export const tokenHash = (token: string): string => hash('sha256', token);
