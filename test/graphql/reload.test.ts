import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { newMeter } from '../../src/db/meter.ts';
import { createRunner, executeClientOperation } from '../../src/graphql/run.ts';
import { schema } from '../../src/schema/index.ts';
import type { Caller } from '../../src/selection/run.ts';
import { createDocument } from '../support/documents.ts';
import { testScope } from '../support/scope.ts';
import { useServer } from '../support/server.ts';

type Data = Record<string, unknown>;
type Ask = (mutation: string) => Promise<Data>;

const server = useServer();
let ask: Record<'compiled' | 'plain', Ask>;

beforeAll(() => {
  const { services } = server;
  const scope = testScope(server.database);
  const caller: Caller = { user: scope.user, meter: newMeter(), options: scope.options };
  const run = createRunner(schema, services);
  ask = {
    compiled: (text) =>
      run(caller, 'mutation', (askInside) =>
        askInside({ kind: 'mutation', document: parse(text), constants: {}, inputs: new Map() }, {}),
      ),
    plain: async (text) => {
      const result = await executeClientOperation(services, caller, { schema, document: parse(text) });
      expect(result.errors).toBeUndefined();
      return JSON.parse(JSON.stringify(result.data)) as Data;
    },
  };
});

describe.each(['compiled', 'plain'] as const)('A mutation field of an operation that is %s', (kind) => {
  test('returns the ACLs after its own change', async () => {
    await createDocument(server, { parent: '/', name: `acls-${kind}` });
    const add = (alias: string, username: string) => `${alias}: addAce(path: "/acls-${kind}",
      ace: {username: "${username}", permission: "Read"}) { acls { name aces { username } } }`;
    const local = (...names: string[]) =>
      expect.arrayContaining([{ name: 'local', aces: names.map((username) => ({ username })) }]);
    const data = await ask[kind](`mutation { ${add('a', 'members')} ${add('b', 'administrators')} }`);
    expect(data).toEqual({ a: { acls: local('members') }, b: { acls: local('members', 'administrators') } });
  });

  test('counts the children that exist after it', async () => {
    await createDocument(server, { parent: '/', name: `full-${kind}` });
    const path = `/full-${kind}`;
    const count = (alias: string) =>
      `${alias}: updateDocument(path: "${path}", document: {}) { children { resultsCount } }`;
    const create = `made: createDocument(parentPath: "${path}", document: {name: "one", type: "File"}) { path }`;
    const data = await ask[kind](`mutation { ${count('before')} ${create} ${count('after')} }`);
    expect(data).toEqual({
      before: { children: { resultsCount: 0 } },
      made: { path: `${path}/one` },
      after: { children: { resultsCount: 1 } },
    });
  });
});
