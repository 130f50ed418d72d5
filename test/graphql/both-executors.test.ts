/** @group slow, long */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ExecutionResult, execute, type GraphQLSchema, print } from 'graphql';
import { type OperationCompiler, operationCompiler } from '../../src/graphql/compile-operation.ts';
import type { Context } from '../../src/loaders/context.ts';
import { examples } from '../../src/openapi/examples/index.ts';
import { madeFirst } from '../../src/openapi/examples/places.ts';
import { routes } from '../../src/rest/routes.ts';
import { madeBeside } from '../openapi/made-beside.ts';
import { Walk } from '../openapi/walk.ts';
import type { Description } from '../support/described.ts';
import { runJobs } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';

// REST runs compiled code over a changed schema, and /graphql runs graphql-js over the schema itself. Here both run
// each operation that the examples of REST and some calls of absent things ask for, and must agree.

/** The number of operations that both have run, and the first difference of each whose results differ. */
let compared = 0;
const different: object[] = [];

/** A number of attempts: a job can move on between the two. */
const attempts = 3;

/** What is made anew each time: ids, dates and milliseconds. */
const made = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
  /(?<=\/share\/#)[\w-]{32}/g,
  /\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)/g,
  /\d{13}/g,
];

/** Fields that are random or measured. */
const random = ['secret', 'time', 'fromAsDate', 'toAsDate'];

/** Data and errors, and what REST answers 404 with; for a write without what it makes anew. */
function outcomeOf({ data, errors = [] }: ExecutionResult, { absence }: Context, isWrite: boolean): unknown {
  const told = {
    data,
    absence: absence?.message,
    errors: errors.map(({ message, path }) => ({ message, path })),
  };
  const text = JSON.stringify(told, (key, value: unknown) => (random.includes(key) ? '…' : value));
  const masked = isWrite ? made : made.slice(-1);
  return JSON.parse(masked.reduce((each, part) => each.replaceAll(part, '0'), text));
}

/** The first place where two outcomes differ, the order of fields included. */
function firstDifference(plain: unknown, compiled: unknown, path = ''): object | undefined {
  if (JSON.stringify(plain) === JSON.stringify(compiled)) return undefined;
  if (typeof plain !== 'object' || typeof compiled !== 'object' || !plain || !compiled)
    return { path, plain, compiled };
  const [one, other] = [plain, compiled] as Array<Record<string, unknown>>;
  const keys = Object.keys({ ...one, ...other });
  const inside = keys.map((key) => firstDifference(one?.[key], other?.[key], `${path}.${key}`));
  return inside.find(Boolean) ?? { path, plain: Object.keys(plain), compiled: Object.keys(compiled) };
}

/** Runs work from the state at the beginning; what it writes stays only where it is to be kept. */
async function attempt<T>(
  context: Context,
  isWrite: boolean,
  work: () => Promise<T>,
  isKept: (found: T) => boolean,
) {
  const send = (text: string) => (isWrite ? context.db.query({ name: '', text }, []) : undefined);
  const used = [...context.usedUploads];
  context.absence = undefined;
  context.reload();
  await send('SAVEPOINT both_executors');
  const found = await work();
  if (isKept(found)) return found;
  await send('ROLLBACK TO SAVEPOINT both_executors');
  context.usedUploads.clear();
  for (const each of used) context.usedUploads.add(each);
  return found;
}

/** Runs an operation by both, from the same state, and answers what the compiled code does. */
const bothExecutors = (schema: GraphQLSchema): OperationCompiler => {
  const compile = operationCompiler(schema);
  return (operation) => {
    const compiled = compile(operation);
    if (operation.kind === 'outsideTransaction') return compiled; // its work is committed in parts
    const isWrite = operation.kind === 'mutation';
    const { document } = operation;
    const query = async (root: unknown, context: Context, variables: Record<string, unknown>) => {
      if (isWrite && !context.searchTurn.isConnected) return compiled.query(root, context, variables);
      for (let left = attempts - 1; ; left -= 1) {
        const plain = await attempt(
          context,
          isWrite,
          async () => {
            const result = await execute({
              schema,
              document,
              contextValue: context,
              variableValues: variables,
            });
            return outcomeOf(result, context, isWrite);
          },
          () => false,
        );
        const { result, difference } = await attempt(
          context,
          isWrite,
          async () => {
            const found = await compiled.query(root, context, variables);
            return { result: found, difference: firstDifference(plain, outcomeOf(found, context, isWrite)) };
          },
          (found) => !found.difference || left === 0,
        );
        if (difference && left > 0) continue;
        compared += 1;
        if (difference) different.push({ operation: print(document), ...difference });
        return result;
      }
    };
    return { query: query as typeof compiled.query };
  };
};

const server = useServer({}, undefined, bothExecutors);
const file = new URL('../../openapi.json', import.meta.url);
const walk = new Walk(server, JSON.parse(readFileSync(file, 'utf8')) as Description);

/** Examples for which both have run nothing. */
const quiet: string[] = [];

/** The differences since the last call. */
const differences = (): object[] => different.splice(0);

describe('graphql-js and compiled code', () => {
  beforeAll(async () => {
    for (const step of madeFirst) await walk.take(step);
    await runJobs(server);
    Object.assign(walk.values, await madeBeside(server));
  });

  test.each(Object.entries(examples))('agree on %s', async (route, { before: steps = [], ...example }) => {
    for (const step of steps) await walk.take(step);
    const before = compared;
    await walk.take({ route, ...example });
    if (compared === before) quiet.push(route);
    expect(differences()).toEqual([]);
  });

  const addressed = routes.filter(({ method, path }) => method === 'get' && path.includes('/:'));

  test.each(addressed.map(({ name, path }) => [name, path] as const))(
    'agree on what is absent at %s',
    async (_name, path) => {
      const address = path.replaceAll(/\{[^}]*\}/g, '').replaceAll(/[:*]\w+/g, 'nosuch');
      await server.request.get(`/api/v1${address}`);
      expect(differences()).toEqual([]);
    },
  );

  test('have both run operations of every example, but of those whose work no transaction may span', () => {
    const inParts = routes.flatMap(({ kind, name }) => (kind === 'outsideTransaction' ? [name] : []));
    expect(quiet.filter((name) => !inParts.includes(name))).toEqual([]);
  });
});
