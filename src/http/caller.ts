import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { guestPath } from '../auth/guest.ts';
import type { Config } from '../config.ts';
import { type Language, languageNamed, languages } from '../model/labels.ts';
import type { Links } from '../scope.ts';
import type { Caller } from '../selection/run.ts';
import { clientAddress, requesterOf } from './identify.ts';

/** The scheme and host with which clients reach the server. */
export const originOf =
  ({ HOST, PORT, PUBLIC_URL }: Config) =>
  ({ host, protocol }: Request): string =>
    PUBLIC_URL ?? `${protocol}://${host ?? `${HOST}:${PORT}`}`;

/**
 * Returns whether a request used the guest interface. If so, the links in the response must also use the guest
 * interface.
 */
const isOfGuest = ({ CONTEXT_PATH }: Config, { baseUrl }: Request): boolean =>
  baseUrl.startsWith(`${CONTEXT_PATH}${guestPath}/`);

export const baseUrlOf =
  (config: Config) =>
  (request: Request): string =>
    `${originOf(config)(request)}${config.CONTEXT_PATH}${isOfGuest(config, request) ? guestPath : ''}/api/v1`;

function bestLanguage(accepted: string | undefined): Language | undefined {
  if (accepted === undefined) return undefined;
  const headers = { 'accept-language': accepted.replaceAll('_', '-') };
  const [found] = new Negotiator({ headers }).languages([...languages]);
  return languageNamed(found);
}

/**
 * Returns the language of labels (§9). `?language=` applies to a single request, so it takes precedence over
 * `Accept-Language`.
 */
export function requestLanguage(request: Pick<Request, 'headers' | 'query'>): Language {
  const { language } = request.query;
  const named: unknown = Array.isArray(language) ? language[0] : language;
  const wanted = typeof named === 'string' ? bestLanguage(named) : undefined;
  return wanted ?? bestLanguage(request.headers['accept-language']) ?? languages[0];
}

/** The options of a request without any of the headers of §9. */
export const defaultOptions = {
  versioning: undefined,
  source: undefined,
  comment: undefined,
  searchSync: false,
  skipAggregates: false,
  timeout: undefined,
  keepsUploads: false,
  isStrict: false,
} as const;

/**
 * Returns the options for work that was not started by a request. Links begin with PUBLIC_URL or, if it is not set,
 * with the address on which the server listens.
 */
export const serverOptions = (
  { HOST, PORT, PUBLIC_URL, CONTEXT_PATH }: Config,
  repository: string,
  linksTo: (baseUrl: string) => Links,
): Caller['options'] => ({
  ...defaultOptions,
  repository,
  links: linksTo(`${PUBLIC_URL ?? `http://${HOST}:${PORT}`}${CONTEXT_PATH}/api/v1`),
  language: 'en',
  address: '',
});

/**
 * Returns a function that creates the caller of a request with default options. Only the repository and the language
 * are taken from the request (§9).
 */
export const callerWithDefaults =
  (config: Config, linksTo: (baseUrl: string) => Links) =>
  (request: Request, response: Response): Caller => {
    const [repository = config.REPOSITORIES[0]] = [request.headers.repository].flat();
    const own = {
      repository,
      links: linksTo(baseUrlOf(config)(request)),
      language: requestLanguage(request),
      address: clientAddress(request),
      forwarded: (request.get('X-Forwarded-For') ?? '').split(',').filter((address) => address.trim()).length,
    };
    return { ...requesterOf(response), options: { ...defaultOptions, ...own } };
  };
