import { hash } from 'node:crypto';

/** The hash by which the database identifies a token or code. The token itself is not stored. */
export const tokenHash = (token: string): string => hash('sha256', token);
