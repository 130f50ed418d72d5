import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import type { Context } from '../loaders/context.ts';
import type { Model } from '../model/model.ts';
import type { KeptConversions, Log, SearchIndex } from '../scope.ts';
import type { Secrets } from '../secrets.ts';
import type { Principal } from '../security/principal.ts';
import type { RunningExecutions } from '../store/executions/running-executions.ts';

export interface JobServices {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly conversions: KeptConversions;
  readonly searchIndex: Pick<SearchIndex, 'changed'>;
  readonly model: Model;
  readonly secrets: Pick<Secrets, 'open'>;
  /** Days after which log entries are deleted (AUDIT_DAYS); never when undefined. */
  readonly auditDays?: number | undefined;
  /** SMTP_URL, without which no mail is sent, and MAIL_FROM. */
  readonly mail?: { readonly url: string | undefined; readonly from: string };
  /** Networks that webhooks may be in although they are not public (WEBHOOK_PRIVATE_ADDRESSES). */
  readonly webhookNetworks?: readonly string[];
  readonly onRefused?: (mail: string, recipients: number) => void;
}

/** Runs work as a user in a repository: in one transaction, or in none when it is a query. */
type RunAs = (
  user: Principal,
  repository: string,
) => <T>(kind: 'mutation' | 'query', work: (context: Context) => Promise<T>) => Promise<T>;

/** What jobs need that work with the rights of a caller. */
export interface CallersServices {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly searchIndex: Pick<SearchIndex, 'catchUp'>;
  readonly executing: RunningExecutions;
  /** Executions that the process runs at a time. */
  readonly executionsAtOnce: number;
  readonly runAs: RunAs;
  /** Runs what an execution deferred, with its end. */
  readonly runCall: (
    execution: { readonly id: string; readonly call: unknown },
    user: Principal,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly principalOf: (account: Pick<Principal, 'id' | 'groups'>) => Principal;
  readonly log: Log;
}
