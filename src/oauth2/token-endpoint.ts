import type { Request, Response } from 'express';
import { createPasswordVerifier } from '../auth/password-verifier.ts';
import { clientAddress } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import { authenticateClient } from './clients.ts';
import type { OAuth2Refusal } from './library.ts';
import { formOf, type OAuth2Parameters } from './parameters.ts';
import type { OAuth2Services } from './services.ts';
import { grantTokens, refusedGrant, type TokenResponse } from './tokens.ts';

/** §5 `POST /oauth2/token`: a refusal of the protocol is a 400. */
export function tokenEndpoint({ database, secrets, authentication, transactionTimeout }: OAuth2Services) {
  const { attempts } = authentication;
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
    return metered.transaction(transactionTimeout, (db) =>
      grantTokens({ db, secrets, client: found.client }, request, form),
    );
  };
  return async (request: Request, response: Response): Promise<void> => {
    const address = clientAddress(request);
    attempts.requireNotBlocked(address, undefined);
    const outcome = await answer(request, response, formOf(request));
    if ('made' in outcome) return void response.json(outcome.made);
    if (outcome.refused.error === 'invalid_grant') attempts.recordFailure(address, undefined); // a guess, perhaps
    response.status(400).json(outcome.refused);
  };
}
