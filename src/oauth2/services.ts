import type { Authentication } from '../auth/index.ts';
import type { Database } from '../db/database.ts';
import type { Secrets } from '../secrets.ts';

export interface OAuth2Services {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly authentication: Authentication;
  readonly contextPath: string;
  readonly publicUrl: string | undefined;
  readonly transactionTimeout: number;
}
