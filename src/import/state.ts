import type { BlobStore } from '../blobs/blob-store.ts';
import type { Session } from '../db/database.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './drafts.ts';
import type { PendingFolder } from './entries.ts';

export interface ImportScope {
  readonly database: Session;
  readonly blobs: BlobStore;
  readonly model: Model;
  readonly repository: string;
  readonly user: string;
  readonly timeoutSeconds: number;
  /** The folder of the blob store, which is not imported when it is inside the imported folder. */
  readonly dataFolder: string;
}

export interface ImportCounts {
  readonly created: Record<Draft['type'], number>;
  kept: number;
  skipped: number;
  bytes: number;
}

export const createdIn = ({ created }: ImportCounts): number => created.Folder + created.File + created.Note;

export interface ImportState {
  readonly scope: ImportScope;
  readonly counts: ImportCounts;
  readonly skip: (path: string, reason: string) => void;
  readonly progress: () => void;
  /** Folders that are still to be read, the next one last: depth first keeps the list short. */
  readonly pending: PendingFolder[];
}
