import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { codeLifetime } from '../store/tokens/oauth2-codes.ts';
import { accessLifetime } from '../store/tokens/oauth2-tokens.ts';
import type { OAuth2Parameters } from './parameters.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The grant types, which every client can use. */
export const grantTypes = ['authorization_code', 'refresh_token', jwtBearer];

export const libraryClient = ({ id, redirectUris }: OAuth2Client): OAuth2Server.Client => ({
  id: String(id),
  grants: grantTypes,
  redirectUris,
});

export interface OAuth2Refusal {
  readonly error: string;
  readonly error_description: string;
}

type WholeModel = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

/** The storage interface that the library calls. Each endpoint implements only the part it needs. */
export type LibraryModel = Partial<WholeModel>;

export const createOAuth2Server = (
  model: LibraryModel,
  extendedGrantTypes: Record<string, typeof OAuth2Server.AbstractGrantType> = {},
): OAuth2Server =>
  new OAuth2Server({
    model: model as WholeModel,
    allowEmptyState: true,
    // RFC 7636 permits the challenge method `plain`, and existing clients use it.
    ...({ enablePlainPKCE: true } as object),
    authorizationCodeLifetime: codeLifetime,
    accessTokenLifetime: accessLifetime,
    extendedGrantTypes,
    // The secrets of confidential clients have been verified before, in `authenticateClient`.
    requireClientAuthentication: Object.fromEntries(grantTypes.map((grant) => [grant, false])),
  });

/** Creates the request and response objects for the library. The response is not sent. */
export function messagesFor(
  { headers, method }: Request,
  query: OAuth2Parameters,
  body: OAuth2Parameters = {},
): [OAuth2Server.Request, OAuth2Server.Response] {
  const request = new OAuth2Server.Request({
    headers: headers as Record<string, string>,
    method,
    query,
    body,
  });
  return [request, new OAuth2Server.Response({})];
}

/**
 * Runs a call of the library and returns its result, or the refusal defined by the protocol.
 * @throws any other error, unwrapped from the `ServerError` of the library.
 */
export async function outcomeOf<T>(
  work: () => Promise<T>,
): Promise<{ made: T } | { refused: OAuth2Refusal }> {
  try {
    return { made: await work() };
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error;
    if (error instanceof OAuth2Server.ServerError) throw (error as { inner?: unknown }).inner ?? error;
    return { refused: { error: error.name, error_description: error.message } };
  }
}
