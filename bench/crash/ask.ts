import { authorization } from '../ours.ts';

const headers = {
  authorization,
  'content-type': 'application/json',
  'enrichers.document': 'acls,tags',
  'fetch.document': 'versionLabel',
  properties: '*',
};

/**
 * Sends a request to the API as the default administrator. The body is sent as JSON, unless it is text with its own
 * headers.
 */
export const ask = (
  url: string,
  path: string,
  method = 'GET',
  body?: object | string,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...more },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

/** Requests JSON. Returns undefined for 404. @throws Error for any other failure */
export async function answerOf(url: string, path: string, body?: object): Promise<unknown> {
  const response = await ask(url, path, body ? 'POST' : 'GET', body);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? [] : response.json();
}

/** Returns the path of a request for one page of an NXQL query. */
export const searchPath = (query: string, pageSize: number, index = 0): string =>
  `/search/lang/NXQL/execute?${new URLSearchParams({ query, pageSize: `${pageSize}`, currentPageIndex: `${index}` })}`;
