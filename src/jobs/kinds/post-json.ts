import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { allowing, guardedLookup, RefusedAddress, requireAllowed } from '../../security/private-addresses.ts';
import { Final } from '../worker.ts';

export interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Milliseconds of one request, from the look-up of its name to the head of its answer. */
const timeout = 10_000;

const mostRedirects = 3;

type Head = { readonly status: number; readonly location: string | undefined };

/** Posts to addresses that are public, or of these networks. */
export function createPost(networks: readonly string[]) {
  const isAllowed = allowing(networks);
  const lookup = guardedLookup(isAllowed);

  const postOnce = (url: URL, { body, headers, signal }: Post): Promise<Head> =>
    new Promise((resolve, reject) => {
      requireAllowed(url, isAllowed);
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        agent: false,
        lookup,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
      request.on('error', (error) =>
        reject(error.name === 'AbortError' ? new Error(`no answer within ${timeout / 1000} s`) : error),
      );
      request.on('response', (response) => {
        resolve({ status: response.statusCode ?? 0, location: response.headers.location });
        response.destroy();
      });
      request.end(body);
    });

  const asFinal = (error: unknown): never => {
    throw error instanceof RefusedAddress ? new Final(error.message) : error;
  };

  /** Follows redirects that keep method and body. @returns the status. @throws Final */
  return async (address: string, post: Post): Promise<number> => {
    let url = new URL(address);
    for (let count = 0; count <= mostRedirects; count += 1) {
      const { status, location } = await postOnce(url, post).catch(asFinal);
      if ((status !== 307 && status !== 308) || location === undefined) return status;
      if (!URL.canParse(location, url))
        throw new Error(`it redirects to no address: ${location.slice(0, 80)}`);
      const next = new URL(location, url);
      const isWeaker = url.protocol === 'https:' && next.protocol !== 'https:';
      if (isWeaker || !/^https?:$/.test(next.protocol))
        throw new Final(`it redirects to ${next.protocol}, which is not followed`);
      url = next;
    }
    throw new Error(`it redirects more than ${mostRedirects} times`);
  };
}
