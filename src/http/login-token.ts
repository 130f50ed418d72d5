import { type RequestHandler, Router } from 'express';
import type { GraphQLSchema } from 'graphql';
import { Invalid, MethodNotAllowed } from '../errors.ts';
import { toOperation } from '../selection/operation.ts';
import type { Caller, Run } from '../selection/run.ts';
import { call, input } from '../selection/selection.ts';

const parameters = {
  application: 'applicationName',
  deviceId: 'deviceId',
  deviceDescription: 'deviceDescription',
  permission: 'permission',
} as const;
const requiredToRevoke = ['application', 'deviceId'] as const;
const requiredToCreate = [...requiredToRevoke, 'permission'] as const;

const inputs = (...names: string[]) => Object.fromEntries(names.map((name) => [name, input(name)]));

/**
 * Reads the parameters that identify the device.
 * @throws Invalid if a required parameter is missing
 */
function deviceOf(
  query: Record<string, unknown>,
  required: readonly (keyof typeof parameters)[],
): Record<string, string> {
  const values = Object.entries(parameters).map(([name, parameter]) => {
    const [value = ''] = [query[parameter]].flat();
    return [name, String(value)] as const;
  });
  const device = Object.fromEntries(values);
  for (const name of required) if (!device[name]) throw new Invalid(`${parameters[name]} is missing`);
  return device;
}

/** §5: `GET /authentication/token` creates a login token, or revokes it with `revoke=true`. */
export function loginToken(
  schema: GraphQLSchema,
  run: Run,
  callerOf: (...args: Parameters<RequestHandler>) => Caller,
): Router {
  const device = inputs(...Object.keys(parameters));
  const create = toOperation(schema, 'mutation', { createToken: call(device) });
  const revoke = toOperation(schema, 'mutation', { revokeToken: call(inputs(...requiredToRevoke)) });
  const router = Router();
  const serve: RequestHandler = async (request, response, next) => {
    const isRevoking = request.query.revoke === 'true';
    const device = deviceOf(request.query, isRevoking ? requiredToRevoke : requiredToCreate);
    const caller = callerOf(request, response, next);
    response.set('Cache-Control', 'no-store');
    const answer = (status: number, text: string) => response.status(status).type('text').send(text);
    if (!isRevoking) {
      const { createToken } = await run(caller, 'mutation', (ask) => ask(create, device));
      return answer(201, String(createToken));
    }
    const { revokeToken } = await run(caller, 'mutation', (ask) => ask(revoke, device));
    const { application, deviceId } = device;
    const whose = `for userName ${caller.user.id}, applicationName ${application}, deviceId ${deviceId}`;
    if (revokeToken) return answer(202, `Token revoked ${whose}.`);
    return answer(400, `No token found ${whose}; nothing to do.`);
  };
  router.get('/token', serve);
  router.all('/token', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
  return router;
}
