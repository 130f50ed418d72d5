import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import type { Client } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { findEnabledClient } from '../loaders/tokens/oauth2.ts';
import type { Scope } from '../scope.ts';
import { saveCode } from '../store/tokens/oauth2-codes.ts';
import { createOAuth2Server, type LibraryModel, libraryClient, messagesFor, outcomeOf } from './library.ts';
import { type OAuth2Parameters, withParameters } from './parameters.ts';
import { isRegistered } from './redirect-uris.ts';

type User = { readonly id: string } | undefined;

export interface AuthorizationRequest {
  readonly client: OAuth2Client;
  readonly redirectUri: string;
  readonly isUriGiven: boolean;
}

/**
 * Reads a request to /authorize. Errors are shown to the user instead of being sent to the redirect URI, because
 * the URI has not been verified yet.
 * @throws Invalid if the client does not exist, or if the URI is not one of its registered URIs
 */
export async function readAuthorizationRequest(
  db: Pick<Client, 'prisma'>,
  { client_id: clientId, redirect_uri: redirectUri }: OAuth2Parameters,
): Promise<AuthorizationRequest> {
  if (clientId === undefined) throw new Invalid('client_id is missing.');
  const client = await findEnabledClient(db, clientId);
  if (!client) throw new Invalid(`client_id: there is no client ${clientId}.`);
  const [only, ...others] = client.redirectUris;
  if (redirectUri === undefined) {
    if (only === undefined || others.length > 0) throw new Invalid('redirect_uri is missing.');
    return { client, redirectUri: only, isUriGiven: false };
  }
  if (!isRegistered(client.redirectUris, redirectUri))
    throw new Invalid('redirect_uri is not registered for this client.');
  return { client, redirectUri, isUriGiven: true };
}

/**
 * Creates the storage that the OAuth library calls. Without a user and a database, the library only validates the
 * request, and the authorization code that the library generates is discarded.
 */
function modelOf(
  { client, redirectUri: verifiedUri, isUriGiven }: AuthorizationRequest,
  user: User,
  db: Scope['db'] | undefined,
): LibraryModel {
  return {
    // The library would not accept another port of a loopback URI, so it only learns the URI that has been verified.
    getClient: async () => libraryClient({ ...client, redirectUris: [verifiedUri] }),
    generateAuthorizationCode: async () => randomBytes(32).toString('base64url'),
    saveAuthorizationCode: async (code, clientOfCode, libraryUser) => {
      if (db && user) {
        const { expiresAt, redirectUri, scope = [], codeChallenge, codeChallengeMethod } = code;
        await saveCode({ db }, code.authorizationCode, {
          clientId: client.id,
          userId: user.id,
          redirectUri,
          isUriGiven,
          expiresAt,
          scope,
          challenge: codeChallenge ?? null,
          challengeMethod: codeChallenge ? (codeChallengeMethod ?? 'plain') : null,
        });
      }
      return { ...code, client: clientOfCode, user: libraryUser };
    },
  };
}

/** Adds the response parameters and the request's `state` to the query of the client's redirect URI. */
const answerUrl = (
  { redirectUri }: AuthorizationRequest,
  { state }: OAuth2Parameters,
  answer: OAuth2Parameters,
): string => withParameters(redirectUri, { ...answer, ...(state !== undefined && { state }) });

async function authorize(
  request: Request,
  parameters: OAuth2Parameters,
  { authorization, user, db }: { authorization: AuthorizationRequest; user?: User; db?: Scope['db'] },
) {
  const authenticateHandler = { handle: () => user ?? { id: '' } };
  const server = createOAuth2Server(modelOf(authorization, user, db));
  return outcomeOf(() => server.authorize(...messagesFor(request, {}, parameters), { authenticateHandler }));
}

/**
 * Returns the URL to which the browser is redirected if the request is invalid. Returns undefined if the request is
 * valid and the user can be asked for consent.
 */
export async function refusalUrl(
  request: Request,
  parameters: OAuth2Parameters,
  authorization: AuthorizationRequest,
): Promise<string | undefined> {
  const outcome = await authorize(request, parameters, { authorization });
  return 'refused' in outcome ? answerUrl(authorization, parameters, { ...outcome.refused }) : undefined;
}

/**
 * Returns the URL, including an authorization code, to which the browser is redirected after the user has
 * consented.
 */
export async function codeUrl(
  request: Request,
  parameters: OAuth2Parameters,
  consent: { authorization: AuthorizationRequest; user: { readonly id: string }; db: Scope['db'] },
): Promise<string> {
  const outcome = await authorize(request, parameters, consent);
  const answer = 'refused' in outcome ? { ...outcome.refused } : { code: outcome.made.authorizationCode };
  return answerUrl(consent.authorization, parameters, answer);
}

export const denialUrl = (parameters: OAuth2Parameters, authorization: AuthorizationRequest): string =>
  answerUrl(authorization, parameters, {
    error: 'access_denied',
    error_description: 'The user denied access.',
  });
