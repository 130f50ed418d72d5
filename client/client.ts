import createFetchClient, { type Client, type ClientOptions, defaultPathSerializer } from 'openapi-fetch';

/** How the client signs in. */
export type QuireCredentials =
  | { readonly username: string; readonly password: string }
  /** A login token, which `POST /token` returns. */
  | { readonly token: string }
  /** A JWT or an OAuth 2.0 access token. */
  | { readonly bearer: string };

/** The options of a client. `headers`, `fetch` and others are those of openapi-fetch. */
export interface QuireOptions extends Omit<ClientOptions, 'baseUrl' | 'pathSerializer'> {
  /** The URL of the server including its CONTEXT_PATH, such as `https://quire.example.org`. */
  readonly url: string;
  /** By default, requests contain no credentials except the cookies of a browser. */
  readonly signIn?: QuireCredentials;
}

function authorizationOf(credentials: QuireCredentials | undefined): Record<string, string> {
  if (credentials === undefined) return {};
  if ('token' in credentials) return { 'X-Authentication-Token': credentials.token };
  if ('bearer' in credentials) return { Authorization: `Bearer ${credentials.bearer}` };
  const bytes = new TextEncoder().encode(`${credentials.username}:${credentials.password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Inserts the parameters into a path. The slashes in the path of a document separate its segments, so they stay. */
function pathWith(template: string, parameters: Record<string, unknown>): string {
  const { path, ...others } = parameters;
  const documentPath = typeof path === 'string' ? path.replace(/^\//, '') : undefined;
  const address =
    documentPath === undefined
      ? template
      : template.replace('{path}', documentPath.split('/').map(encodeURIComponent).join('/'));
  return defaultPathSerializer(address, others);
}

/** Creates a client whose calls have the types of `Paths`. */
export function clientOf<Paths extends {}>({ url, signIn, ...options }: QuireOptions): Client<Paths> {
  const client = createFetchClient<Paths>({
    ...options,
    baseUrl: `${url.replace(/\/+$/, '')}/api/v1`,
    pathSerializer: pathWith,
  });
  const authorization = Object.entries(authorizationOf(signIn));
  client.use({
    onRequest: ({ request }) => {
      for (const [name, value] of authorization) request.headers.set(name, value);
    },
  });
  return client;
}
