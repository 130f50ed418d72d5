import type { Request, Response } from 'express';
import type { LoggedInAccount } from '../auth/log-in.ts';
import { consoleSession, createSessions } from '../auth/session.ts';
import type { Services } from '../services.ts';
import { forgetSession, storeSession } from '../store/tokens/sessions.ts';
import { clientAddress, isSecure } from './identify.ts';
import type { deviceRecorder } from './known-devices.ts';
import { requestStateOf } from './request-state.ts';

/** The identity provider at which a session began. */
interface SessionOrigin {
  readonly provider?: string;
  /** The id of the row for the session at the provider. */
  readonly identitySession?: string;
}

/** The sessions of the console, which are stored so that users can see and end them. */
export interface ConsoleSessions {
  /** Starts a session for an account whose credentials have been verified, and sets the session cookie. */
  begin(
    request: Request,
    response: Response,
    account: LoggedInAccount,
    /** The session at an identity provider, if the user signed in with one. */
    origin?: SessionOrigin,
  ): Promise<void>;
  /** Ends the session of the request, if it has one, and clears its cookie. */
  end(request: Request, response: Response): Promise<void>;
}

export function createConsoleSessions(
  services: Pick<Services, 'config' | 'database' | 'identityProviders' | 'secrets'>,
  recordDevice: ReturnType<typeof deviceRecorder>,
): ConsoleSessions {
  const { config, database } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl, TRANSACTION_TIMEOUT: timeout } = config;
  const sessions = createSessions(services, consoleSession);
  const dbOf = (response: Response) => database.metered(requestStateOf(response).meter);
  const reachOf = (request: Request) => ({ contextPath, isSecure: isSecure(request, publicUrl) });
  return {
    begin: async (request, response, account, { provider, identitySession } = {}) => {
      const id = await storeSession(dbOf(response), {
        userId: account.id,
        address: clientAddress(request),
        browser: request.get('User-Agent') ?? '',
        endsAt: new Date(Date.now() + consoleSession.lifetime),
        provider: provider ?? account.directory,
        identitySessionId: identitySession,
      });
      sessions.begin(response, account, reachOf(request), { id, identitySession });
      await recordDevice(request, response, account.id);
    },
    end: async (request, response) => {
      sessions.end(response, reachOf(request));
      const sealed = sessions.sealedOf(request.headers);
      const id = sealed === undefined ? undefined : sessions.idOf(sealed);
      if (id !== undefined) await dbOf(response).transaction(timeout, (db) => forgetSession(db, id));
    },
  };
}
