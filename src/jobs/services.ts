import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import type { Model } from '../model/model.ts';
import type { KeptConversions, SearchIndex } from '../scope.ts';
import type { Secrets } from '../secrets.ts';

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
