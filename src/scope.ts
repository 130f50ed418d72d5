import type { Client } from './db/database.ts';
import type { RequestMemory } from './db/memory-budget.ts';
import type { Language } from './model/labels.ts';
import type { Permission } from './security/permissions.ts';
import type { Principal } from './security/principal.ts';
import type { IndexState, RequestTurn, Services } from './services.ts';

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
  /** The console's page of a document of the first repository. */
  documentPage(id: string): string;
  /** The console's list of the tasks of its user. */
  readonly tasks: string;
  taskAction(repository: string, task: string, action: string): string;
  workflowGraph(repository: string, workflow: string): string;
  workflowModelGraph(repository: string, model: string): string;
}

/**
 * §9: the options of a request, from its headers and its connection. One that changes what a write does also belongs to
 * the request of an `Idempotency-Key` (`rest/request/idempotency.ts`).
 */
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

export interface SearchTurn extends RequestTurn {
  /** Of a request that writes nothing: the wait for the search index, which its first search began. */
  caughtUp?: Promise<IndexState> | undefined;
  /** The most milliseconds by which the index was behind. */
  delay: number;
}

/** The services of a request: it reaches the database by its own client only, which is its transaction. */
type RequestServices = Omit<Services, 'database'>;

/** What a function takes that uses some of the services of a request, such as `Using<'model' | 'blobs'>`. */
export interface Using<Name extends keyof RequestServices> {
  readonly services: Pick<RequestServices, Name>;
}

/** What reading and checking the values of properties may use; an import has it without a request. */
export interface ValueScope
  extends Pick<Scope, 'db' | 'user' | 'usedUploads'>,
    Using<'model' | 'blobs' | 'secrets'> {
  readonly options: Pick<RequestOptions, 'repository' | 'language'> & {
    readonly links: Pick<Links, 'readBlob'>;
  };
}

/** What writing users and groups may use; the command line has it without a request. */
export type AuthorityScope = ValueScope &
  Using<'config'> & { readonly options: Pick<RequestOptions, 'comment'> };

/** What reads and writes may use: made for each request, or for each attempt of its transaction. */
export interface Scope {
  readonly services: RequestServices;
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
