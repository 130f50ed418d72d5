/** @group slow */

import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql';
import { contradictions } from '../store/consistency.ts';
import { runJobs } from '../support/jobs.ts';
import { settledFiles } from '../support/settled.ts';
import { use } from '../support/use.ts';
import { attacks } from './attacks.ts';
import type { Answer } from './raw.ts';
import { type Known, named } from './requests.ts';
import { fingerprint, patience, runs, seed, startFuzzed } from './running.ts';
import { ask, samples } from './samples.ts';
import { type Question, questions } from './selections.ts';
import { useTally } from './tally.ts';
import { unquoted } from './texts.ts';

jest.setTimeout(patience);

const server = use(startFuzzed);
const tally = useTally('operations of /graphql');
let known: Known[];
let schema: GraphQLSchema;
beforeAll(async () => {
  known = await samples(server);
  // Without them `elasticsearchWaitForIndexing` would wait a minute for the words of the files of the samples.
  const stopJobs = await runJobs(server);
  await settledFiles(server);
  await stopJobs();
  const { body } = await ask(server.port, '/graphql', { query: getIntrospectionQuery() });
  schema = buildClientSchema((JSON.parse(body.toString()) as { data: IntrospectionQuery }).data);
});

interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: ReadonlyArray<{
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }>;
}

const outcomes = new Map<string, number>();

/** Errors that are found before anything runs. */
const early = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT'];

const statementsOf = ({ headers }: Answer): number =>
  Number(/sql;dur=[\d.]+;desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1]);

/** Lists every rule that an answer violates. */
function brokenRules(answer: Answer, { data, errors }: Result): string[] {
  const faults: string[] = [];
  if (answer.status >= 500) faults.push(`status ${answer.status}`);
  if (!answer.headers.has('x-request-id')) faults.push('no X-Request-Id');
  if (data === undefined && !errors?.length) faults.push('neither data nor errors');
  for (const { extensions, message } of errors ?? []) {
    if (extensions?.code === undefined) faults.push(`an error without a code: ${message}`);
    if (extensions?.code === 'INTERNAL_SERVER_ERROR') faults.push('a fault of the server');
  }
  const [first] = errors ?? [];
  const isEarly =
    early.includes(first?.extensions?.code ?? '') || /^the operation is too/.test(first?.message ?? '');
  // One statement may have authenticated the user.
  if (isEarly && statementsOf(answer) > 1) faults.push(`refused after ${statementsOf(answer)} statements`);
  return faults;
}

let before: string;

async function faultsOf({ query, ...others }: Question): Promise<{ faults: string[]; answer: Answer }> {
  const json = named(unquoted({ query, ...others }), known);
  const answer = await ask(server.port, '/graphql', json);
  tally(answer.status);
  const result = JSON.parse(answer.body.toString('utf8')) as Result;
  const faults = [...brokenRules(answer, result), ...server.faults()];
  for (const { extensions } of result.errors ?? [{}]) {
    const outcome = extensions?.code ?? 'none';
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  const after = await fingerprint(server);
  const mayWrite = query.startsWith('mutation') && result.errors === undefined;
  if (after !== before && !mayWrite) faults.push('rows were written');
  if (after !== before && mayWrite) known = await samples(server);
  before = mayWrite ? await fingerprint(server) : after;
  return { faults, answer };
}

describe('/graphql with generated queries', () => {
  test(`${runs} operations are answered by the rules, and those that fail write nothing`, async () => {
    before = await fingerprint(server);
    const property = fc.asyncProperty(questions(schema), async (question) => {
      const { faults, answer } = await faultsOf(question);
      if (faults.length === 0) return;
      const shown = `${JSON.stringify(question)}\n→ ${answer.status} ${answer.body.toString('utf8').slice(0, 2_000)}`;
      throw new Error(`${faults.join('\n')}\n\n${shown}`);
    });
    await fc.assert(property, { numRuns: runs, ...(seed !== undefined && { seed }) });
    // Which ones occur among so many is random.
    const refusals = ['NOT_FOUND', 'INVALID', 'GRAPHQL_VALIDATION_FAILED'];
    expect(outcomes.get('none')).toBeGreaterThan(0);
    expect(refusals.filter((code) => outcomes.has(code))).not.toEqual([]);
    expect(await contradictions(server)).toEqual([]);
  });
});

describe('/graphql refuses expensive queries before it runs them', () => {
  test.each(Object.entries(attacks))('such as %s', async (_, attack) => {
    await ask(server.port, '/graphql', { query: '{ __typename }' }); // caches the credentials
    const start = performance.now();
    const answer = await ask(server.port, '/graphql', attack);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(answer.status).toBeLessThan(500);
    expect(statementsOf(answer)).toBe(0);
    const { data, errors } = JSON.parse(answer.body.toString('utf8')) as Result;
    expect(data).toBeUndefined();
    expect(errors?.[0]?.extensions?.code).not.toBe('INTERNAL_SERVER_ERROR');
    expect(server.faults()).toEqual([]);
  });
});
