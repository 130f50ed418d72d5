import type { BlobStore } from '../blobs/blob-store.ts';
import type { Session } from '../db/database.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './drafts.ts';
import type { Folder } from './entries.ts';

/** What an import works on. */
export interface ImportScope {
  readonly database: Session;
  readonly blobs: BlobStore;
  readonly model: Model;
  readonly repository: string;
  /** The creator of the documents. */
  readonly user: string;
  /** How long a batch's transaction may last. */
  readonly seconds: number;
  /** Where the import itself writes; left alone when it is met. */
  readonly dataFolder: string;
}

/** What an import has done so far. */
export interface ImportCounts {
  readonly created: Record<Draft['type'], number>;
  /** Documents that were there already. */
  kept: number;
  skipped: number;
  /** Of the files imported. */
  bytes: number;
}

/** Documents that an import created. */
export const createdIn = ({ created }: ImportCounts): number => created.Folder + created.File + created.Note;

/** An import on its way. */
export interface State {
  readonly scope: ImportScope;
  readonly counts: ImportCounts;
  readonly skip: (path: string, reason: string) => void;
  readonly progress: () => void;
  /** Folders still to be read, the next one last: depth first keeps the list short. */
  readonly pending: Folder[];
}
