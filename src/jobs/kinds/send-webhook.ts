import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createOutwardClient, RefusedAddress } from '../../security/private-addresses.ts';
import type { Services } from '../../services.ts';
import { isListener } from '../../store/extensions/after-listeners.ts';
import {
  type Delivery,
  noteDelivery,
  switchOff,
  targetOf,
  testType,
  webhookJob,
} from '../../store/webhooks/delivery.ts';
import { openWebhookSecret } from '../../store/webhooks/webhook-secret.ts';
import type { CallerRuns } from '../caller-runs.ts';
import { Final, type JobKind } from '../job-runner.ts';
import { notifyListener } from './extension-jobs.ts';

interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * The timeout of a request in milliseconds, measured from the DNS lookup to the arrival of the response headers.
 */
const timeout = 10_000;

const maxRedirects = 3;

/** Creates a function that sends POST requests to public addresses and to addresses within `networks`. */
function createPost(networks: readonly string[]) {
  const ask = createOutwardClient(networks);

  const postOnce = async (url: URL, { body, headers, signal }: Post): Promise<IncomingMessage> => {
    const response = await ask(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    }).catch((error: Error) => {
      throw error.name === 'AbortError' ? new Error(`no response within ${timeout / 1000} s`) : error;
    });
    return response.destroy();
  };

  const asFinal = (error: unknown): never => {
    throw error instanceof RefusedAddress ? new Final(error.message) : error;
  };

  /**
   * Sends a POST request and follows redirects that preserve the method and the body (307 and 308).
   * @returns the status of the last response.
   * @throws Final if an address is not allowed, or if a redirect leads to a protocol other than HTTP and HTTPS
   */
  return async (address: string, post: Post): Promise<number> => {
    let url = new URL(address);
    for (let count = 0; count <= maxRedirects; count += 1) {
      const { statusCode: status = 0, headers } = await postOnce(url, post).catch(asFinal);
      const { location } = headers;
      if ((status !== 307 && status !== 308) || location === undefined) return status;
      if (!URL.canParse(location, url))
        throw new Error(`the redirect target is not a URL: ${location.slice(0, 80)}`);
      const next = new URL(location, url);
      const isWeaker = url.protocol === 'https:' && next.protocol !== 'https:';
      if (isWeaker || !/^https?:$/.test(next.protocol))
        throw new Final(`redirects to ${next.protocol} are not followed`);
      url = next;
    }
    throw new Error(`more than ${maxRedirects} redirects`);
  };
}

/** The number of seconds before each retry, which add up to a day. */
const delays = [10, 60, 300, 900, 3_600, 10_800, 21_600, 21_600, 28_800] as const;

const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');

/**
 * Returns the signature headers defined by https://www.standardwebhooks.com. The libraries from that site can verify
 * them.
 */
function signed(id: string, secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const isGone = 410;

export function sendWebhook(services: Services, runs: CallerRuns | undefined): JobKind {
  const { config, database, secrets } = services;
  const notify = runs && notifyListener(runs);
  const post = createPost(config.WEBHOOK_PRIVATE_ADDRESSES);
  /** Sends a message. @throws Error unless the response is a 2xx; Final if there is no point in sending it again */
  const deliver = async (url: string, message: Post): Promise<void> => {
    const status = await post(url, message);
    if (status === isGone) throw new Final(`the endpoint responded with status ${status}`);
    if (status < 200 || status > 299) throw new Error(`the endpoint responded with status ${status}`);
  };
  return {
    name: webhookJob,
    maxConcurrent: 8,
    delays,
    run: async (job, signal) => {
      const delivery = job.payload as Delivery;
      const { message, type, timestamp, data } = delivery;
      const target = await targetOf(database, delivery);
      if (!target) return undefined;
      const isTest = type === testType;
      if (!target.isEnabled && !isTest) throw new Final('the webhook is disabled');
      if (notify && isListener(target)) return notify(target, delivery, job);
      const secret = openWebhookSecret(secrets, target.sealedSecret);
      if (secret === undefined)
        throw new Final(
          'the secret of the webhook cannot be decrypted, because TOKEN_KEY has changed since it was stored',
        );
      const body = JSON.stringify({ type, timestamp, data });
      const headers = { 'Content-Type': 'application/json', ...signed(message, secret, body) };
      const began = performance.now();
      const failed = await deliver(target.url, { body, headers, signal }).then(
        () => undefined,
        (error: Error) => error,
      );
      if (signal.aborted) throw failed ?? new Error('the server is stopping');
      const took = Math.round(performance.now() - began);
      const attempt = { message, type, at: new Date().toISOString(), took, error: failed?.message ?? null };
      await noteDelivery(database, delivery, attempt);
      if (failed && !isTest) throw failed;
      return 1;
    },
    onSetAside: ({ payload }, error) =>
      switchOff(database, payload as Delivery, error instanceof Error ? error.message : String(error)),
  };
}
