/**
 * The interface for extensions, which are JavaScript modules named in EXTENSIONS that add code to the server. This file
 * imports only types from Node.js, so extensions do not depend on the server's internals. docs/extensions.md explains
 * the interface.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Data that can be represented as JSON. */
export type JsonData =
  | null
  | boolean
  | number
  | string
  | readonly JsonData[]
  | { readonly [name: string]: JsonData | undefined };

/** A document as an extension sees it. */
export interface ExtensionDocument {
  readonly id: string;
  /** Null for the root. */
  readonly parentId: string | null;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly title: string;
  /** The life cycle state, such as `project`. */
  readonly state: string;
  readonly isVersion: boolean;
  readonly isTrashed: boolean;
  /**
   * The properties by xpath, such as `dc:title`. Dates are ISO 8601 strings; a blob is an object with `digest`, `name`,
   * `mimeType` and `length`. Properties without a value are omitted.
   */
  readonly properties: Readonly<Record<string, JsonData | undefined>>;
}

export interface ExtensionLog {
  info(data: Readonly<Record<string, unknown>>, message: string): void;
  warn(data: Readonly<Record<string, unknown>>, message: string): void;
  error(data: Readonly<Record<string, unknown>>, message: string): void;
}

/**
 * The features that are available to a function of an extension. The context is valid until the function ends.
 */
export interface ExtensionContext {
  /** The user on whose behalf the function runs, and whose permissions apply to everything that it does. */
  readonly user: {
    readonly id: string;
    readonly groups: readonly string[];
    readonly isAdministrator: boolean;
  };
  /**
   * The name of the program that sent the request: the OAuth 2.0 client, or the application of a login token. It is
   * null for requests that authenticate in another way, and for work without a request.
   */
  readonly application: string | null;
  readonly repository: string;
  /** The values of the settings that the extension declares. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly log: ExtensionLog;
  /**
   * Executes a GraphQL operation of the server's schema (docs/graphql.md) as the user. In a function that can write,
   * the operation runs in that function's transaction.
   * @returns the `data` of the response, with the type that the caller specifies
   * @throws Error with the message of the first error in the response
   */
  graphql<Data = Record<string, unknown>>(
    operation: string,
    variables?: Readonly<Record<string, unknown>>,
  ): Promise<Data>;
  /**
   * Runs an SQL statement on the extension's tables, in the transaction or snapshot of the current call. The server's
   * own tables can change with each release, so use `graphql` for them. A function that cannot write can run only
   * SELECT statements.
   * @param values the values of `$1`, `$2` and so on
   * @returns the rows, as the npm package `pg` returns them
   */
  sql<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Takes the next number from one of the extension's sequences, each of which begins with 1. If the transaction is
   * rolled back, the number will be used again, so the sequence has no gaps. Transactions that take numbers from the
   * same sequence wait for each other. This method can be called only in functions that can write.
   * @param name up to 200 characters, such as `invoices-2026`
   */
  nextNumber(name: string): Promise<number>;
  /**
   * Reads a part of the text of a document's file. The text is that which searches find: of a PDF, an office document,
   * an email and so on. It ends after a million characters.
   * @param document the id of the document, which the user must be able to read
   * @returns null if the document has no file, or the server cannot read text from it
   * @throws Error if the document does not exist or the user cannot read it
   */
  readText(document: string, part?: TextPart): Promise<DocumentText | null>;
  /**
   * Writes an entry to the audit log, in the name of the user and with the extension's name as its category. This method
   * can be called only in functions that can write.
   */
  record(entry: ExtensionLogEntry): Promise<void>;
}

/** A part of the text of a file. */
export interface TextPart {
  /** The location of the file, such as `files:files/0/file`; the main file by default. */
  readonly xpath?: string;
  /** The number of characters to skip; 0 by default. */
  readonly start?: number;
  /** The maximum number of characters, at most 100,000; 20,000 by default. */
  readonly length?: number;
}

export interface DocumentText {
  readonly text: string;
  readonly start: number;
  /** The number of characters of the whole text. */
  readonly total: number;
  /** The name and the media type of the file. */
  readonly name: string;
  readonly mimeType: string;
}

/** An entry that an extension writes to the audit log. */
export interface ExtensionLogEntry {
  /** The event, such as `invoicePrinted`. Events of the server itself are refused. */
  readonly event: string;
  /** At most 2,000 characters. */
  readonly comment?: string;
  /** The id of the document that the entry concerns, which the user must be able to read. */
  readonly document?: string;
  /** Further data, at most 10,000 characters as JSON. */
  readonly details?: Readonly<Record<string, JsonData>>;
}

