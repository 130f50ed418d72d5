import type { Request, Response } from 'express';
import { createPasswordVerifier } from '../auth/password-verifier.ts';
import type { Client } from '../db/database.ts';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { clientAddress } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import { findEnabledClient } from '../loaders/tokens/oauth2.ts';
import type { LoginAttempts } from '../security/login-attempts.ts';
import type { Services } from '../services.ts';
import { createOAuth2Server, messagesFor, type OAuth2Refusal, outcomeOf } from './library.ts';
import { formOf, type OAuth2Parameters } from './parameters.ts';
import { grantTokens, refusedGrant, type TokenResponse } from './tokens.ts';

interface ClientContext {
  readonly db: Pick<Client, 'prisma'>;
  readonly address: string;
  readonly attempts: Pick<LoginAttempts, 'runCounted'>;
  readonly verifyPassword: ReturnType<typeof createPasswordVerifier>;
}

/**
 * Verifies the secret of the client that calls the token endpoint. This happens before the transaction begins, because
 * a transaction would occupy a database connection while waiting for the secret to be hashed.
 * @throws TooManyRequests
 */
async function authenticateClient(
  { db, address, attempts, verifyPassword }: ClientContext,
  request: Request,
  parameters: OAuth2Parameters,
): Promise<{ client: OAuth2Client } | { refused: OAuth2Refusal }> {
  let credentials: { readonly clientId: string; readonly secret: string } | undefined;
  // This call only extracts the credentials, which can be in several places in a request. The library always rejects
  // the request, because `getClient` returns no client. If the client or the secret is wrong, the library's error
  // becomes the response.
  const reader = createOAuth2Server({
    getClient: async (clientId, secret) => {
      credentials = { clientId, secret: secret ?? '' };
      return undefined;
    },
  });
  const outcome = await outcomeOf(() => reader.token(...messagesFor(request, {}, parameters)));
  if (!('refused' in outcome)) throw new Error('a request without a client was granted');
  if (!credentials) return outcome;
  const { clientId, secret } = credentials;
  const client = await findEnabledClient(db, clientId);
  if (!client) return outcome;
  const { secretHash } = client;
  if (secretHash === null) return { client };
  const verify = async () => (await verifyPassword(secretHash, secret)) || undefined;
  return (await attempts.runCounted(address, `OAuth client ${clientId}`, verify)) ? { client } : outcome;
}

/** §5 `POST /oauth2/token`: responds with 400 if a request violates OAuth 2.0. */
export function tokenEndpoint(services: Services) {
  const { attempts, config, database } = services;
  const verifyPassword = createPasswordVerifier();
  const answer = async (
    request: Request,
    response: Response,
    form: OAuth2Parameters,
  ): Promise<{ made: TokenResponse } | { refused: OAuth2Refusal }> => {
    const refused = refusedGrant(form);
    if (refused) return { refused };
    const metered = database.metered(requestStateOf(response).meter);
    const context = { db: metered, address: clientAddress(request), attempts, verifyPassword };
    const found = await authenticateClient(context, request, form);
    if ('refused' in found) return found;
    return metered.transaction(config.TRANSACTION_TIMEOUT, (db) =>
      grantTokens({ db, services, client: found.client }, request, form),
    );
  };
  return async (request: Request, response: Response): Promise<void> => {
    const address = clientAddress(request);
    attempts.requireNotBlocked(address, undefined);
    const outcome = await answer(request, response, formOf(request));
    if ('made' in outcome) return void response.json(outcome.made);
    if (outcome.refused.error === 'invalid_grant') attempts.recordFailure(address, undefined); // the token may have been guessed
    response.status(400).json(outcome.refused);
  };
}
