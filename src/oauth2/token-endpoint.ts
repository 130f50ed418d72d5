import type { Request, Response } from 'express';
import { createPasswordVerifier } from '../auth/password-verifier.ts';
import { clientAddress } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import { formOf } from './parameters.ts';
import type { OAuth2Services } from './services.ts';
import { grantTokens, type TokenGrantContext } from './tokens.ts';

/** §5 `POST /oauth2/token`: a refusal of the protocol is a 400. */
export function tokenEndpoint({ database, secrets, authentication, transactionTimeout }: OAuth2Services) {
  const { attempts } = authentication;
  const verifyPassword = createPasswordVerifier();
  const secretVerifier =
    (address: string): TokenGrantContext['verifySecret'] =>
    async ({ clientId, secretHash }, secret) => {
      const account = `OAuth client ${clientId}`;
      attempts.requireNotBlocked(address, account);
      const isRight = await verifyPassword(secretHash, secret);
      if (!isRight) attempts.recordFailure(address, account);
      return isRight;
    };
  return async (request: Request, response: Response): Promise<void> => {
    const address = clientAddress(request);
    attempts.requireNotBlocked(address, undefined);
    const form = formOf(request);
    const outcome = await database
      .metered(requestStateOf(response).meter)
      .transaction(transactionTimeout, (db) =>
        grantTokens({ db, secrets, verifySecret: secretVerifier(address) }, request, form),
      );
    if ('made' in outcome) return void response.json(outcome.made);
    if (outcome.refused.error === 'invalid_grant') attempts.recordFailure(address, undefined); // a guess, perhaps
    response.status(400).json(outcome.refused);
  };
}
