import type { Request, Response } from 'express';
import type { LoggedInAccount } from '../auth/log-in.ts';
import { secondStepOf } from '../auth/second-factor.ts';
import { createSessions, secondStepSession } from '../auth/session.ts';
import { Invalid } from '../errors.ts';
import type { Services } from '../services.ts';
import { isSecure } from './identify.ts';
import { requestStateOf } from './request-state.ts';

/** The step of a sign-in that follows a correct password, for accounts that have or need a second factor. */
export interface SecondStep {
  /**
   * Records in a cookie that the password was correct, and returns the step that follows. Returns undefined if the
   * password is sufficient.
   */
  begin(request: Request, response: Response, account: LoggedInAccount): 'code' | 'setup' | undefined;
  /**
   * Returns the account whose password was correct.
   * @throws Invalid if the password was entered too long ago, or if the account requires another step
   */
  accountOf(request: Request, response: Response, step: 'code' | 'setup'): Promise<LoggedInAccount>;
  end(request: Request, response: Response): void;
}

export function createSecondStep(
  services: Pick<Services, 'config' | 'database' | 'identityProviders' | 'secrets'>,
): SecondStep {
  const { config, database } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const sessions = createSessions(services, secondStepSession);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });
  return {
    begin: (request, response, account) => {
      const step = secondStepOf(config, account);
      if (step) sessions.begin(response, account, reachOf(request));
      return step;
    },
    accountOf: async (request, response, step) => {
      const sealed = sessions.sealedOf(request.headers);
      const db = database.metered(requestStateOf(response).meter);
      const session = sealed === undefined ? undefined : await sessions.read(sealed, db);
      if (!session || secondStepOf(config, session.account) !== step)
        throw new Invalid('The sign-in has expired. Enter the password again.');
      return session.account;
    },
    end: (request, response) => sessions.end(response, reachOf(request)),
  };
}
