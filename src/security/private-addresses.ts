import { type LookupAddress, lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The server does not call an address: the message says why. */
export class RefusedAddress extends Error {}

type IsAllowed = (address: string) => boolean;

function allowing(networks: readonly string[]): IsAllowed {
  const allowed = networks.map((text) => {
    const ip = ipaddr.parse(text.split('/')[0] ?? '');
    return { ip, bits: Number(text.split('/')[1] ?? (ip.kind() === 'ipv4' ? 32 : 128)) };
  });
  return (address) => {
    const given = ipaddr.process(address.split('%')[0] ?? '');
    return (
      given.range() === 'unicast' ||
      allowed.some(
        ({ ip, bits }) => given.kind() === ip.kind() && (given as ipaddr.IPv4).match(ip as ipaddr.IPv4, bits),
      )
    );
  };
}

const refusal = (host: string): RefusedAddress =>
  new RefusedAddress(`${host} is no public address, and WEBHOOK_PRIVATE_ADDRESSES does not name it`);

/** Names are checked by `guardedLookup`, since what they resolve to may change. @throws RefusedAddress */
function requireAllowed(url: URL, isAllowed: IsAllowed): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAllowed(host)) throw refusal(host);
}

/** Resolves a name for the connection that is being made, and fails if any of its addresses is refused. */
const guardedLookup =
  (isAllowed: IsAllowed): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const first = found?.[0];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address`), '');
      if (!found.every(({ address }) => isAllowed(address))) return callback(refusal(hostname), '');
      return options.all ? callback(null, found) : callback(null, first.address, first.family);
    });
  };

interface OutwardRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * Sends requests to other servers, and follows no redirects. Resolves to the head of the answer; its body is
 * to be read or destroyed.
 * @param networks addresses and networks, such as `10.0.0.0/8`, that may be reached although not public.
 * @throws RefusedAddress, and what is wrong with the connection.
 */
export function askingOutside(
  networks: readonly string[],
): (url: URL, request: OutwardRequest) => Promise<IncomingMessage> {
  const isAllowed = allowing(networks);
  const lookUp = guardedLookup(isAllowed);
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      requireAllowed(url, isAllowed);
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send(url, { method, headers, agent: false, lookup: lookUp, signal });
      request.on('error', reject);
      request.on('response', resolve);
      request.end(body);
    });
}
