import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { codeLifetime } from '../store/tokens/oauth2-codes.ts';
import { accessLifetime } from '../store/tokens/oauth2-tokens.ts';
import type { OAuth2Parameters } from './parameters.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The supported grant types, all of which are available to every client. */
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

/** The storage interface that the library calls. Each endpoint implements only the methods that it needs. */
export type LibraryModel = Partial<WholeModel>;

export const createOAuth2Server = (
  model: LibraryModel,
  extendedGrantTypes: Record<string, typeof OAuth2Server.AbstractGrantType> = {},
): OAuth2Server =>
  new OAuth2Server({
    model: model as WholeModel,
    allowEmptyState: true,
    // RFC 7636 permits the code challenge method `plain`, and existing clients use it.
    ...({ enablePlainPKCE: true } as object),
    authorizationCodeLifetime: codeLifetime,
    accessTokenLifetime: accessLifetime,
    extendedGrantTypes,
    // `authenticateClient` has already verified the secrets of confidential clients.
    requireClientAuthentication: Object.fromEntries(grantTypes.map((grant) => [grant, false])),
  });

/** Creates request and response objects for the library. The response object is never sent. */
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
 * Calls the library and returns the result or, if the library rejects the request, the OAuth 2.0 error.
 * @throws any other error, unwrapped from the library's `ServerError`
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
