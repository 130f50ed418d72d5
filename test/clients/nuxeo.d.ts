/** The parts of the published JavaScript client that the tests use; it has no types. */
declare module 'nuxeo' {
  type Json = Record<string, unknown>;

  export interface Entity {
    readonly id: string;
    readonly properties: Json;
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

  interface Shaped {
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
  }

  export interface Operation extends Shaped {
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
    constructor(options: { baseURL: string; auth: Json });
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
    request(path: string): { get(): Promise<Document> };
    requestAuthenticationToken(
      application: string,
      device: string,
      text: string,
      permission: string,
    ): Promise<string>;
  }
}
