import { type LookupAddress, lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Thrown if the server must not send requests to an address. The message states the reason. */
export class RefusedAddress extends Error {}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an address. IPv6 addresses that end in an IPv4 address are first normalized by `URL`, because ipaddr.js cannot
 * parse all of them.
 */
const parseAddress = (text: string): Address =>
  ipaddr.parse(isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);

type Network = readonly [ip: Address, bits: number];

const parseNetwork = (text: string): Network => {
  const [address = '', bits] = text.split('/');
  const ip = parseAddress(address);
  return [ip, Number(bits ?? (ip.kind() === 'ipv4' ? 32 : 128))];
};

const isIn =
  (address: Address) =>
  ([ip, bits]: Network): boolean =>
    address.kind() === ip.kind() && (address as ipaddr.IPv4).match(ip as ipaddr.IPv4, bits);

/** The IPv6 addresses that IANA allocates to public networks. */
const globalUnicast = parseNetwork('2000::/3');

/** The special-purpose networks of IANA's registries. For IPv6, only networks within `globalUnicast` are listed. */
const specialNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16', // link-local, including the metadata services of cloud providers
  '172.16.0.0/12',
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, including the broadcast address
  '2001::/23', // IETF protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(parseNetwork);

const isPublic = (address: Address): boolean =>
  (address.kind() === 'ipv4' || isIn(address)(globalUnicast)) && !specialNetworks.some(isIn(address));

/** IPv6 networks whose addresses end in an IPv4 address. */
const networksWithIpv4 = [
  parseNetwork('::/96'), // IPv4-compatible
  parseNetwork('::ffff:0:0:0/96'), // IPv4-translated
  parseNetwork('64:ff9b::/96'), // NAT64
];

/** The unspecified address and the loopback address, which look like IPv4-compatible addresses but are not. */
const unspecifiedAndLoopback = parseNetwork('::/127');
const sixToFour = parseNetwork('2002::/16');
const teredo = parseNetwork('2001::/32');

/**
 * Returns the IPv4 addresses that are embedded in an IPv6 address. Routers can forward packets to them, so they are
 * also checked (SSRF).
 */
function embeddedAddresses(address: Address): ipaddr.IPv4[] {
  const at = isIn(address);
  const bytes = address.toByteArray();
  const ipv4 = (start: number, mask = 0) =>
    new ipaddr.IPv4(bytes.slice(start, start + 4).map((byte) => byte ^ mask));
  if (at(unspecifiedAndLoopback)) return [];
  if (networksWithIpv4.some(at)) return [ipv4(12)];
  if (at(sixToFour)) return [ipv4(2)];
  // The address of the Teredo server and the client's address, which is stored with inverted bits.
  return at(teredo) ? [ipv4(4), ipv4(12, 0xff)] : [];
}

type IsAllowed = (address: string) => boolean;

/**
 * Returns a function that decides whether the server can send requests to an address. The address must be public or in
 * one of the networks. An IPv4-mapped IPv6 address is treated like the IPv4 address. Any other IPv6 address with
 * embedded IPv4 addresses is allowed only if they are allowed, too.
 */
export function allowing(networks: readonly string[]): IsAllowed {
  const allowed = networks.map(parseNetwork);
  const isAllowed = (address: Address): boolean =>
    (isPublic(address) || allowed.some(isIn(address))) && embeddedAddresses(address).every(isAllowed);
  return (text) => {
    const address = parseAddress(text.split('%')[0] ?? '');
    const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
    return isAllowed(isMapped ? address.toIPv4Address() : address);
  };
}

const refusal = (host: string): RefusedAddress =>
  new RefusedAddress(`${host} is not a public address, and WEBHOOK_PRIVATE_ADDRESSES does not allow it`);

/**
 * Checks the host of a URL before a request. Host names other than `localhost` are checked by `guardedLookup` when the
 * connection resolves them, because an earlier check could see different addresses (DNS rebinding).
 * @throws RefusedAddress if the server must not send requests to the host.
 */
function requireAllowed(url: URL, isAllowed: IsAllowed): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  if (isLocal ? !isAllowed('127.0.0.1') && !isAllowed('::1') : isIP(host) !== 0 && !isAllowed(host))
    throw refusal(host);
}

/**
 * Rejects a URL to which the server would never send requests, so that the user learns about the problem immediately.
 * @param networks the networks that are allowed although they are not public
 * @throws RefusedAddress if the server must not send requests to the host
 */
export const requireReachable = (url: URL, networks: readonly string[]): void =>
  requireAllowed(url, allowing(networks));

/**
 * Returns a `lookup` function for connections. The lookup fails if any address of the host is not allowed.
 */
const guardedLookup =
  (isAllowed: IsAllowed): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const first = found?.[0];
      if (error || !first) return callback(error ?? new Error(`the host ${hostname} has no address`), '');
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
 * Returns a function that sends a request to another server without following redirects. The function resolves when the
 * response headers have arrived; the caller must then read or destroy the body.
 * @param networks addresses and networks, such as `10.0.0.0/8`, that are allowed although they are not public.
 * @throws RefusedAddress if the server must not send requests to the host; otherwise, the connection error, if there is
 * one
 */
export function createOutwardClient(
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
