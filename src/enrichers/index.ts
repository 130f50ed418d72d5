import { userprofile } from './userprofile.ts';

/** §9: every enricher, by entity type in lower case. */
export const enrichers = {
  user: [userprofile],
} as const;
