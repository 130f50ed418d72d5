import type { Client } from './db/database.ts';
import type { RequestMemory } from './db/memory-budget.ts';
import type { Language } from './model/labels.ts';
import type { Permission } from './security/permissions.ts';
import type { Principal } from './security/principal.ts';
import type { IndexState, RequestTurn, Services } from './services.ts';

/** A reference to a blob of a document, read from a URL. */
export interface BlobReference {
  /** Undefined if the URL names none; the repository of the request then applies. */
  readonly repository: string | undefined;
  readonly id: string;
  readonly xpath: string;
}

/** Builds the URLs of resources in the API through which the request came. */
export interface Links {
  document(document: { readonly repository: string; readonly id: string }): string;
  /**
   * @param changeToken becomes part of the URL, so that caches fetch the bytes again after the document has
   * changed.
   */
  blob(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  rendition(document: Parameters<Links['document']>[0], name: string, changeToken?: string): string;
  preview(document: Parameters<Links['document']>[0], changeToken: string): string;
  /** The URL of a file converted to another media type. */
  conversion(
    document: Parameters<Links['document']>[0],
    xpath: string,
    type: string,
    changeToken: string,
  ): string;
  blobPreview(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  icon(name: string): string;
  /** Parses a URL created by `blob`; undefined for any other text. */
  readBlob(address: string): BlobReference | undefined;
  authority(kind: 'user' | 'group', id: string): string;
  schema(name: string): string;
  bulkResult(command: string): string;
  /** The URL of a conversion's progress (`poll`) or of its result. */
  scheduled(conversion: string, what: 'poll' | 'result'): string;
  invitation(token: string): string;
  /** The console's page for a document of the first repository. */
  documentPage(id: string): string;
  /** The console's list of the user's tasks. */
  readonly tasks: string;
  taskAction(repository: string, task: string, action: string): string;
  workflowGraph(repository: string, workflow: string): string;
  workflowModelGraph(repository: string, model: string): string;
}

/**
 * §9: the options of a request, from its headers and its connection. An option that changes what a write does
 * must also identify the request of an `Idempotency-Key` (`rest/request/idempotency.ts`).
 */
export interface RequestOptions {
  readonly repository: string;
  readonly versioning: 'NONE' | 'MINOR' | 'MAJOR' | undefined;
  readonly source: string | undefined;
  readonly comment: string | undefined;
  /** Whether searches must find the writes of this call as soon as it is answered. */
  readonly searchSync: boolean;
  readonly skipAggregates: boolean;
  /** The timeout of the transaction in seconds; undefined for the configured one. */
  readonly timeout: number | undefined;
  /** Whether upload batches remain after the call that used them. */
  readonly keepsUploads: boolean;
  /** Whether unknown names are refused instead of ignored (`Prefer: handling=strict`). */
  readonly isStrict: boolean;
  readonly links: Links;
  readonly address: string;
  readonly language: Language;
}

/** A call that an execution will run (§4.7), and the digests of the blobs that it needs. */
export interface DeferredRequest {
  /** The call as JSON, without credentials. */
  readonly call: unknown;
  readonly digests: readonly string[];
}

/** A write that takes effect only once, even if it is sent several times (§9 `Idempotency-Key`). */
export interface IdempotentRequest {
  readonly key: string;
  /** Identifies the request: everything in it that changes its effect or its response. */
  readonly request: string;
}

/** Marks a call that is rolled back after it has run, so that it can be explained (§9 `Prefer: explain`). */
export interface Trial {
  /** Called for each permission check on a stored document. */
  onCheck(id: string, permission: Permission): void;
}

export interface SearchTurn extends RequestTurn {
  /** In a request that writes nothing, the wait for the search index, started by its first search. */
  caughtUp?: Promise<IndexState> | undefined;
  /** The longest delay of the index that a search of the request has met, in milliseconds. */
  delay: number;
}

/**
 * The services that a request can use. It reaches the database only through its own client, so that its
 * statements belong to its transaction.
 */
type RequestServices = Omit<Services, 'database'>;

/** The argument of a function that uses only some services, such as `Using<'model' | 'blobs'>`. */
export interface Using<Name extends keyof RequestServices> {
  readonly services: Pick<RequestServices, Name>;
}

/** The dependencies for reading and validating property values. An import provides them without a request. */
export interface ValueScope
  extends Pick<Scope, 'db' | 'user' | 'usedUploads'>,
    Using<'model' | 'blobs' | 'secrets'> {
  readonly options: Pick<RequestOptions, 'repository' | 'language'> & {
    readonly links: Pick<Links, 'readBlob'>;
  };
}

/** The dependencies for writing users and groups. The command line provides them without a request. */
export type AuthorityScope = ValueScope &
  Using<'config'> & { readonly options: Pick<RequestOptions, 'comment'> };

/** The dependencies of reads and writes, created for each request or for each attempt of its transaction. */
export interface Scope {
  readonly services: RequestServices;
  readonly db: Client;
  readonly user: Principal;
  readonly options: RequestOptions;
  /** The ids of the upload batches that the call has used. They are deleted when it commits. */
  readonly usedUploads: Set<string>;
  /** The call that a new execution will run. */
  readonly deferred: DeferredRequest | undefined;
  /**
   * Present if the call is rolled back afterwards. Code must then not do anything that cannot be rolled back.
   */
  readonly trial: Trial | undefined;
  readonly searchTurn: SearchTurn;
  /** Counts the memory of the rows that the call reads; absent for work of the server itself. */
  readonly memory?: RequestMemory | undefined;
}
