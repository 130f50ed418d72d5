import type { Request, Response } from 'express';
import { createVerified } from '../auth/verified.ts';
import { addressOf } from '../http/identify.ts';
import { progressOf } from '../http/progress.ts';
import { verifyPassword } from '../store/passwords.ts';
import { formOf } from './parameters.ts';
import type { OAuth2Services } from './services.ts';
import { type Granting, grantTokens } from './tokens.ts';

/** §5 `POST /oauth2/token`: what is refused is 400, with what the protocol says. */
export function tokenEndpoint({ database, secrets, authentication, transactionTimeout }: OAuth2Services) {
  const { attempts } = authentication;
  const verified = createVerified();
  const isSecret =
    (address: string): Granting['isSecret'] =>
    async ({ clientId, secretHash }, secret) => {
      const stored = secretHash ?? '';
      const account = `OAuth client ${clientId}`;
      attempts.admit(address, account);
      if (verified.has(stored, secret)) return true;
      const isRight = await verifyPassword(stored, secret);
      if (isRight) verified.add(stored, secret);
      else attempts.failed(address, account);
      return isRight;
    };
  return async (request: Request, response: Response): Promise<void> => {
    const address = addressOf(request);
    attempts.admit(address, undefined);
    const form = formOf(request);
    const outcome = await database
      .metered(progressOf(response).meter)
      .transaction(transactionTimeout, (db) =>
        grantTokens({ db, secrets, isSecret: isSecret(address) }, request, form),
      );
    if ('made' in outcome) return void response.json(outcome.made);
    if (outcome.refused.error === 'invalid_grant') attempts.failed(address, undefined); // it may be a guess
    response.status(400).json(outcome.refused);
  };
}
