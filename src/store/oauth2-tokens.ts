import { createHash } from 'node:crypto';
import type { OAuth2Token } from '../generated/prisma/client.ts';

/** Seconds that an access token counts. */
export const accessLifetime = 3_600;

/** How a code or token is found. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** When an access token ends, in milliseconds since 1970. */
export const endOfAccess = ({ createdAt }: Pick<OAuth2Token, 'createdAt'>): number =>
  createdAt.getTime() + accessLifetime * 1000;
