import type { Request } from 'express';
import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/storable.ts';

/** Parameters of a request by name; none is empty. */
export type Parameters = Readonly<Record<string, string>>;

/** What of a request to /authorize its answer needs again. */
const carried = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

/** RFC 6749, 3.1: no parameter more than once, and one without a value is none. @throws Invalid */
function singly(values: Record<string, unknown>): Record<string, string> {
  requireStorable(values);
  const given = Object.entries(values).filter(([, value]) => value !== '');
  for (const [name, value] of given) {
    if (typeof value !== 'string') throw new Invalid(`${name}: is given more than once`);
  }
  return Object.fromEntries(given) as Record<string, string>;
}

/** The parameters of the form, if one was sent. @throws Invalid */
export const formOf = ({ body }: Request): Parameters =>
  singly((body as Record<string, unknown> | undefined) ?? {});

/** The parameters of the form, else of the address. @throws Invalid */
export const parametersOf = (request: Request): Parameters => ({
  ...singly(request.query),
  ...formOf(request),
});

/** Those that the answer to a question needs again. */
export const carriedOf = (parameters: Parameters): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => carried.some((one) => one === name)));

/** An address with more parameters. */
export function withParameters(address: string, parameters: Parameters): string {
  const text = new URLSearchParams(parameters).toString();
  return `${address}${address.includes('?') ? '&' : '?'}${text}`;
}
