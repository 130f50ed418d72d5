import type { Route } from './route.ts';
import { groups, users } from './routes/authorities.ts';
import { automation } from './routes/automation.ts';
import { config } from './routes/config.ts';
import { directories } from './routes/directories.ts';
import { documents } from './routes/documents.ts';
import { tokens } from './routes/tokens.ts';

/** The whole interface below /api/v1. Of two rows that match an address, the first counts. */
export const routes: readonly Route[] = [
  ...documents,
  ...users,
  ...groups,
  ...directories,
  ...config,
  ...tokens,
  ...automation,
];