/**
 * Additional data for documents in responses, which clients request with the header `enrichers.document: NAME` (§4.9).
 */
export interface ContributedEnricher {
  /** The name in the header and in `contextParameters`; letters, digits and `_`. */
  readonly name: string;
  readonly description: string;
  /**
   * Computes the values for all documents of a page at once. Do not call `graphql` for each document: the number of SQL
   * statements must not grow with the size of the page.
   * @returns one value for each document, in the same order
   */
  values(documents: readonly ExtensionDocument[], context: ExtensionContext): Promise<readonly JsonData[]>;
}

/**
 * Replaces the values of a property in responses if the client sends the header `fetch.document: XPATH` (§10.1). For
 * example, it can replace the id of a customer with that customer's record from another system.
 */
export interface ContributedFetchProperty {
  /** The xpath of the property, such as `si:customer`. */
  readonly xpath: string;
  readonly description: string;
  /**
   * Computes the values for all documents of a page at once, as `ContributedEnricher.values` does.
   * @returns one value for each document, in the same order; null keeps the stored value
   */
  values(documents: readonly ExtensionDocument[], context: ExtensionContext): Promise<readonly JsonData[]>;
}

/**
 * A value that queries can compare, sort by and count, although documents do not store it (§6.2):
 * `SELECT * FROM SalesInvoice WHERE invoices:paid < 100`.
 */
export interface QueryProperty {
  /** The name in queries. It begins with the name of the extension, as in `invoices:paid`. */
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean' | 'date';
  /**
   * An SQL expression that yields one value for the document `d`, such as
   * `(SELECT sum(p.amount) FROM ext_invoices_payment p WHERE p.invoice = d.id)`. It can use the columns `d.id`,
   * `d.type` and `d.path`, and the extension's tables. It must yield dates as text, such as `2026-01-31T00:00:00.000Z`.
   */
  readonly sql: string;
}

/**
 * A condition with a value, which queries use by its name (§6.2): `SELECT * FROM SalesInvoice WHERE invoices:overdueBy =
 * 30`. `IN` finds documents that meet the condition with one of several values. A condition without a value is a
 * `QueryProperty` of the type `boolean`.
 */
export interface QueryPredicate {
  /** The name in queries. It begins with the name of the extension, as in `invoices:overdueBy`. */
  readonly name: string;
  /** The type of the value. */
  readonly type: 'string' | 'number' | 'boolean' | 'date';
  /**
   * An SQL condition on the document `d`, in which `$value` stands for the value, such as
   * `EXISTS (SELECT FROM ext_invoices_payment p WHERE p.invoice = d.id AND p.amount > $value)`. It can use the same
   * columns and tables as the expression of a `QueryProperty`. A date is text, such as `2026-01-31T00:00:00.000Z`.
   */
  readonly sql: string;
}

/** The parameters with which a client calls a page provider. */
export interface ProviderRequest {
  /** The named parameters, which are strings or lists of strings. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The positional parameters. The first one is the id of the document for which the page provider is called, if any. */
  readonly queryParams: readonly string[];
}

/** The query of a page provider. */
export interface ProviderQuery {
  /** NXQL, in which `:name` stands for a value. */
  readonly query: string;
  /** The values. They are never parsed as a part of the query, so they can come from the client. */
  readonly values?: Readonly<Record<string, JsonData>>;
}

/**
 * A page provider (§4.7) whose query is composed by a function for each request. A page provider with a fixed query
 * needs no code: it can be defined in a model file.
 */
export interface ContributedPageProvider {
  readonly name: string;
  readonly description: string;
  /** The other fields of a page provider in a model file: `aggregates`, `quickFilters`, `predicates`, `sort` and so on. */
  readonly options?: Readonly<Record<string, unknown>>;
  /**
   * Composes the query. The server compiles it to SQL, and adds the conditions of `options` and the permissions of the
   * user. To reject the request, for example because a parameter is missing, throw a `Refusal` with the status 400.
   */
  query(request: ProviderRequest, context: ExtensionContext): Promise<ProviderQuery>;
}

export interface ContributedParameter {
  readonly type: 'string' | 'boolean' | 'integer' | 'date' | 'list' | 'json';
  readonly description: string;
  readonly required?: boolean;
}

