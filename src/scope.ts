import type { Client } from './db/database.ts';
import type { RequestMemory } from './db/memory-budget.ts';
import type { ExtensionContext } from './extension.ts';
import type { LoadedExtension } from './extensions/loaded.ts';
import type { Language } from './model/labels.ts';
import type { Permission } from './security/permissions.ts';
import type { Principal } from './security/principal.ts';
import type { IndexState, RequestTurn, Services } from './services.ts';

/** A reference to a blob of a document, parsed from a URL. */
export interface BlobReference {
  /** The repository in the URL; if the URL contains none, the repository of the request applies. */
  readonly repository: string | undefined;
  readonly id: string;
  readonly xpath: string;
}

/** Builds URLs of resources. They point to the API that the client used for the request. */
export interface Links {
  document(document: { readonly repository: string; readonly id: string }): string;
  /**
   * @param changeToken becomes part of the URL, so that caches fetch the file again after the document has changed
   */
  blob(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  rendition(document: Parameters<Links['document']>[0], name: string, changeToken?: string): string;
  preview(document: Parameters<Links['document']>[0], changeToken: string): string;
  /** Returns the URL of a file after conversion to another media type. */
  conversion(
    document: Parameters<Links['document']>[0],
    xpath: string,
    type: string,
    changeToken: string,
  ): string;
  blobPreview(document: Parameters<Links['document']>[0], xpath: string, changeToken: string): string;
  icon(name: string): string;
  /** Parses a URL that `blob` has created. Returns undefined for any other text. */
  readBlob(address: string): BlobReference | undefined;
  authority(kind: 'user' | 'group', id: string): string;
  schema(name: string): string;
  bulkResult(command: string): string;
  /** Returns the URL of a conversion's progress (`poll`) or of its result. */
  scheduled(conversion: string, what: 'poll' | 'result'): string;
  invitation(token: string): string;
  /**
   * Returns the URL of the page that opens a sharing link with a token, or on which a guest with an email address
   * signs in.
   */
  share(token?: string): string;
  /** Returns the URL of the console's page for a document in the first repository. */
  documentPage(id: string): string;
  /** The URL of the console's task list. */
  readonly tasks: string;
  taskAction(repository: string, task: string, action: string): string;
  workflowGraph(repository: string, workflow: string): string;
  workflowModelGraph(repository: string, model: string): string;
}

/**
 * The options of a request (§9), which come from its headers and its connection. An option that changes the effect of a
 * write must also be part of the string that identifies a request with an `Idempotency-Key`
 * (`rest/request/idempotency.ts`).
 */
export interface RequestOptions {
  readonly repository: string;
  readonly versioning: 'NONE' | 'MINOR' | 'MAJOR' | undefined;
  readonly source: string | undefined;
  readonly comment: string | undefined;
  /** Whether searches must find the writes of this request as soon as its response has been sent. */
  readonly searchSync: boolean;
  readonly skipAggregates: boolean;
  /** The timeout of the transaction in seconds; undefined for the default timeout. */
  readonly timeout: number | undefined;
  /** Whether upload batches remain available after the request that used them. */
  readonly keepsUploads: boolean;
  /** Whether unknown names are rejected instead of ignored (`Prefer: handling=strict`). */
  readonly isStrict: boolean;
  readonly links: Links;
  readonly address: string;
  /**
   * The number of addresses in the header `X-Forwarded-For`: each proxy adds one. Undefined except for requests to
   * `/graphql`.
   */
  readonly forwarded?: number;
  readonly language: Language;
}

/** A request that an asynchronous execution will run (§4.7), and the digests of the blobs that it needs. */
export interface DeferredRequest {
  /** The request as JSON, without credentials. */
  readonly call: unknown;
  readonly digests: readonly string[];
}

/** A write that takes effect only once, even if the client sends it several times (§9 `Idempotency-Key`). */
export interface IdempotentRequest {
  readonly key: string;
  /** Identifies the request. It includes everything that changes the effect or the response. */
  readonly request: string;
}

/**
 * Marks a request that is rolled back after it has run, so that its permission checks can be explained (§9 `Prefer:
 * explain`).
 */
export interface Trial {
  /** Called for each permission check on a stored document. */
  onCheck(id: string, permission: Permission): void;
}

export interface SearchTurn extends RequestTurn {
  /** Resolves when the search index is up to date. Set by the first search of a request that does not write. */
  caughtUp?: Promise<IndexState> | undefined;
  /** The longest delay of the search index that a search of this request has seen, in milliseconds. */
  delay: number;
}

/**
 * The services that a request can use. The database is excluded: a request uses only its own database client, so
 * that its statements belong to its transaction.
 */
type RequestServices = Omit<Services, 'database'>;

/** The parameter of a function that uses only some services, such as `Using<'model' | 'blobs'>`. */
export interface Using<Name extends keyof RequestServices> {
  readonly services: Pick<RequestServices, Name>;
}

/**
 * The dependencies of code that reads and validates property values. An import is not part of a request and creates
 * them itself.
 */
export interface ValueScope
  extends Pick<Scope, 'db' | 'user' | 'usedUploads'>,
    Using<'model' | 'blobs' | 'secrets'> {
  readonly options: Pick<RequestOptions, 'repository' | 'language'> & {
    readonly links: Pick<Links, 'readBlob'>;
  };
}

/**
 * The dependencies of code that writes users and groups. The command line and sign-ins through identity providers
 * create them themselves, because they are not part of a request. They omit `identityProviders`, so that they can
 * change properties and memberships that come from a provider.
 */
export type AuthorityScope = ValueScope &
  Using<'config' | 'identityProviders'> & { readonly options: Pick<RequestOptions, 'comment'> };

/**
 * The dependencies of code that reads and writes. They are created for each request, or for each attempt of the
 * request's transaction.
 */
export interface Scope {
  readonly services: RequestServices;
  readonly db: Client;
  readonly user: Principal;
  readonly options: RequestOptions;
  /** The ids of the upload batches that the request has used. They are deleted when the request commits. */
  readonly usedUploads: Set<string>;
  /** The request that a new asynchronous execution will run. */
  readonly deferred: DeferredRequest | undefined;
  /** Present if the request will be rolled back. Code must then not do anything that cannot be rolled back. */
  readonly trial: Trial | undefined;
  readonly searchTurn: SearchTurn;
  /** Counts the memory of the rows that the request reads; absent for the server's own work. */
  readonly memory?: RequestMemory | undefined;
  /**
   * Creates the context that is passed to an extension's functions. It is absent in imports and other work that has no
   * GraphQL schema, because extensions do not run there.
   */
  readonly extensionContext?: ((scope: Scope, extension: LoadedExtension) => ExtensionContext) | undefined;
}
