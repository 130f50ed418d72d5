import { isLocal, isLoopback } from '../../config.ts';
import { type Finding, foundIf, type HealthCheck } from '../check.ts';

const timeout = 10_000;

/** Requests PUBLIC_URL, and returns a finding unless this server or one like it responds. */
async function publicUrlFinding(publicUrl: string, contextPath: string): Promise<Finding | undefined> {
  const url = `${publicUrl}${contextPath}/health/live`;
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeout) });
    const body = await response.text();
    if (response.status === 200 && body.includes('"up"')) return undefined;
    return {
      level: 'fault',
      problem: `GET ${url} returns ${response.status} instead of the state of this server.`,
      reason: 'Links in responses and emails begin with PUBLIC_URL, so they do not work.',
      remedy: 'Start the server, and correct PUBLIC_URL or the proxy, which must also pass CONTEXT_PATH on.',
    };
  } catch (error) {
    const { message, cause } = error as Error;
    return {
      level: 'advice',
      problem: `GET ${url} failed: ${cause instanceof Error ? cause.message : message}.`,
      reason: 'If clients cannot reach this URL either, links in responses and emails do not work.',
      remedy: 'Open the URL on the computer of a user. If that fails, correct PUBLIC_URL, DNS or the proxy.',
    };
  }
}

/**
 * Compares TRUST_PROXY with a request. Each proxy adds an address to the header. Clients can send the header themselves,
 * so only a number that is too small is certain to be wrong.
 */
function proxyFinding(trusted: number, forwarded: number): Finding | undefined {
  if (trusted > forwarded)
    return {
      level: 'fault',
      problem: `TRUST_PROXY is ${trusted}, but this request passed through ${forwarded === 1 ? 'one proxy' : `${forwarded} proxies`}.`,
      reason: 'Callers can claim any address, and thereby evade the limit on failed sign-ins.',
      remedy: `Set TRUST_PROXY=${forwarded}, or make the server unreachable except through all of its proxies.`,
    };
  if (trusted === forwarded) return undefined;
  return {
    level: trusted === 0 ? 'fault' : 'advice',
    problem: `TRUST_PROXY is ${trusted}, but the header X-Forwarded-For of this request contains ${forwarded} addresses.`,
    reason:
      'If these come from proxies, all callers appear to have the address of a proxy, and share its limit on failed sign-ins.',
    remedy: `Set TRUST_PROXY to the number of proxies through which each request passes, which is ${forwarded} unless the client sent the header.`,
  };
}

/** Checks the URL under which clients reach the server, and the proxies in front of it. */
export const addressesCheck: HealthCheck = {
  name: 'addresses',
  run: async ({ config, forwarded }) => {
    const { PUBLIC_URL, CONTEXT_PATH, TRUST_PROXY } = config;
    const isPlain = PUBLIC_URL?.startsWith('http:') && !isLoopback(new URL(PUBLIC_URL).hostname);
    return foundIf(
      PUBLIC_URL === undefined &&
        !isLocal(config) && {
          level: 'advice',
          problem: 'PUBLIC_URL is not set, although others can reach the server.',
          reason: 'Links in responses begin with the Host header of each request, which clients can forge.',
          remedy: 'Set PUBLIC_URL to the URL that clients use.',
        },
      isPlain && {
        level: 'fault',
        problem: 'PUBLIC_URL begins with http://.',
        reason: 'Passwords, tokens and documents cross the network unencrypted.',
        remedy:
          'Put a reverse proxy with TLS in front of the server, and set PUBLIC_URL to its https:// URL.',
      },
      PUBLIC_URL !== undefined && (await publicUrlFinding(PUBLIC_URL, CONTEXT_PATH)),
      forwarded !== undefined && proxyFinding(TRUST_PROXY, forwarded),
    );
  },
};
