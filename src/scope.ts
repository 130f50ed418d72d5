import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { ConverterParameters, FileFacts, Purpose } from './converters/converter.ts';
import type { Way } from './converters/index.ts';
import type { Tools } from './converters/programs/programs.ts';
import type { Client } from './db/database.ts';
import type { RequestMemory } from './db/memory-budget.ts';
import type { AppError } from './errors.ts';
import type { Language } from './model/labels.ts';
import type { Model } from './model/model.ts';
import type { MarkdownType } from './model/notes.ts';
import type { StoredBlob } from './model/values/stored.ts';
import type { Secrets } from './secrets.ts';
import type { LoginAttempts } from './security/login-attempts.ts';
import type { Permission } from './security/permissions.ts';
import type { Principal } from './security/principal.ts';

/** A blob of a document, as a client names it. */
export interface BlobReference {
  /** That of the request when it is not named. */
  readonly repository: string | undefined;
  readonly id: string;
  readonly xpath: string;
}

/** The addresses of things in the interface that the request came through. */
export interface Links {
  document(document: { readonly repository: string; readonly id: string }): string;
  /** @param changeToken makes caches load the bytes again once the document has changed. */
  blob(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  rendition(document: Parameters<Links['document']>[0], name: string, changeToken?: string): string;
  preview(document: Parameters<Links['document']>[0], changeToken: string): string;
  /** The address of a file as one of another media type. */
  conversion(
    document: Parameters<Links['document']>[0],
    xpath: string,
    type: string,
    changeToken: string,
  ): string;
  blobPreview(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  icon(name: string): string;
  /** Reads what `blob` writes; undefined for any other text. */
  readBlob(address: string): BlobReference | undefined;
  authority(kind: 'user' | 'group', id: string): string;
  schema(name: string): string;
  bulkResult(command: string): string;
  /** Where a conversion is asked for: how far it is, and what it has made. */
  scheduled(conversion: string, what: 'poll' | 'result'): string;
  invitation(token: string): string;
  /** The console's list of the tasks of its user. */
  readonly tasks: string;
  taskAction(repository: string, task: string, action: string): string;
  workflowGraph(repository: string, workflow: string): string;
  workflowModelGraph(repository: string, model: string): string;
}

/** §9: the options of a request, from its headers and its connection. */
export interface RequestOptions {
  readonly repository: string;
  readonly versioning: 'NONE' | 'MINOR' | 'MAJOR' | undefined;
  readonly source: string | undefined;
  readonly comment: string | undefined;
  /** Whether searches must find the writes of this call at once. */
  readonly searchSync: boolean;
  readonly skipAggregates: boolean;
  /** Seconds that the transaction may last; the configured time when absent. */
  readonly timeout: number | undefined;
  /** Whether uploads remain after the call has used them. */
  readonly keepsUploads: boolean;
  /** Whether unknown names are refused, not ignored: `Prefer: handling=strict`. */
  readonly isStrict: boolean;
  readonly links: Links;
  readonly address: string;
  readonly language: Language;
}

export interface LocalExecution {
  readonly id: string;
  readonly userId: string;
  readonly repository: string;
  readonly operation: string;
}

export interface LocalExecutions {
  /** Not one that has been aborted. */
  find(id: string): LocalExecution | undefined;
  /** Makes the next statement of one fail with the reason. */
  abort(id: string, reason: AppError): void;
}

/** What an execution is to do (§4.7), and the digests of the blobs that it needs. */
export interface DeferredRequest {
  /** JSON without credentials. */
  readonly call: unknown;
  readonly digests: readonly string[];
}

/** A write that is done once, however often it is sent (§9 `Idempotency-Key`). */
export interface IdempotentRequest {
  readonly key: string;
  /** Everything about the request that counts, as text. */
  readonly request: string;
}

/** A call that runs and is undone, so that it can be explained (§9 `Prefer: explain`). */
export interface Trial {
  /** Hears of each permission that is asked for on a document that has an id. */
  onCheck(id: string, permission: Permission): void;
}

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface AwaitedResponse {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Whether searches find what is committed, and by how many milliseconds they are behind if not. */
export type IndexState = { readonly isCaughtUp: boolean; readonly behind: number };

/** What a request waits with for its turn. */
export interface RequestTurn {
  readonly user: string;
  /** When the request has to be answered, by `performance.now()`. */
  readonly deadline: number;
  /** Whether it holds a connection while it waits too, as transactions do that search. */
  readonly isConnected: boolean;
  readonly isWrite: boolean;
  /** A subscription, which may last as long, counts as an execution. */
  readonly origin: 'request' | 'execution' | 'server';
  readonly signal: AbortSignal | undefined;
  /** Absent once the request has been answered. */
  response: AwaitedResponse | undefined;
}

export interface SearchTurn extends RequestTurn {
  /** Of a request that writes nothing: the wait for the search index, which its first search began. */
  caughtUp?: Promise<IndexState> | undefined;
  /** The most milliseconds by which the index was behind. */
  delay: number;
}

export interface Turns {
  /** @throws Unavailable when too many others wait, and when it has waited for too long. */
  take<T>(turn: RequestTurn, work: () => Promise<T>): Promise<T>;
}

export interface LongWait {
  /** By `performance.now()`. */
  readonly end: number;
  readonly isOver: () => boolean;
}

/** The rows that searches read, which are written after the answer to a write. */
export interface SearchIndex {
  /**
   * Waits until searches find what is committed, unless that takes too long. It does not on a replica, where
   * they find what their caller has written.
   * @param user does not wait for large documents that others have written; absent: everything is waited for.
   */
  catchUp(db: Pick<Client, 'query' | 'replica'>, user?: string): Promise<IndexState>;
  /** The same with the words of files, whose jobs `jobsOfOwnFiles` finds; it may wait longer for them. */
  catchUpWithFiles(
    db: Pick<Client, 'query'>,
    own: { readonly user: string; readonly jobs: readonly string[] },
  ): Promise<IndexState>;
  /** Waits until searches find what is committed, with the words of all files. @returns whether they do. */
  findsAll(db: Pick<Client, 'query'>, wait: LongWait): Promise<boolean>;
  /** Runs a search of a transaction, with what that has written, and once others are waited for, theirs. */
  withinTransaction<T>(
    db: Pick<Client, 'query' | 'aside'>,
    search: (query: Client['query']) => Promise<T>,
    caller: { readonly user: string; readonly isWaiting: boolean },
  ): Promise<{ readonly found: T; readonly state: IndexState }>;
  changed(): void;
}

export type ConvertedFile = Pick<StoredBlob, 'digest' | 'mimeType'>;

/** What a conversion depends on beside its file. */
export interface ConversionDetails {
  /** Files that follow the first one. */
  readonly others?: readonly ConvertedFile[];
  /** Of the converter, as it reads them. */
  readonly parameters?: ConverterParameters;
}

export type KeptFile = StoredBlob & {
  /** Of the views of pictures, of films and of sounds. */
  readonly facts?: FileFacts;
};

/** Files that are made of other files, once for equal bytes. */
export interface KeptConversions {
  /** What there is to convert with beside the converters themselves. */
  readonly tools: Tools;
  /**
   * @returns null for a file of which this cannot be made.
   * @throws Invalid for parameters that do not suit the file; Unavailable when too many wait to be converted.
   */
  of(
    db: Pick<Client, 'query' | 'replica'>,
    makes: Purpose,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<KeptFile | null>;
  /** The same by one of the ways, of which there may be several. */
  along(
    db: Pick<Client, 'query' | 'replica'>,
    way: Way,
    source: ConvertedFile,
    details?: ConversionDetails,
  ): Promise<KeptFile | null>;
}

/** What files are fetched from other servers. */
export interface DownloadSettings {
  /** How their addresses begin (BLOB_URLS). */
  readonly urls: readonly string[];
  /** Networks that they may be in although they are not public (WEBHOOK_PRIVATE_ADDRESSES). */
  readonly networks: readonly string[];
  /** Bytes of a file at most (UPLOAD_LIMIT). */
  readonly limit: number;
}

/** Whether mails are sent (SMTP_URL), and how many recipients those of a user may have in an hour. */
export interface MailSettings {
  readonly isSent: boolean;
  readonly limit: number;
}

/** What reading and checking the values of properties may use; an import has it without a request. */
export interface ValueScope
  extends Pick<Scope, 'db' | 'model' | 'blobs' | 'secrets' | 'user' | 'usedUploads'> {
  readonly options: Pick<RequestOptions, 'repository' | 'language'> & {
    readonly links: Pick<Links, 'readBlob'>;
  };
}

/** What writing users and groups may use; the command line has it without a request. */
export interface AuthorityScope extends ValueScope {
  readonly adminUsername: string;
  readonly options: ValueScope['options'] & Pick<RequestOptions, 'comment'>;
}

/** What the server did in a minute, as `/metrics` counts it. */
export interface MetricSample {
  /** The end of the minute. */
  readonly at: Date;
  readonly requests: number;
  /** Requests that ended with a status of 500 or more. */
  readonly failures: number;
  /** Requests that were refused because of the load. */
  readonly refused: number;
  /** Of a request; 0 without any. */
  readonly meanMilliseconds: number;
  readonly cpuSeconds: number;
  /** In use at the end. */
  readonly memoryBytes: number;
  /** By which timers were late, of 99 in 100. */
  readonly lagMilliseconds: number;
  readonly waitingJobs: number;
  /** Set aside. */
  readonly failedJobs: number;
}

/** What all calls of an application share. */
export interface SharedScope {
  readonly model: Model;
  readonly blobs: BlobStore;
  readonly conversions: KeptConversions;
  readonly secrets: Secrets;
  /** Recent log-ins that failed. */
  readonly attempts: LoginAttempts;
  readonly executing: LocalExecutions;
  readonly log: Log;
  /** The user who is an administrator whatever the groups (ADMIN_USERNAME). */
  readonly adminUsername: string;
  /** Most bytes of all upload batches of a user (UPLOAD_QUOTA). */
  readonly uploadQuota: number;
  /** The media type that notes made of Markdown files get. */
  readonly markdownType: MarkdownType;
  readonly mail: MailSettings;
  readonly downloads: DownloadSettings;
  /** Hits up to which searches count (SEARCH_COUNT_LIMIT). */
  readonly searchCountLimit: number;
  /** Bytes of the longest answer (ANSWER_LIMIT). */
  readonly answerLimit: number;
  readonly repositories: readonly string[];
  /** The version that clients see (PRODUCT_VERSION). */
  readonly productVersion: string;
  /** Of the last hour, the oldest first. */
  readonly metricSamples: () => readonly MetricSample[];
  readonly searchIndex: SearchIndex;
  readonly searchTurns: Turns;
  readonly archiveTurns: Turns;
}

/** What reads and writes may use: made for each request, or for each attempt of its transaction. */
export interface Scope extends SharedScope {
  readonly db: Client;
  readonly user: Principal;
  readonly options: RequestOptions;
  /** Ids of the upload batches that the call has used: they are deleted with it. */
  readonly usedUploads: Set<string>;
  /** What an execution that the call begins is to do. */
  readonly deferred: DeferredRequest | undefined;
  /** Present where what the call does is undone: nothing that cannot be undone may be done then. */
  readonly trial: Trial | undefined;
  readonly searchTurn: SearchTurn;
  /** Counts the rows that the call reads, unless it is the server's own. */
  readonly memory?: RequestMemory | undefined;
}
