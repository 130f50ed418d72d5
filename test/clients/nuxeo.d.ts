/** The parts of the published JavaScript client that the tests use; it has no types. */
declare module 'nuxeo' {
  type Json = Record<string, unknown>;

  export interface Entity {
    readonly id: string;
    readonly properties: Json;
    get(name: string): unknown;
    set(properties: Json): void;
    save(): Promise<this>;
  }

  export interface Document {
    readonly uid: string;
    readonly path: string;
    readonly type: string;
    readonly title: string;
    readonly properties: Json;
    readonly facets: readonly string[];
    readonly parentRef: string;
    get(xpath: string): unknown;
    set(properties: Json): Document;
    save(): Promise<Document>;
    isFolder(): boolean;
    hasFacet(name: string): boolean;
    isCollection(): boolean;
    isCollectable(): boolean;
    convert(options: Json): Promise<unknown>;
    scheduleConversion(options: Json): Promise<unknown>;
    fetchRenditions(): Promise<unknown>;
    fetchRendition(name: string): Promise<unknown>;
    startWorkflow(model: string): Promise<Workflow>;
    fetchWorkflows(): Promise<List<Workflow>>;
    readonly state: string;
    readonly contextParameters: Json;
    fetchBlob(xpath?: string): Promise<Response>;
    fetchAudit(query?: Json): Promise<{ entries: readonly { eventId: string }[] }>;
    fetchACLs(): Promise<readonly { name: string; aces: readonly { id: string }[] }[]>;
    addPermission(params: Json): Promise<Document>;
    removePermission(params: Json): Promise<Document>;
    hasPermission(name: string): Promise<boolean>;
    lock(): Promise<Document>;
    unlock(): Promise<Document>;
    fetchLockStatus(): Promise<Json>;
    followTransition(name: string): Promise<Document>;
    move(target: string, name?: string): Promise<Document>;
  }

  interface List<Item> {
    readonly entries: readonly Item[];
  }

  export interface Task {
    readonly id: string;
    readonly actors: readonly Json[];
    variable(name: string, value: unknown): this;
    complete(action: string, options?: Json): Promise<unknown>;
    reassign(actors: string, options?: Json): Promise<unknown>;
    delegate(actors: string, options?: Json): Promise<unknown>;
  }

  export interface Workflow {
    readonly id: string;
    fetchTasks(): Promise<List<Task>>;
    fetchGraph(): Promise<Json>;
  }

  export interface Workflows {
    start(model: string, options?: Json): Promise<Workflow>;
    fetch(id: string): Promise<Workflow>;
    delete(id: string): Promise<Response>;
    fetchStartedWorkflows(model: string): Promise<List<Workflow>>;
    fetchTasks(options?: Json): Promise<List<Task>>;
  }

  export interface Request {
    path(path: string): this;
    queryParams(params: Json): this;
    get(options?: Json): Promise<Document>;
    post(options?: Json): Promise<Document>;
    put(options?: Json): Promise<Document>;
    delete(options?: Json): Promise<Response>;
  }

  export interface ServerVersion {
    gt(version: ServerVersion): boolean;
    gte(version: ServerVersion): boolean;
    lte(version: ServerVersion): boolean;
  }

  export interface OAuth2Token extends Json {
    readonly access_token: string;
    readonly refresh_token: string;
  }

  type TokenRequest = (
    url: string,
    clientId: string,
    credential: string,
    params: Json,
  ) => Promise<OAuth2Token>;

  /** The forms of 3, which later versions accept too. */
  export interface OAuth2 {
    getAuthorizationURL(url: string, clientId: string, params: Json): string;
    readonly fetchAccessToken: TokenRequest;
    readonly fetchAccessTokenFromAuthorizationCode: TokenRequest;
    readonly fetchAccessTokenFromJWTToken: TokenRequest;
    readonly refreshAccessToken: TokenRequest;
  }

