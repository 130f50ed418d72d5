/** Thrown if the server rejects a request. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to a path below `/share`. Returns the JSON in the response, if there is any. @throws Refusal */
export async function ask<Answer>(path: string, options: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`share/${path}`, options);
  const body = await response.text();
  const json: unknown = response.headers.get('Content-Type')?.includes('json') ? JSON.parse(body) : undefined;
  if (response.ok) return json as Answer;
  const message = (json as { message?: string } | undefined)?.message ?? response.statusText;
  throw new Refusal(response.status, message);
}

/** Sends JSON to a path below `/share`. @throws Refusal */
export const post = <Answer = void>(path: string, body: object): Promise<Answer> =>
  ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** A document as guests see it. */
export interface SharedDocument {
  readonly uid: string;
  readonly title: string;
  readonly type: string;
  readonly facets: readonly string[];
  readonly lastModified: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly contextParameters: {
    readonly breadcrumb?: { readonly entries: readonly SharedDocument[] };
    readonly permissions?: readonly string[];
    readonly thumbnail?: { readonly url: string | null };
    readonly preview?: { readonly url: string | null };
  };
}

export interface SharedPage {
  readonly entries: readonly SharedDocument[];
  readonly isNextPageAvailable: boolean;
}

export interface SharedComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly creationDate: string;
}

/** Returns headers that select the data about documents that the server sends. */
const shape = (...enrichers: readonly string[]): RequestInit => ({
  headers: { properties: 'file,note,dublincore', 'enrichers.document': enrichers.join(',') },
});

export const readDocument = (id: string): Promise<SharedDocument> =>
  ask(`api/v1/id/${id}`, shape('breadcrumb', 'permissions', 'preview', 'thumbnail'));

export const readShared = (page: number): Promise<SharedPage> =>
  ask(`api/v1/shared?pageSize=50&currentPageIndex=${page}`, shape('thumbnail'));

export const readChildren = (id: string, page: number): Promise<SharedPage> =>
  ask(`api/v1/id/${id}/@children?pageSize=50&currentPageIndex=${page}`, shape('thumbnail'));

export const readComments = async (id: string): Promise<readonly SharedComment[]> =>
  (await ask<{ entries: SharedComment[] }>(`api/v1/id/${id}/@comment?pageSize=100`)).entries;

export const addComment = (id: string, text: string): Promise<SharedComment> =>
  post(`api/v1/id/${id}/@comment`, { 'entity-type': 'comment', text });

/** Uploads a file to a folder, which creates a document. */
export function upload(folder: string, file: File): Promise<SharedDocument> {
  const form = new FormData();
  const properties = { 'dc:title': file.name };
  form.set(
    'document',
    JSON.stringify({ 'entity-type': 'document', type: 'File', name: file.name, properties }),
  );
  form.set('file', file);
  return ask(`api/v1/id/${folder}`, { method: 'POST', body: form });
}

/**
 * Removes the host from a URL that the server returned, because the page's Content-Security-Policy allows only the
 * page's own host.
 */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, document.baseURI);
  return `${pathname}${search}`;
}
