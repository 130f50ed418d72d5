import type { RequestHandler } from 'express';
import { Kind, OperationTypeNode, parse } from 'graphql';
import type { Authentication } from '../auth/index.ts';
import { Forbidden, Invalid, NotFound } from '../errors.ts';
import { requireAdministrator } from '../security/principal.ts';
import type { Services } from '../services.ts';
import { clientAddress, currentUser } from './identify.ts';
import { requestStateOf } from './request-state.ts';

/** The header with which an administrator reads as another user. */
const header = 'x-view-as';

/** Whether a text contains only queries. GraphQL reports the errors of a text that cannot be parsed. */
function isReadOnly(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    return parse(text).definitions.every(
      (node) => node.kind !== Kind.OPERATION_DEFINITION || node.operation === OperationTypeNode.QUERY,
    );
  } catch {
    return true;
  }
}

/**
 * Lets an administrator see what another user sees. The rest of the request runs as this user, so the server's own
 * permission checks decide. Only queries are accepted, and the administrator is logged.
 * @throws Forbidden, NotFound, Invalid
 */
export const viewAs =
  ({ journal }: Pick<Services, 'journal'>, { principalNamed }: Authentication): RequestHandler =>
  async (request, response, next) => {
    const sent = request.get(header);
    if (sent === undefined) return next();
    const administrator = currentUser(response);
    requireAdministrator(administrator, 'view as another user');
    let name: string;
    try {
      name = decodeURIComponent(sent);
    } catch {
      throw new Invalid('X-View-As must be a user name in percent-encoding.');
    }
    const { query } = ((request.method === 'GET' ? request.query : request.body) ?? {}) as {
      query?: unknown;
    };
    if (!isReadOnly(query)) throw new Forbidden(`Nothing can be changed while you view as ${name}.`);
    const state = requestStateOf(response);
    const user = await principalNamed(name, state.meter);
    if (!user) throw new NotFound(`user does not exist: ${name}`);
    journal.viewedAs({ username: administrator.id, as: user.id, address: clientAddress(request) });
    state.user = user;
    next();
  };

/** Rejects requests with the header where it has no effect, so that nobody takes their result for that of the user. */
export const withoutViewAs: RequestHandler = (request, _, next) => {
  if (request.get(header) !== undefined)
    throw new Forbidden('X-View-As is accepted only at /graphql, for queries.');
  next();
};
