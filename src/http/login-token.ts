import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { Invalid, MethodNotAllowed } from '../errors.ts';
import { type Caller, type Run, toOperation } from '../operation.ts';
import { call, input } from '../selection.ts';

/** What the address calls what the schema knows. */
const parameters = {
  application: 'applicationName',
  deviceId: 'deviceId',
  deviceDescription: 'deviceDescription',
  permission: 'permission',
} as const;
/** What must be said to take a token back, and what to get one. */
const revoking = ['application', 'deviceId'] as const;
const creating = [...revoking, 'permission'] as const;

const named = (...names: string[]) => Object.fromEntries(names.map((name) => [name, input(name)]));

/** The device in the query. @throws Invalid when a parameter is missing. */
function deviceOf(
  query: Record<string, unknown>,
  required: readonly (keyof typeof parameters)[],
): Record<string, string> {
  const given = Object.entries(parameters).map(([name, parameter]) => {
    const [value = ''] = [query[parameter]].flat();
    return [name, String(value)] as const;
  });
  const device = Object.fromEntries(given);
  for (const name of required) if (!device[name]) throw new Invalid(`${parameters[name]} is missing`);
  return device;
}

/**
 * §5: `GET /authentication/token` gives the caller a login token for a device, or takes it back with `revoke=true`;
 * answers are text. For callers who are identified.
 */
export function loginToken(
  schema: GraphQLSchema,
  run: Run,
  callerOf: (...args: Parameters<RequestHandler>) => Caller,
): Router {
  const device = named(...Object.keys(parameters));
  const create = toOperation(schema, 'mutation', { createToken: call(device) });
  const revoke = toOperation(schema, 'mutation', { revokeToken: call(named(...revoking)) });
  const router = Router();
  const serve: RequestHandler = async (request, response, next) => {
    const isRevoking = request.query.revoke === 'true';
    const inputs = deviceOf(request.query, isRevoking ? revoking : creating);
    const caller = callerOf(request, response, next);
    response.set('Cache-Control', 'no-store').type('text');
    if (!isRevoking) {
      const { createToken } = await run(caller, 'mutation', (ask) => ask(create, inputs));
      return response.status(201).send(String(createToken));
    }
    const { revokeToken } = await run(caller, 'mutation', (ask) => ask(revoke, inputs));
    const whose = `for userName ${caller.user.id}, applicationName ${inputs.application}, deviceId ${inputs.deviceId}`;
    if (revokeToken) return response.status(202).send(`Token revoked ${whose}.`);
    return response.status(400).send(`No token found ${whose}; nothing to do.`);
  };
  router.get('/token', serve);
  router.all('/token', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
  return router;
}
