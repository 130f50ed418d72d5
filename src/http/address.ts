import type { IncomingMessage } from 'node:http';

/**
 * Where a request comes from, as Express' `ip` says it too: the last address that is not one of our own proxies.
 * @param proxies how many of them there are (TRUST_PROXY): so many addresses are believed, the last ones.
 */
export function remoteAddress({ socket, headers }: IncomingMessage, proxies: number): string {
  const forwarded = proxies === 0 ? '' : [headers['x-forwarded-for'] ?? ''].flat().join(',');
  const said = forwarded.split(',').map((address) => address.trim());
  const nearest = [socket.remoteAddress ?? '', ...said.filter(Boolean).reverse()];
  return nearest[Math.min(proxies, nearest.length - 1)] ?? '';
}
