import { setTimeout as wait } from 'node:timers/promises';
import { S3Client, type S3ClientConfig, type S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Address } from '../config.ts';
import { BlobStoreAway, InsufficientStorage } from '../errors.ts';

/**
 * Timeouts in milliseconds. The request timeout covers sending a part of several megabytes and receiving the response
 * headers.
 */
const timeouts = { connectionTimeout: 3_000, requestTimeout: 30_000 };

const defaultAttempts = 3;

/**
 * The number of milliseconds during which no requests are sent after a failure. Without this circuit breaker, every
 * caller would wait for a timeout while the store is down.
 */
const breakTime = 2_000;

const maxSockets = 500;

const nothing = (): void => {};

export const clientOf = (
  { endpoint, region, pathStyle, profile }: S3Address,
  maxAttempts = defaultAttempts,
): S3Client => {
  const settings: S3ClientConfig = {
    forcePathStyle: pathStyle,
    maxAttempts,
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    // Many S3-compatible stores reject the checksums that newer SDKs send. They are not needed for integrity, because
    // the signature covers the bytes of each request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      ...timeouts,
      throwOnRequestTimeout: true,
      socketTimeout: 0, // a socket timeout would abort the downloads of slow clients
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(profile !== undefined && { profile }),
  };
  return new S3Client(settings);
};

const statusOf = (error: unknown): number | undefined =>
  (error as Partial<S3ServiceException>).$metadata?.httpStatusCode;

const isNamed = (error: unknown, ...names: string[]): boolean => names.includes((error as Error).name);

export const isMissing = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound');

export const isUnsupported = (error: unknown): boolean => statusOf(error) === 501;

const isAway = (error: unknown): boolean => {
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 429;
};

const isFull = (error: unknown): boolean => statusOf(error) === 507 || isNamed(error, 'QuotaExceeded');

/**
 * Retries a request whose body is a stream, because the SDK does not retry such requests. `send` must open a new stream
 * each time.
 */
export async function repeated<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt === defaultAttempts || !isAway(error)) throw error;
      await wait(Math.random() * 100 * 2 ** attempt);
    }
  }
}

/** Returns a function that sends requests to the store and translates the store's errors. */
export function createAsking() {
  let awayUntil = 0;
  let cause: unknown;
  const away = () =>
    new BlobStoreAway('The blob store does not respond, or rejects the request. Try again later.', { cause });
  return {
    /**
     * Sends a request. @throws BlobStoreAway, InsufficientStorage, or the original error if the object does not exist.
     */
    ask: async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
      if (performance.now() < awayUntil) throw away();
      try {
        return await send();
      } catch (error) {
        if (isMissing(error) || isUnsupported(error)) throw error;
        if (isFull(error))
          throw new InsufficientStorage('The blob store is full, so nothing was stored.', { cause: error });
        cause = error;
        if (isAway(error)) awayUntil = performance.now() + breakTime;
        throw away();
      }
    },
  };
}
