import type { Request, RequestHandler } from 'express';
import { scopeOfPath } from '../auth/token-scope.ts';
import type { Config } from '../config.ts';
import { originOf } from './caller.ts';

/** The well-known name of the documents that describe protected resources (RFC 9728). */
export const protectedResource = 'oauth-protected-resource';

/**
 * Authenticates the requests for a protected resource. Without valid credentials, the response names the document by
 * which clients discover how to get a token, and the scope to request (RFC 9728, section 5.1).
 * @param path the path of the resource, relative to CONTEXT_PATH
 */
export function identifyAt(path: string, identified: RequestHandler, config: Config): RequestHandler {
  const challengeOf = (request: Request): string => {
    const metadata = `${originOf(config)(request)}${config.CONTEXT_PATH}/.well-known/${protectedResource}${path}`;
    return `Bearer resource_metadata="${metadata}", scope="${scopeOfPath(path)}"`;
  };
  return async (request, response, next) => {
    response.set('WWW-Authenticate', challengeOf(request));
    await identified(request, response, () => {});
    response.removeHeader('WWW-Authenticate');
    next();
  };
}
