import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import type { Caller } from '../operation.ts';
import { languageOf } from '../rest/language.ts';
import { addressOf, askerOf } from './identify.ts';

/** Where clients find the server: scheme and host as they see them. */
const originOf =
  ({ HOST, PORT, PUBLIC_URL }: Config) =>
  ({ host, protocol }: Request): string =>
    PUBLIC_URL ?? `${protocol}://${host ?? `${HOST}:${PORT}`}`;

/** Where clients find `/api/v1`. */
export const baseUrlOf =
  (config: Config) =>
  (request: Request): string =>
    `${originOf(config)(request)}${config.CONTEXT_PATH}/api/v1`;

/** Who asks, and how, where the headers of §9 have no say but for the repository. */
export const callerOf =
  (config: Config) =>
  (request: Request, response: Response): Caller => {
    const [repository = config.REPOSITORIES[0] ?? 'default'] = [request.headers.repository].flat();
    const plain = {
      versioning: 'NONE',
      source: undefined,
      comment: undefined,
      searchSync: false,
      skipAggregates: false,
      timeout: undefined,
      keepsUploads: false,
    } as const;
    const baseUrl = baseUrlOf(config)(request);
    const place = { repository, baseUrl, language: languageOf(request), address: addressOf(request) };
    return { ...askerOf(response), options: { ...plain, ...place } };
  };