  interface Shaped {
    repositoryName(name: string): this;
    enrichers(names: Record<string, readonly string[]>): this;
    fetchProperties(names: Record<string, readonly string[]>): this;
    translateProperties(names: Record<string, readonly string[]>): this;
    translateProperty(entity: string, name: string): this;
    headers(headers: Json): this;
    header(name: string, value: string): this;
    timeout(milliseconds: number): this;
    transactionTimeout(seconds: number): this;
    httpTimeout(milliseconds: number): this;
    schemas(names: readonly string[]): this;
    enricher(entity: string, name: string): this;
    fetchProperty(entity: string, name: string): this;
    depth(depth: string): this;
  }

  export interface Repository extends Shaped {
    fetch(reference: string): Promise<Document>;
    create(parent: string, document: Json): Promise<Document>;
    update(document: Json): Promise<Document>;
    delete(reference: string): Promise<Response>;
    query(options: Json): Promise<List<Document>>;
  }

  export interface Operation extends Shaped {
    param(name: string, value: unknown): Operation;
    input(input: unknown): Operation;
    params(params: Json): Operation;
    context(context: Json): Operation;
    execute(options?: Json): Promise<Json & { entries: Document[]; status: number }>;
  }

  export interface Store {
    fetch(id: string): Promise<Entity & Json>;
    create(entity: Json): Promise<Entity & Json>;
    update(entity: Json): Promise<Entity & Json>;
    delete(id: string): Promise<Response>;
    fetchAll(): Promise<{ entries: readonly Entity[] } & readonly Entity[]>;
  }

  /** A file for an operation, or for a batch. */
  export interface Blob {
    readonly content: unknown;
    readonly name: string;
  }

  /** A file in a batch: a value for a property, and an input for an operation. */
  export type BatchBlob = Json & { readonly 'upload-batch': string; readonly 'upload-fileId': string };

  export interface BatchUpload {
    readonly _batchId: string;
    upload(blob: Blob): Promise<{ blob: BatchBlob }>;
    upload(...blobs: readonly Blob[]): Promise<{ blobs: readonly BatchBlob[] }>;
    done(): Promise<{ blobs: readonly BatchBlob[] }>;
    isFinished(): boolean;
    cancel(): Promise<BatchUpload>;
    fetchBlob(index: number): Promise<{ blob: BatchBlob }>;
    fetchBlobs(): Promise<{ blobs: readonly BatchBlob[] }>;
    removeBlob(index: number): Promise<Response>;
  }

  // biome-ignore lint/style/noDefaultExport: so does the client
  export default class Nuxeo {
    constructor(options: { baseURL: string; auth: Json | null });
    static promiseLibrary(library: unknown): void;
    static registerAuthenticator(method: string, authenticator: object): void;
    static registerUnmarshaller(entity: string, unmarshaller: (json: unknown) => unknown): void;
    /** Since 3. */
    static readonly oauth2?: OAuth2;
    static readonly SERVER_VERSIONS?: Record<'LTS_2017' | 'LTS_2019', ServerVersion>;
    readonly serverVersion: ServerVersion;
    login(): Promise<unknown>;
    http(options: Json): Promise<Json>;
    _http(options: Json): Promise<Json>;
    workflows(): Workflows;
    computeAuthenticationHeaders(): Record<string, string>;
    authenticateURL(url: string): string;
    onAuthenticationRefreshed(listener: (auth: Json) => void): void;
    static readonly Blob: new (options: {
      content: unknown;
      name: string;
      mimeType?: string;
      size?: number;
    }) => Blob;
    readonly user: Entity & { readonly isAdministrator: boolean; readonly contextParameters: Json };
    readonly connected: boolean;
    connect(): Promise<Nuxeo>;
    repository(name?: string): Repository;
    operation(id: string): Operation;
    batchUpload(options?: Json): BatchUpload;
    users(): Store;
    groups(): Store;
    directory(name: string): Store;
    request(path: string): Request;
    requestAuthenticationToken(
      application: string,
      device: string,
      text: string,
      permission: string,
    ): Promise<string>;
  }
}
