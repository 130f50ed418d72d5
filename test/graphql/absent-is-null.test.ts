import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { schema } from '../../src/schema/index.ts';
import { useServer } from '../support/server.ts';

const server = useServer();

const send = (query: string, variables: object = {}) =>
  server.request.post('/graphql').send({ query, variables }).expect(200);

const scalars: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  JSON: {},
  String: 'nosuch',
};

/** A value of the type that names nothing that exists. */
function absentValue(given: GraphQLInputType): unknown {
  const type = getNullableType(given);
  if (isListType(type)) return [absentValue(type.ofType)];
  if (!isInputObjectType(type)) return scalars[type.name] ?? randomUUID();
  const fields = Object.values(type.getFields());
  const needed = fields.filter((field) => isRequiredInputField(field) || field.name === 'document');
  return Object.fromEntries(needed.map((field) => [field.name, absentValue(field.type)]));
}

/** A call of the field with what it needs and with ids, as a selection and its variables. */
function callOf(field: GraphQLField<unknown, unknown>, withIds: boolean) {
  const given = field.args.filter(
    (each) =>
      isRequiredArgument(each) ||
      (withIds && (String(getNullableType(each.type)) === 'ID' || each.name === 'input')),
  );
  const names = given.map(({ name }) => `${name}: $${name}`).join(', ');
  return {
    declared: given.map(({ name, type }) => `$${name}: ${type}`),
    text: `${field.name}${names && `(${names})`} ${isLeafType(getNamedType(field.type)) ? '' : '{ __typename }'}`,
    variables: Object.fromEntries(given.map(({ name, type }) => [name, absentValue(type)])),
  };
}

const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.values(type?.getFields() ?? {});
const calls = (type: GraphQLObjectType | null | undefined) =>
  fieldsOf(type).flatMap((field) =>
    [...new Set([false, field.args.length > 0])].map(
      (withIds) => [field.name, callOf(field, withIds)] as const,
    ),
  );

const codesOf = (body: { errors?: Array<{ extensions: { code: string } }> }): string[] =>
  (body.errors ?? []).map(({ extensions }) => extensions.code);

describe('Absence in GraphQL', () => {
  test.each(calls(schema.getQueryType()))(
    'is no error of Query.%s',
    async (_, { declared, text, variables }) => {
      const { body } = await send(
        `query ${declared.length > 0 ? `(${declared})` : ''} { ${text} }`,
        variables,
      );
      expect(codesOf(body)).not.toContain('NOT_FOUND');
      expect(codesOf(body)).not.toContain('INTERNAL_SERVER_ERROR');
    },
  );

  test.each(calls(schema.getType('Document') as GraphQLObjectType))(
    'is no error of Document.%s',
    async (_, { declared, text, variables }) => {
      const query = `query (${declared}) { document(path: "/default-domain") { ${text} } }`;
      const { body } = await send(declared.length > 0 ? query : query.replace('()', ''), variables);
      expect(codesOf(body)).not.toContain('NOT_FOUND');
      expect(codesOf(body)).not.toContain('INTERNAL_SERVER_ERROR');
    },
  );

  test('leaves the other fields of the operation as they are', async () => {
    const { body } = await send(`{
      document(path: "/nosuch") { uid }
      user(id: "nosuch") { id }
      group(id: "nosuch") { id }
      docType(name: "nosuch") { name }
      domain: document(path: "/default-domain") {
        title
        blob { name }
        previewPage
        conversion(type: "text/plain") { name }
        rendition(name: "nosuch") { name }
        comment(commentId: "${randomUUID()}") { id }
        pageProvider(name: "nosuch") { name }
        children { entries { title blob { name } } }
      }
      me { id }
    }`);
    expect(body.errors).toBeUndefined();
    expect(body.data).toMatchObject({
      document: null,
      user: null,
      group: null,
      docType: null,
      domain: {
        title: 'Domain',
        blob: null,
        previewPage: null,
        conversion: null,
        rendition: null,
        comment: null,
        pageProvider: null,
        children: { entries: expect.arrayContaining([{ title: 'Workspaces', blob: null }]) },
      },
      me: { id: 'Administrator' },
    });
  });

  test.each([
    ['docType(name: "Fil") { name }', 'Type: Fil does not exist. Did you mean File'],
    ['schema(name: "dublincor") { name }', 'Schema: dublincor does not exist. Did you mean dublincore?'],
    ['facet(name: "Folderis") { name }', 'Facet: Folderis does not exist. Did you mean Folderish?'],
    ['directory(name: "natur") { name }', 'Directory: natur does not exist. Did you mean nature?'],
    ['operation(id: "Document.Creat") { id }', 'Operation: Document.Creat does not exist. Did you mean'],
    [
      'pageProvider(name: "default_searc") { name }',
      'Page provider: default_searc does not exist. Did you mean default_search?',
    ],
    ['document(path: "/nosuch") { uid }', 'There is no document at /nosuch.'],
  ])('says why %s is null', async (field, message) => {
    const { body } = await send(`{ me { id } alias: ${field} }`);
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({ me: { id: 'Administrator' }, alias: null });
    expect(body.extensions).toEqual({ absent: [{ path: ['alias'], message: expect.any(String) }] });
    expect(body.extensions.absent[0].message).toContain(message);
  });

  test('has no hints where nothing was named, and at most 20', async () => {
    const children = '{ document(path: "/default-domain") { children { entries { uid blob { name } } } } }';
    expect((await send(children)).body).not.toHaveProperty('extensions');
    const many = Array.from({ length: 30 }, (_, at) => `a${at}: docType(name: "x${at}") { name }`);
    expect((await send(`{ ${many.join(' ')} }`)).body.extensions.absent).toHaveLength(20);
  });

  test('is an error of mutations', async () => {
    for (const field of [
      'deleteDocument(path: "/nosuch")',
      'deleteUser(id: "nosuch")',
      'removeBlob(path: "/nosuch") { uid }',
    ]) {
      const { body } = await send(`mutation { ${field} }`);
      expect(codesOf(body)).toEqual(['NOT_FOUND']);
    }
  });
});
