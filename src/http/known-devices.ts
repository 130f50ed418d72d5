import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { cookieOf } from '../auth/cookies.ts';
import type { Services } from '../services.ts';
import { recordDevice } from '../store/tokens/known-devices.ts';
import { requestLanguage } from './caller.ts';
import { clientAddress, isSecure } from './identify.ts';
import { requestStateOf } from './request-state.ts';

/**
 * The name of the cookie by which a browser is recognized at the next sign-in. The cookie grants no access.
 */
const name = 'quire-device';

/** The lifetime of the cookie in milliseconds, which is the maximum that browsers accept. */
const lifetime = 400 * 86_400_000;

/**
 * Creates a function that is called after each sign-in with a form. It emails users about sign-ins from browsers that
 * they have not used before.
 */
export const deviceRecorder =
  (services: Pick<Services, 'config' | 'database' | 'model' | 'secrets'>) =>
  async (request: Request, response: Response, userId: string): Promise<void> => {
    const { config, database } = services;
    const known = cookieOf(request.headers, name);
    const token =
      known !== undefined && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url');
    const signIn = {
      userId,
      token,
      address: clientAddress(request),
      browser: request.get('User-Agent') ?? '',
      language: requestLanguage(request),
    };
    await database
      .metered(requestStateOf(response).meter)
      .transaction(config.TRANSACTION_TIMEOUT, (db) => recordDevice({ db, services }, signIn));
    response.cookie(name, token, {
      path: `${config.CONTEXT_PATH}/`,
      httpOnly: true,
      sameSite: 'strict',
      secure: isSecure(request, config.PUBLIC_URL),
      maxAge: lifetime,
    });
  };
