import type { Request } from 'express';
import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/values/storable.ts';

export type OAuth2Parameters = Readonly<Record<string, string>>;

/** The parameters of /authorize that the log-in and consent forms pass on as hidden inputs. */
const carried = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/**
 * Reads parameters as defined in RFC 6749, section 3.1: an empty parameter is treated as absent.
 * @throws Invalid if a parameter is repeated
 */
function readParameters(values: Record<string, unknown>): Record<string, string> {
  requireStorable(values);
  const present = Object.entries(values).filter(([, value]) => value !== '');
  for (const [name, value] of present) {
    if (typeof value !== 'string') throw new Invalid(`${name} must not be repeated.`);
  }
  return Object.fromEntries(present) as Record<string, string>;
}

/** Returns the form parameters in the body of a request. @throws Invalid */
export const formOf = ({ body }: Request): OAuth2Parameters =>
  readParameters((body as Record<string, unknown> | undefined) ?? {});

/** Returns the parameters in the query and the body. The body takes precedence. @throws Invalid */
export const parametersOf = (request: Request): OAuth2Parameters => ({
  ...readParameters(request.query),
  ...formOf(request),
});

export const carriedOf = (parameters: OAuth2Parameters): OAuth2Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => carried.some((one) => one === name)));

export function withParameters(address: string, parameters: OAuth2Parameters): string {
  const text = new URLSearchParams(parameters).toString();
  return `${address}${address.includes('?') ? '&' : '?'}${text}`;
}
