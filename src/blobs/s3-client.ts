import { setTimeout as wait } from 'node:timers/promises';
import { S3Client, type S3ClientConfig, type S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Address } from '../config.ts';
import { BlobStoreAway, InsufficientStorage } from '../errors.ts';

/** Milliseconds. An answer is waited for until its headers are there; a part has some megabytes. */
const patience = { connectionTimeout: 3_000, requestTimeout: 30_000 };

const usualAttempts = 3;

/** Milliseconds in which nothing more is asked of a store that is away: requests would wait in vain. */
const rest = 2_000;

const maxSockets = 500;

const nothing = (): void => {};

export const clientOf = (
  { endpoint, region, pathStyle, profile }: S3Address,
  maxAttempts = usualAttempts,
): S3Client => {
  const settings: S3ClientConfig = {
    forcePathStyle: pathStyle,
    maxAttempts,
    logger: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    // Many stores refuse the checksums of newer releases. The bytes of each request are signed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      ...patience,
      throwOnRequestTimeout: true,
      socketTimeout: 0, // it would end downloads by slow clients
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

/** As the SDK repeats a request, one with a stream, which it does not. */
export async function repeated<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (attempt === usualAttempts || !isAway(error)) throw error;
      await wait(Math.random() * 100 * 2 ** attempt);
    }
  }
}

/** Sends requests to a store, and explains its faults. */
export function createAsking() {
  let awayUntil = 0;
  let cause: unknown;
  const away = () => new BlobStoreAway('the blob store does not answer, or refuses this', { cause });
  return {
    /** @throws BlobStoreAway, InsufficientStorage; as it is, what says that an object is missing. */
    ask: async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
      if (performance.now() < awayUntil) throw away();
      try {
        return await send();
      } catch (error) {
        if (isMissing(error) || isUnsupported(error)) throw error;
        if (isFull(error))
          throw new InsufficientStorage('the blob store is full: nothing was stored', { cause: error });
        cause = error;
        if (isAway(error)) awayUntil = performance.now() + rest;
        throw away();
      }
    },
  };
}
