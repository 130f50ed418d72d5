import { hash } from 'node:crypto';

/** The hash by which the database identifies a token or code. It does not store the token itself. */
export const tokenHash = (token: string): string => hash('sha256', token);
