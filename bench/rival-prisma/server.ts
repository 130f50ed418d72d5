/**
 * A simple implementation of Quire's design: Express handlers serve REST, and each runs a GraphQL operation on a
 * Pothos schema with the Prisma plugin, using Quire's own tables. It has no users, permissions or caches. With
 * `FORM=yoga`, the handlers call GraphQL Yoga through its HTTP interface; with `FORM=execute`, they call graphql-js
 * directly.
 */
import { readFileSync } from 'node:fs';
import { PrismaPg } from '@prisma/adapter-pg';
import express, { type Request, type Response } from 'express';
import { type DocumentNode, execute, type GraphQLError, parse, validate } from 'graphql';
import { createYoga } from 'graphql-yoga';
import { PrismaClient } from '../../src/generated/prisma/client.ts';
import { createLoaders } from './loaders.ts';
import type { ContentModel } from './model.ts';
import { type Context, createSchema } from './schema.ts';

const { PORT, HOST = '127.0.0.1', DATABASE_URL = '', FORM, MODEL = '', DATAMODEL = '' } = process.env;
const base = `http://${HOST}:${PORT}/api/v1`;

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: DATABASE_URL, max: 10 }) });
const model = JSON.parse(readFileSync(MODEL, 'utf8')) as ContentModel;
const schema = createSchema(prisma, JSON.parse(readFileSync(DATAMODEL, 'utf8')), model);
const newContext = (): Context => ({ loaders: createLoaders(prisma), base });

type Fields = Readonly<Record<string, unknown>>;

interface Found {
  readonly document?:
    | (Fields & { readonly children?: readonly Fields[]; readonly childCount?: number })
    | null;
  readonly createDocument?: Fields;
}

interface Result {
  readonly data?: Found | null;
  readonly errors?: ReadonlyArray<Pick<GraphQLError, 'message'>>;
}

type Run = (query: string, variables: Fields) => Promise<Result>;

const yoga = createYoga({ schema, context: newContext, logging: false, graphiql: false });

const runByYoga: Run = async (query, variables) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify({ query, variables });
  const response = await yoga.fetch('http://localhost/graphql', { method: 'POST', headers, body });
  return (await response.json()) as Result;
};

const parsed = new Map<string, DocumentNode>();

function parseOnce(query: string): DocumentNode {
  const known = parsed.get(query);
  if (known) return known;
  const document = parse(query);
  const [fault] = validate(schema, document);
  if (fault) throw fault;
  parsed.set(query, document);
  return document;
}

const runByExecute: Run = async (query, variableValues) =>
  (await execute({
    schema,
    document: parseOnce(query),
    contextValue: newContext(),
    variableValues,
  })) as Result;

const run = FORM === 'yoga' ? runByYoga : runByExecute;

const firstFields = `repository uid name path type state parentRef isCheckedOut isRecord retainUntil hasLegalHold
  isUnderRetentionOrLegalHold isVersion isProxy changeToken isTrashed title lastModified`;
const lastFields = 'facets schemas { name prefix }';
const fixedFields = `${firstFields} ${lastFields}`;
const documentFields = `${firstFields} properties ${lastFields}`;
const enrichers = `favorites permissions tags
  acls { name aces { id username externalUser permission granted creator begin end status } }`;

const byId = `query ($id: ID!) { document(id: $id) { ${documentFields} } }`;
const enriched = `query ($id: ID!) {
  document(id: $id) {
    ${documentFields} ${enrichers}
    breadcrumb { ${documentFields} ${enrichers} breadcrumb { ${fixedFields} } }
  }
}`;
const page = `query ($id: ID!, $pageSize: Int!, $offset: Int!) {
  document(id: $id) { childCount children(pageSize: $pageSize, offset: $offset) { ${documentFields} } }
}`;
const create = `mutation ($parentId: ID!, $name: String!, $type: String!, $properties: JSON!) {
  createDocument(parentId: $parentId, name: $name, type: $type, properties: $properties) { ${documentFields} }
}`;

const entityOf = (fields: Fields): Fields => ({ 'entity-type': 'document', ...fields });

function enrichedEntityOf({ acls, favorites, permissions, tags, breadcrumb, ...fields }: Fields): Fields {
  const entries = (breadcrumb as readonly Fields[]).map((above) =>
    'breadcrumb' in above ? enrichedEntityOf(above) : entityOf(above),
  );
  const contextParameters = {
    acls,
    breadcrumb: { 'entity-type': 'documents', entries },
    favorites,
    permissions,
    tags,
  };
  return { ...entityOf(fields), contextParameters };
}

function pageOf(entries: readonly Fields[], total: number, pageSize: number): Fields {
  const pageCount = Math.ceil(total / pageSize);
  return {
    'entity-type': 'documents',
    isPaginable: true,
    resultsCount: total,
    pageSize,
    maxPageSize: 1000,
    resultsCountLimit: total,
    currentPageSize: entries.length,
    currentPageIndex: 0,
    currentPageOffset: 0,
    numberOfPages: pageCount,
    isPreviousPageAvailable: false,
    isNextPageAvailable: total > pageSize,
    isLastPageAvailable: total > pageSize,
    isSortable: true,
    hasError: false,
    errorMessage: null,
    totalSize: total,
    pageIndex: 0,
    pageCount,
    entries: entries.map(entityOf),
  };
}

/** Sends the result of an operation, or 404 if the document does not exist. */
async function answer(
  response: Response,
  operation: { readonly query: string; readonly variables: Fields; readonly status?: number },
  shape: (fields: NonNullable<Found['document']>) => Fields,
): Promise<void> {
  const { data, errors } = await run(operation.query, operation.variables);
  const found = data?.document ?? data?.createDocument;
  if (errors) return void response.status(500).json({ message: errors[0]?.message });
  if (!found) return void response.sendStatus(404);
  response.status(operation.status ?? 200).json(shape(found));
}

const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/health/ready', (_, response) => response.json({}));

app.get('/api/v1/id/:id', ({ params, headers }: Request<{ id: string }>, response) =>
  headers['enrichers.document']
    ? answer(response, { query: enriched, variables: { id: params.id } }, enrichedEntityOf)
    : answer(response, { query: byId, variables: { id: params.id } }, entityOf),
);

app.get('/api/v1/id/:id/@children', ({ params }, response) =>
  answer(
    response,
    { query: page, variables: { id: params.id, pageSize: 50, offset: 0 } },
    ({ children = [], childCount = 0 }) => pageOf(children, childCount, 50),
  ),
);

app.post('/api/v1/id/:id', express.json(), ({ params, body }, response) => {
  const { name, type, properties } = body as Fields;
  const variables = { parentId: params.id, name, type, properties };
  return answer(response, { query: create, variables, status: 201 }, entityOf);
});

app.listen(Number(PORT), HOST);
