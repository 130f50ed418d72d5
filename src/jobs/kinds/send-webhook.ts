import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createOutwardClient, RefusedAddress } from '../../security/private-addresses.ts';
import type { Services } from '../../services.ts';
import { type Delivery, switchOff, targetOf, webhookJob } from '../../store/webhooks/delivery.ts';
import { openWebhookSecret } from '../../store/webhooks/webhook-secret.ts';
import { Final, type JobKind } from '../job-runner.ts';

interface Post {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** The timeout of a request in milliseconds, from the DNS lookup to the head of the response. */
const timeout = 10_000;

const maxRedirects = 3;

/** Creates a function that posts to public addresses and to addresses within `networks`. */
function createPost(networks: readonly string[]) {
  const ask = createOutwardClient(networks);

  const postOnce = async (url: URL, { body, headers, signal }: Post): Promise<IncomingMessage> => {
    const response = await ask(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    }).catch((error: Error) => {
      throw error.name === 'AbortError' ? new Error(`no answer within ${timeout / 1000} s`) : error;
    });
    return response.destroy();
  };

  const asFinal = (error: unknown): never => {
    throw error instanceof RefusedAddress ? new Final(error.message) : error;
  };

  /**
   * Posts, and follows redirects that preserve the method and the body (307 and 308).
   * @returns the status of the last response.
   * @throws Final when an address is refused, or a redirect leaves HTTPS or HTTP
   */
  return async (address: string, post: Post): Promise<number> => {
    let url = new URL(address);
    for (let count = 0; count <= maxRedirects; count += 1) {
      const { statusCode: status = 0, headers } = await postOnce(url, post).catch(asFinal);
      const { location } = headers;
      if ((status !== 307 && status !== 308) || location === undefined) return status;
      if (!URL.canParse(location, url))
        throw new Error(`it redirects to no address: ${location.slice(0, 80)}`);
      const next = new URL(location, url);
      const isWeaker = url.protocol === 'https:' && next.protocol !== 'https:';
      if (isWeaker || !/^https?:$/.test(next.protocol))
        throw new Final(`it redirects to ${next.protocol}, which is not followed`);
      url = next;
    }
    throw new Error(`it redirects more than ${maxRedirects} times`);
  };
}

/** Seconds to wait before each retry, a day in total. */
const delays = [10, 60, 300, 900, 3_600, 10_800, 21_600, 21_600, 28_800] as const;

const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');

/** The signature headers defined by https://www.standardwebhooks.com, which its libraries verify. */
function signed(id: string, secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const isGone = 410;

export function sendWebhook({ config, database, secrets }: Services): JobKind {
  const post = createPost(config.WEBHOOK_PRIVATE_ADDRESSES);
  return {
    name: webhookJob,
    maxConcurrent: 8,
    delays,
    run: async ({ payload }, signal) => {
      const delivery = payload as Delivery;
      const { message, type, timestamp, data } = delivery;
      const target = await targetOf(database, delivery);
      if (!target) return undefined;
      if (!target.isEnabled) throw new Final('the webhook is switched off');
      const secret = openWebhookSecret(secrets, target.sealedSecret);
      if (secret === undefined)
        throw new Final('its secret cannot be decrypted: TOKEN_KEY is another one than when it was written');
      const body = JSON.stringify({ type, timestamp, data });
      const headers = { 'Content-Type': 'application/json', ...signed(message, secret, body) };
      const status = await post(target.url, { body, headers, signal });
      if (status === isGone) throw new Final(`it answered ${status}`);
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
      return 1;
    },
    onSetAside: ({ payload }, error) =>
      switchOff(database, payload as Delivery, error instanceof Error ? error.message : String(error)),
  };
}
