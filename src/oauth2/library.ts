import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import type { OAuth2Client } from '../generated/prisma/client.ts';
import { codeLifetime } from '../store/oauth2-codes.ts';
import { accessLifetime } from '../store/oauth2-tokens.ts';
import type { Parameters } from './parameters.ts';

/** What every client may show for tokens, besides codes. */
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const grants = ['authorization_code', 'refresh_token', jwtBearer];

/** A client as the library knows one. */
export const libraryClient = ({ id, redirectUris }: OAuth2Client): OAuth2Server.Client => ({
  id: String(id),
  grants,
  redirectUris,
});

/** What the protocol says of a request that is wrong. */
export interface Refusal {
  readonly error: string;
  readonly error_description: string;
}

type WholeModel = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

/** What the library asks of whoever keeps clients, codes and tokens; each of its calls asks some. */
export type Model = Partial<WholeModel>;
type Exchange = [OAuth2Server.Request, OAuth2Server.Response];

/** The library over a model, with our lifetimes; a client without a secret need not show one. */
export const libraryOver = (
  model: Model,
  extendedGrantTypes: Record<string, typeof OAuth2Server.AbstractGrantType> = {},
): OAuth2Server =>
  new OAuth2Server({
    model: model as WholeModel,
    allowEmptyState: true,
    // RFC 7636 has it, and existing clients use it.
    ...({ enablePlainPKCE: true } as object),
    authorizationCodeLifetime: codeLifetime,
    accessTokenLifetime: accessLifetime,
    extendedGrantTypes,
    requireClientAuthentication: Object.fromEntries(grants.map((grant) => [grant, false])),
  });

/** A request for the library; it answers nobody by itself. */
export function exchangeOf({ headers, method }: Request, query: Parameters, body: Parameters = {}): Exchange {
  const request = new OAuth2Server.Request({
    headers: headers as Record<string, string>,
    method,
    query,
    body,
  });
  return [request, new OAuth2Server.Response({})];
}

/**
 * Runs work of the library.
 * @returns what it made, or what the protocol says against it.
 * @throws whatever else went wrong, which is no business of the client's.
 */
export async function refusable<T>(work: () => Promise<T>): Promise<{ made: T } | { refused: Refusal }> {
  try {
    return { made: await work() };
  } catch (error) {
    if (!(error instanceof OAuth2Server.OAuthError)) throw error;
    if (error instanceof OAuth2Server.ServerError) throw (error as { inner?: unknown }).inner ?? error;
    return { refused: { error: error.name, error_description: error.message } };
  }
}
