import type { IncomingMessage } from 'node:http';
import { AppError, Invalid } from '../../errors.ts';
import type { Scope, Using } from '../../scope.ts';
import { createOutwardClient } from '../../security/private-addresses.ts';

/** The time limit for a download, including DNS resolution and redirects, in milliseconds. */
const timeout = 30_000;

const maxRedirects = 3;

/** The maximum number of characters in a URL. Parsing a longer host name could take seconds. */
const maxUrl = 2_000;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

type Settings = Using<'config'>['services']['config'];

const shown = (text: string): string => text.slice(0, 200);

/** @throws Invalid if the URL is too long or does not begin with an entry of BLOB_URLS */
function allowedUrl({ BLOB_URLS: urls }: Settings, address: string, base?: URL): URL {
  if (address.length > maxUrl) throw new Invalid(`file: the URL has more than ${maxUrl} characters.`);
  if (!URL.canParse(address, base)) throw new Invalid(`file: ${shown(address)} is not a URL.`);
  const url = new URL(address, base);
  if (!urls.some((beginning) => url.href.startsWith(beginning)))
    throw new Invalid(`file: BLOB_URLS does not allow ${shown(url.href)}.`);
  return url;
}

/** Converts a connection error to an error which states that the file could not be downloaded. */
const faultOf = (address: string, signal: AbortSignal, error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new Invalid(
        signal.aborted
          ? `file: ${shown(address)} was not received within ${timeout / 1000} s`
          : `file: ${shown(address)} cannot be fetched: ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );

/**
 * Requests a URL and follows redirects as long as their targets are allowed.
 * @throws Invalid if a target is not allowed, or the other server does not return the file
 */
async function follow(
  config: Settings,
  address: string,
  signal: AbortSignal,
): Promise<{ url: URL; response: IncomingMessage }> {
  const ask = createOutwardClient(config.WEBHOOK_PRIVATE_ADDRESSES);
  const request = { method: 'GET', headers: { 'Accept-Encoding': 'identity' }, signal } as const;
  let url = allowedUrl(config, address);
  for (let count = 0; count <= maxRedirects; count += 1) {
    const response = await ask(url, request);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return { url, response };
    response.destroy();
    if (!redirects.has(statusCode) || headers.location === undefined)
      throw new Invalid(`file: ${shown(url.href)} responded with status ${statusCode}`);
    url = allowedUrl(config, headers.location, url);
  }
  throw new Invalid(`file: ${shown(address)} redirects more than ${maxRedirects} times.`);
}

interface Downloaded {
  /** The URL after all redirects. */
  readonly url: URL;
  /** The media type declared by the other server. */
  readonly contentType: string | undefined;
  readonly digest: string;
  readonly length: number;
}

/**
 * Downloads a file into the blob store.
 * @throws Invalid if the URL is not allowed or the other server fails in any way
 */
export async function download(
  { services: { blobs, config }, trial }: Pick<Scope, 'trial'> & Using<'blobs' | 'config'>,
  address: string,
): Promise<Downloaded> {
  if (trial)
    throw new Invalid(
      'file cannot be downloaded while the call is being explained, because the call is rolled back.',
    );
  const limit = config.UPLOAD_LIMIT;
  const signal = AbortSignal.timeout(timeout);
  const fault = (error: unknown) => faultOf(address, signal, error);
  const { url, response } = await follow(config, address, signal).catch((error: unknown) => {
    throw fault(error);
  });
  async function* body(): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        length += chunk.byteLength;
        if (length > limit) throw new Invalid(`file must not exceed ${limit} bytes (UPLOAD_LIMIT).`);
        yield chunk;
      }
    } catch (error) {
      throw fault(error);
    }
  }
  return { url, contentType: response.headers['content-type'], ...(await blobs.write(body())) };
}
