import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Scope } from '../scope.ts';
import { saveCode } from '../store/oauth2-codes.ts';
import type { Asking } from './clients.ts';
import { exchangeOf, libraryClient, libraryOver, type Model, refusable } from './library.ts';
import { type Parameters, withParameters } from './parameters.ts';

/** Whoever answers the question; nobody yet, where only the request is to be looked at. */
type User = { readonly id: string } | undefined;

/** How the library makes a code: kept when somebody consents, else forgotten. */
function modelOf({ client, isUriGiven }: Asking, user: User, db: Scope['db'] | undefined): Model {
  return {
    getClient: async () => libraryClient(client),
    generateAuthorizationCode: async () => randomBytes(32).toString('base64url'),
    saveAuthorizationCode: async (code, libraryClientOfCode, libraryUser) => {
      if (db && user) {
        const { expiresAt, redirectUri, scope = [], codeChallenge, codeChallengeMethod } = code;
        await saveCode({ db }, code.authorizationCode, {
          ...{ clientId: client.id, userId: user.id, redirectUri, isUriGiven, expiresAt, scope },
          challenge: codeChallenge ?? null,
          challengeMethod: codeChallenge ? (codeChallengeMethod ?? 'plain') : null,
        });
      }
      return { ...code, client: libraryClientOfCode, user: libraryUser };
    },
  };
}

/** Where the browser is to go with an answer for the client. */
const answerAt = ({ redirectUri }: Asking, { state }: Parameters, answer: Parameters): string =>
  withParameters(redirectUri, { ...answer, ...(state !== undefined && { state }) });

async function ask(
  request: Request,
  parameters: Parameters,
  { asking, user, db }: { asking: Asking; user?: User; db?: Scope['db'] },
) {
  const authenticateHandler = { handle: () => user ?? { id: '' } };
  const library = libraryOver(modelOf(asking, user, db));
  return refusable(() => library.authorize(...exchangeOf(request, {}, parameters), { authenticateHandler }));
}

/** Where to go with what the protocol says against a request; nowhere when it may be asked. */
export async function refusalAt(
  request: Request,
  parameters: Parameters,
  asking: Asking,
): Promise<string | undefined> {
  const outcome = await ask(request, parameters, { asking });
  return 'refused' in outcome ? answerAt(asking, parameters, { ...outcome.refused }) : undefined;
}

/** Where to go with a code for a client that the user lets in. */
export async function codeAt(
  request: Request,
  parameters: Parameters,
  consent: { asking: Asking; user: { readonly id: string }; db: Scope['db'] },
): Promise<string> {
  const outcome = await ask(request, parameters, consent);
  const answer = 'refused' in outcome ? { ...outcome.refused } : { code: outcome.made.authorizationCode };
  return answerAt(consent.asking, parameters, answer);
}

/** Where to go with a No. */
export const denialAt = (parameters: Parameters, asking: Asking): string =>
  answerAt(asking, parameters, {
    error: 'access_denied',
    error_description: 'the user does not want it',
  });
