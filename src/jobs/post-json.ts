import type { IncomingMessage } from 'node:http';
import { askingOutside, RefusedAddress } from '../security/private-addresses.ts';
import { Final } from './job-runner.ts';

interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Milliseconds of one request, from the look-up of its name to the head of its answer. */
const timeout = 10_000;

const mostRedirects = 3;

/** Posts to addresses that are public, or of these networks. */
export function createPost(networks: readonly string[]) {
  const ask = askingOutside(networks);

  const postOnce = async (url: URL, { body, headers, signal }: Post): Promise<IncomingMessage> => {
    const response = await ask(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    }).catch((error: Error) => {
      throw error.name === 'AbortError' ? new Error(`no answer within ${timeout / 1000} s`) : error;
    });
    return response.destroy();
  };

  const asFinal = (error: unknown): never => {
    throw error instanceof RefusedAddress ? new Final(error.message) : error;
  };

  /** Follows redirects that keep method and body. @returns the status. @throws Final */
  return async (address: string, post: Post): Promise<number> => {
    let url = new URL(address);
    for (let count = 0; count <= mostRedirects; count += 1) {
      const { statusCode: status = 0, headers } = await postOnce(url, post).catch(asFinal);
      const { location } = headers;
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
