import { expect, test } from '@jest/globals';
import { examples } from '../../src/openapi/examples/index.ts';
import { withOperationRoutes } from '../../src/rest/automation/call-routes.ts';
import { routes as table } from '../../src/rest/routes.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const routes = withOperationRoutes(table);

const server = useServer();
const ann = useUser(server, 'ann');

const hidden = routes.filter(({ isHidden, openApiPath }) => isHidden && openApiPath === undefined);
const others = hidden.filter(({ operation }) => operation === undefined);

test('§5 calls for administrators are hidden, operations and others', () => {
  expect(others.length).toBeGreaterThan(15);
  expect(hidden.length).toBeGreaterThan(others.length);
});

test.each(others.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '§5 %s is 403 for others',
  async (_, { method, path, name }) => {
    const address = `/api/v1${path.replaceAll(/:\w+/g, '1')}`;
    const body = examples[name]?.body as object | undefined;
    const { body: answer } = await ann[method](address).send(body).expect(403);
    expect(answer.message).toMatch(
      /^Only administrators can .*; ann is not one\.$|^Not allowed to edit directory/,
    );
  },
);