interface OperationWith<Input> {
  /** Two words separated by a dot, such as `Invoices.Approve`. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A mutation runs in a transaction and can write; a query cannot. */
  readonly kind: 'query' | 'mutation';
  /** With `document`, `run` returns the id or path of a document. */
  readonly output: 'none' | 'document' | 'json';
  /** The permission that the user needs on the input document; `Read` if absent. */
  readonly permission?: string;
  readonly parameters?: Readonly<Record<string, ContributedParameter>>;
  /**
   * The method and path of a REST resource that calls the operation, such as `GET /totals/:year`. The path is relative
   * to `/api/v1/ext/NAME`. The operation's parameters are read from the path and from the query string or, for POST and
   * PUT, from the JSON object in the body. If the operation takes a document, the path contains its id: `/check/:id`.
   */
  readonly resource?: string;
  run(
    context: ExtensionContext,
    input: Input,
    parameters: Readonly<Record<string, unknown>>,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is allowed
  ): Promise<JsonData | void>;
}

/** An operation without an input. */
interface OperationWithoutInput extends OperationWith<null> {
  readonly input: 'none';
}

/**
 * An operation that runs on a document that the user can read. If a client sends a list of documents, it runs on each of
 * them.
 */
interface OperationOnDocument extends OperationWith<ExtensionDocument> {
  readonly input: 'document';
}

/** An operation that clients call with `POST /api/v1/automation/ID` or in GraphQL (§4.7). */
export type ContributedOperation = OperationWithoutInput | OperationOnDocument;

/** A document that is about to be written. */
export interface PendingWrite {
  readonly kind: 'create' | 'update';
  /** The document with its new properties, which have passed the checks of the content model. */
  readonly document: ExtensionDocument;
  /** The document before the change; null for a new document. */
  readonly before: ExtensionDocument | null;
  /**
   * The xpaths of the properties that change. For a new document: the xpaths of all properties that are set.
   */
  readonly changed: readonly string[];
}

/** A function that runs before documents are written, in the same transaction. */
export interface BeforeListener {
  /** The document types to which the listener applies, including their subtypes; all types if absent. */
  readonly types?: readonly string[];
  /**
   * Checks a write or sets additional properties. To reject the write, throw a `Refusal`. The transaction is rolled
   * back if the function throws or takes more than two seconds.
   * @returns additional properties to set, by xpath; null clears a property
   */
  run(
    write: PendingWrite,
    context: ExtensionContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is allowed
  ): Promise<Readonly<Record<string, JsonData | undefined>> | void>;
}

/** An entry of the audit log (§2.6). */
export interface ExtensionEvent {
  /** The id of the event. It is the same each time the function is retried. */
  readonly id: string;
  /** The type of the event, such as `documentCreated`, `documentModified` or `documentRemoved`. */
  readonly type: string;
  /** The time of the event, in ISO 8601 format. */
  readonly date: string;
  readonly user: string;
  readonly comment: string | null;
  readonly document: {
    readonly id: string;
    readonly path: string;
    readonly type: string;
    readonly state: string | null;
  } | null;
  readonly details: Readonly<Record<string, JsonData>>;
}

/**
 * A function that runs at least once after an event has been committed. The events of a document are processed in
 * order. If the function throws, it is retried for up to a day. It runs with the permissions of an administrator, on
 * behalf of the user who caused the event.
 */
export interface AfterListener {
  /** The name, which must be unique within the extension. */
  readonly name: string;
  /** The event types to which the listener applies; all types if absent. */
  readonly events?: readonly string[];
  /** The document types to which the listener applies; all types if absent. */
  readonly types?: readonly string[];
  /** The path of a folder. If it is set, the listener applies only to events of documents in the folder. */
  readonly path?: string;
  run(event: ExtensionEvent, context: ExtensionContext): Promise<void>;
}

/**
 * A function that runs regularly in one of the server's processes, as the administrator named by ADMIN_USERNAME.
 */
export interface ScheduledJob {
  /** The name, which must be unique within the extension. */
  readonly name: string;
  /** The number of seconds between the end of a run and the beginning of the next one; at least 10. */
  readonly every: number;
  run(context: ExtensionContext): Promise<void>;
}

/**
 * Converts files for search, previews and renditions. It runs in the converter process, which has limited time and
 * memory, and cannot access settings, the database or other files.
 */
export interface ContributedConverter {
  /**
   * The name, which must be unique within the extension. If it is changed, files that this converter has already
   * converted are converted again.
   */
  readonly name: string;
  /** The media types that it converts. For these types, it takes precedence over the server's own converters. */
  readonly from: readonly string[];
  /**
   * The result of a conversion:
   * - `text`: the text that is indexed for full-text search
   * - `pdf`: a PDF for previews, from which the server also creates thumbnails and extracts text
   * - `html`: an HTML page for previews
   */
  readonly to: 'text' | 'pdf' | 'html';
  /** Converts a file of at most 100 MB. @throws Error that explains why the file cannot be converted */
  convert(bytes: Uint8Array, mimeType: string): Promise<string | Uint8Array>;
}

