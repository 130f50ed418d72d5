import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Client } from './db/database.ts';
import type { Language } from './model/labels.ts';
import type { Model } from './model/model.ts';
import type { Secrets } from './secrets.ts';
import type { Attempts } from './security/attempts.ts';
import type { Executing } from './store/executing.ts';

/** Who is calling. */
export interface Principal {
  readonly id: string;
  /** Of all groups that the user is in, directly or through other groups. */
  readonly groups: readonly string[];
  readonly isAdministrator: boolean;
}

/** The group whose members may do everything. */
export const administrators = 'administrators';

/**
 * Makes a principal of a user's name and groups.
 * @param chief the user who is an administrator whatever his groups (ADMIN_USERNAME).
 */
export const principals =
  (chief: string) =>
  ({ id, groups }: Pick<Principal, 'id' | 'groups'>): Principal => ({
    id,
    groups,
    isAdministrator: id === chief || groups.includes(administrators),
  });

/** The principal of somebody who acts for the server itself. */
export const administrator = (id: string): Principal => ({
  id,
  groups: [administrators],
  isAdministrator: true,
});

/** What a request asks of the server besides its address and body (§9). */
export interface RequestOptions {
  readonly repository: string;
  readonly versioning: 'NONE' | 'MINOR' | 'MAJOR';
  /** Free text that automatic versioning policies look at. */
  readonly source: string | undefined;
  /** What the caller says of a write, for the audit. */
  readonly comment: string | undefined;
  /** Whether search must already find what this call writes. */
  readonly searchSync: boolean;
  /** Whether a search leaves out its aggregates. */
  readonly skipAggregates: boolean;
  /** Seconds the call's transaction may last; the configured time when absent. */
  readonly timeout: number | undefined;
  /** Whether uploads are kept after the call has used them. */
  readonly keepsUploads: boolean;
  /** Where clients find `/api/v1` of this server, without a slash at the end: links in answers begin with it. */
  readonly baseUrl: string;
  /** Where the call comes from: wrong passwords are counted against it. */
  readonly address: string;
  /** Of labels. */
  readonly language: Language;
}

/** Where lines for whoever runs the server go. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** What reads and writes may reach: made once per request, once more for its transaction. */
export interface Scope {
  readonly db: Client;
  readonly model: Model;
  readonly blobs: BlobStore;
  readonly secrets: Secrets;
  /** Wrong passwords of late. */
  readonly attempts: Attempts;
  readonly user: Principal;
  /** What is executed asynchronously in this process. */
  readonly executing: Pick<Executing, 'find' | 'abort'>;
  /** The log of the server. */
  readonly log: Log;
  /** The user who is an administrator whatever his groups (ADMIN_USERNAME). */
  readonly chief: string;
  readonly options: RequestOptions;
  /** Ids of the batches of uploads that the call has used: they end with it. */
  readonly usedUploads: Set<string>;
}
