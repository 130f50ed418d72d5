import type { Authentication } from '../auth/index.ts';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';

/** What giving access needs to know of the server. */
export interface OAuth2Services {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly authentication: Authentication;
  /** What stands before every address (CONTEXT_PATH). */
  readonly contextPath: string;
  /** PUBLIC_URL. */
  readonly publicUrl: string | undefined;
  /** Seconds that a transaction may last. */
  readonly transactionTimeout: number;
}

/** Where all of it is, after the application context. */
export const place = '/oauth2';
