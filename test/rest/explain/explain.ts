import { expect } from '@jest/globals';
import { parse, validate } from 'graphql';
import { getVariableValues } from 'graphql/execution/values.js';
import type supertest from 'supertest';
import { schema } from '../../../src/schema/index.ts';
import type { TestServer } from '../../support/server.ts';

export interface Explained {
  readonly 'entity-type': 'explain';
  readonly status: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly route: { readonly name: string; readonly method: string; readonly path: string };
  readonly headers: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly value: unknown;
    readonly sets: Record<string, unknown>;
    readonly adds: string[];
    readonly removes: string[];
  }>;
  readonly operations: ReadonlyArray<{
    readonly kind: string;
    readonly query: string;
    readonly variables: Record<string, unknown>;
    readonly explorer: string | null;
  }>;
  readonly statements: ReadonlyArray<{
    readonly operation: number | null;
    readonly name: string | null;
    readonly sql: string;
    readonly rows: number | null;
    readonly milliseconds: number;
  }>;
  readonly statementCount: number;
  readonly permissions: ReadonlyArray<Record<string, unknown>>;
}

/** Asks for the explanation of a call instead of the call. */
export async function explained(call: supertest.Test): Promise<Explained> {
  const { status, body, headers } = await call.set('Prefer', 'explain');
  expect(body).toMatchObject({ 'entity-type': 'explain' });
  expect(headers).toMatchObject({ 'preference-applied': 'explain', 'cache-control': 'no-store' });
  const hasBody = [200, 201, 202].includes(body.status) || body.status >= 400;
  expect([body.status, status]).toEqual([body.status, hasBody ? body.status : 200]);
  return body;
}

/** The faults of the operations of an explanation, and of their variables. */
export const operationFaults = ({ operations }: Explained): string[] =>
  operations.flatMap(({ query, variables }) => {
    const document = parse(query);
    const [definition] = document.definitions;
    const faults = validate(schema, document);
    if (faults.length > 0 || definition?.kind !== 'OperationDefinition') return faults.map(String);
    const { errors = [] } = getVariableValues(schema, definition.variableDefinitions ?? [], variables);
    return errors.map(String);
  });

/** Written in the background, whatever requests do. */
const ownPace = /^(search_|file_word|title_word|_prisma)/;
const ownRows: Readonly<Record<string, string>> = {
  log_entry: "category <> 'NuxeoAuthentication' AND event_id <> 'download'",
  job: "kind <> 'index-file'",
};

/** Changes whenever a row is written, except those of log-ins, downloads and the search index. */
export async function rowsOf({ database }: Pick<TestServer, 'database'>): Promise<unknown> {
  const text = `SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY relname`;
  const tables = await database.query<{ name: string }>({ name: '', text }, []);
  const names = tables.map(({ name }) => name).filter((name) => !ownPace.test(name));
  const parts = names.map(
    (name) => `SELECT '${name}' AS name, concat(count(*), ' ', sum(xmin::text::bigint)) AS written
      FROM "${name}" WHERE ${ownRows[name] ?? 'true'}`,
  );
  return database.query({ name: '', text: parts.join(' UNION ALL ') }, []);
}
