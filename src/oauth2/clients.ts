import type { Request } from 'express';
import type { createPasswordVerifier } from '../auth/password-verifier.ts';
import type { Client } from '../db/database.ts';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { findEnabledClient } from '../loaders/tokens/oauth2.ts';
import type { LoginAttempts } from '../security/login-attempts.ts';
import { createOAuth2Server, messagesFor, type OAuth2Refusal, outcomeOf } from './library.ts';
import type { OAuth2Parameters } from './parameters.ts';

interface ClientContext {
  readonly db: Pick<Client, 'prisma'>;
  readonly address: string;
  readonly attempts: Pick<LoginAttempts, 'runCounted'>;
  readonly verifyPassword: ReturnType<typeof createPasswordVerifier>;
}

/**
 * The client of a request to the token endpoint, its secret verified. Not within a transaction, which would
 * keep a connection while the secret waits for its turn. @throws TooManyRequests
 */
export async function authenticateClient(
  { db, address, attempts, verifyPassword }: ClientContext,
  request: Request,
  parameters: OAuth2Parameters,
): Promise<{ client: OAuth2Client } | { refused: OAuth2Refusal }> {
  let given: { readonly clientId: string; readonly secret: string } | undefined;
  // The library reads where the credentials may be, and refuses a client that is not found.
  const reader = createOAuth2Server({
    getClient: async (clientId, secret) => {
      given = { clientId, secret: secret ?? '' };
      return undefined;
    },
  });
  const outcome = await outcomeOf(() => reader.token(...messagesFor(request, {}, parameters)));
  if (!('refused' in outcome)) throw new Error('a request without a client was granted');
  if (!given) return outcome;
  const { clientId, secret } = given;
  const client = await findEnabledClient(db, clientId);
  if (!client) return outcome;
  const { secretHash } = client;
  if (secretHash === null) return { client };
  const verify = async () => (await verifyPassword(secretHash, secret)) || undefined;
  return (await attempts.runCounted(address, `OAuth client ${clientId}`, verify)) ? { client } : outcome;
}