/** A command for administrators: `quire EXTENSION NAME ARGUMENT…`. */
export interface ContributedCommand {
  /** The name, which must be unique within the extension. */
  readonly name: string;
  readonly summary: string;
  /** The arguments, such as `<year> [month]`. Arguments in square brackets are optional. */
  readonly arguments?: string;
  /**
   * Runs the command in a transaction, as the administrator named by ADMIN_USERNAME. If it throws a `Refusal`, the
   * command prints the message and exits with code 1.
   * @returns the text to print, if any; with `--json`, it is printed as the property `result` of an object
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement is allowed
  run(args: readonly string[], context: ExtensionContext): Promise<string | void>;
}

/** Runs functions on behalf of the user who sent a request. */
export interface RequestWork {
  /** Runs a function that cannot write. */
  read<T>(work: (context: ExtensionContext) => Promise<T>): Promise<T>;
  /** Runs a function that can write, in a transaction. */
  write<T>(work: (context: ExtensionContext) => Promise<T>): Promise<T>;
}

/** Handles all HTTP requests whose path begins with `path`, for example to implement a protocol other than REST. */
export interface RequestHandler {
  /** The path relative to CONTEXT_PATH: `/NAME` or `/.well-known/NAME`. */
  readonly path: string;
  /**
   * - `users`: requests are authenticated as in the rest of the server. Without valid credentials, they are rejected
   *   with status 401.
   * - `everyone`: requests are not authenticated, and `work` is null.
   */
  readonly access: 'users' | 'everyone';
  /**
   * Makes the handler a protected resource of the server's OAuth 2.0 endpoints, for clients that discover how to sign in
   * (RFC 9728). They request tokens that are valid only for this handler. Requires `access: 'users'`.
   */
  readonly oauth?: {
    /** What clients can do, as it completes the sentence "This application can …" on the page where users consent. */
    readonly consent: string;
  };
  /**
   * Responds to a request. `request.url` does not include `path`. If the function throws a `Refusal` or an error from
   * `graphql` before it begins the response, the server sends the same error response as for a REST request.
   */
  handle(request: IncomingMessage, response: ServerResponse, work: RequestWork | null): Promise<void>;
}

/** A setting. The server reads its value from the environment variable of the same name. */
export interface ContributedSetting {
  readonly description: string;
  readonly default?: string;
  readonly required?: boolean;
}

/** The definition of an extension, which its module exports by default. */
export interface Extension {
  /** The name of the extension, which consists of lower-case letters, digits and `-`. */
  readonly name: string;
  readonly version: string;
  /** The range of Quire versions with which the extension works: `^1.2` means 1.2 and later, but before 2. */
  readonly quire: string;
  /** A folder with model files, as in MODEL_DIR: `new URL('./model/', import.meta.url)`. */
  readonly model?: URL;
  /**
   * A folder with SQL files, such as `0001_payments.sql`, that create and change the extension's tables. The server
   * applies each file once, in the order of the file names, before it starts. Table names must begin with `ext_NAME_`.
   */
  readonly migrations?: URL;
  readonly settings?: Readonly<Record<string, ContributedSetting>>;
  readonly enrichers?: readonly ContributedEnricher[];
  readonly fetchProperties?: readonly ContributedFetchProperty[];
  readonly queryProperties?: readonly QueryProperty[];
  readonly queryPredicates?: readonly QueryPredicate[];
  readonly pageProviders?: readonly ContributedPageProvider[];
  readonly operations?: readonly ContributedOperation[];
  readonly before?: readonly BeforeListener[];
  readonly after?: readonly AfterListener[];
  readonly jobs?: readonly ScheduledJob[];
  readonly converters?: readonly ContributedConverter[];
  readonly commands?: readonly ContributedCommand[];
  readonly handlers?: readonly RequestHandler[];
}

/** Rejects the caller's request with a message for the caller. Any other error is treated as a bug. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 403 | 404 | 409 | 422;
  readonly xpath: string | undefined;
  /**
   * @param options `xpath` names the invalid property; `status` is 422 by default if `xpath` is set, and 409 otherwise
   */
  constructor(
    message: string,
    { xpath, status = xpath === undefined ? 409 : 422 }: { xpath?: string; status?: Refusal['status'] } = {},
  ) {
    super(message);
    this.status = status;
    this.xpath = xpath;
  }
}

/** Returns its argument unchanged. It lets TypeScript and editors check the definition of an extension. */
export const defineExtension = (extension: Extension): Extension => extension;
