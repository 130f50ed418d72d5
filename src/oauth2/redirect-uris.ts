import { loopbackHost, maxRedirect } from '../store/tokens/oauth2-clients.ts';

/** Returns a redirect URI without its port, if it points to the user's own computer. */
function withoutLoopbackPort(uri: string): string {
  const isPlain = uri.startsWith('http://') && uri.length <= maxRedirect && !/[\s\\]/.test(uri);
  if (!isPlain || !URL.canParse(uri)) return uri;
  const url = new URL(uri);
  if (!loopbackHost.test(url.hostname)) return uri;
  url.port = '';
  return url.href;
}

/**
 * Returns whether a redirect URI is one of those that are registered for a client. The port of a loopback URI can
 * differ (RFC 8252, section 7.3), because programs on the user's computer listen on any free port.
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const wanted = withoutLoopbackPort(uri);
  return registered.some((each) => withoutLoopbackPort(each) === wanted);
}
