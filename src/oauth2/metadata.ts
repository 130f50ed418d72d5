import { type Request, type RequestHandler, Router } from 'express';
import { oauth2Path } from '../auth/session.ts';
import { scopeOfPath } from '../auth/token-scope.ts';
import type { Config } from '../config.ts';
import { MethodNotAllowed } from '../errors.ts';
import { extensions } from '../extensions/loaded.ts';
import { originOf } from '../http/caller.ts';
import { protectedResource } from '../http/protected-resource.ts';
import { grantTypes } from './library.ts';

const allowOnlyGet: RequestHandler = ({ method }) => {
  throw new MethodNotAllowed(method, ['GET', 'HEAD']);
};

/**
 * Serves the documents by which clients discover how to get tokens: one about the authorization server (RFC 8414), and
 * one about each handler of an extension that is a protected resource (RFC 9728). Each is at the address that the RFC
 * derives from the issuer or the resource and, for clients behind a proxy that forwards only CONTEXT_PATH, below it.
 */
export function oauth2Metadata(config: Config): Router {
  const { CONTEXT_PATH: contextPath } = config;
  const issuerOf = (request: Request): string => `${originOf(config)(request)}${contextPath}`;
  const router = Router({ caseSensitive: true });
  const serve = (name: string, path: string, of: (issuer: string) => object): void => {
    const addresses = new Set([
      `/.well-known/${name}${contextPath}${path}`,
      `${contextPath}/.well-known/${name}${path}`,
    ]);
    router
      .route([...addresses])
      .get((request, response) => void response.json(of(issuerOf(request))))
      .all(allowOnlyGet);
  };
  const resources = extensions().flatMap(({ handlers = [] }) => handlers.filter(({ oauth }) => oauth));
  serve('oauth-authorization-server', '', (issuer) => ({
    issuer,
    authorization_endpoint: `${issuer}${oauth2Path}/authorize`,
    token_endpoint: `${issuer}${oauth2Path}/token`,
    response_types_supported: ['code'],
    grant_types_supported: grantTypes,
    code_challenge_methods_supported: ['S256', 'plain'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    scopes_supported: resources.map(({ path }) => scopeOfPath(path)),
  }));
  for (const { path } of resources)
    serve(protectedResource, path, (issuer) => ({
      resource: `${issuer}${path}`,
      authorization_servers: [issuer],
      scopes_supported: [scopeOfPath(path)],
      bearer_methods_supported: ['header'],
    }));
  return router;
}
