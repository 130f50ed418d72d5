import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type supertest from 'supertest';
import { maxJsonFields, setJsonValuesLimit } from '../../../src/model/values/json-budget.ts';
import { atId, createDocument, documentBody } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { filePart, jsonPart, bodyOf as multipartOf, sendBody } from '../automation/multipart-bodies.ts';

const limit = 300;
const server = useServer({ JSON_VALUES_LIMIT: String(limit) });

let id = '';
beforeAll(async () => {
  ({ uid: id } = await createDocument(server));
});

const valuesIn = (json: unknown): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, inner) => sum + valuesIn(inner), 1)
    : 1;

/** The body with a field that is ignored and fills it up to a number of values. */
function filled(body: object, values: number): object {
  const filler = Array.from({ length: values - valuesIn(body) - 1 }, () => 0);
  return { ...body, ignored: filler };
}

/** The body with a field that is ignored and is nested down to a level. */
const nested = (body: object, levels: number): object => ({
  ...body,
  ignored: JSON.parse(`${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`),
});

const at = (operation: string): supertest.Test => server.request.post(`/api/v1/automation/${operation}`);
const repeated = (count: number, item: string, separator = ','): string =>
  Array.from({ length: count }, () => item).join(separator);
const jsonList = (values: number): string => `[${repeated(values - 1, '"nature"')}]`;

const fetchCall = { params: { value: '/default-domain' } };
const query = 'query ($path: String, $more: JSON) { document(path: $path) { path } }';
const variables = { path: '/default-domain' };

/** Moves the filler among the variables, where unknown ones are ignored. */
const asVariable = ({ ignored, ...body }: { readonly ignored?: unknown }): object => ({
  ...body,
  variables: { ...variables, ignored },
});

/** Sends JSON by each way in that takes a whole body, or the variables of an address. */
const bodies: Readonly<Record<string, (fill: (body: object) => object) => supertest.Test>> = {
  'the body of a document': (fill) =>
    server.request.put(atId(id)).send(fill(documentBody({ properties: { 'dc:title': 'a' } }))),
  'the body of a call': (fill) => at('Document.Fetch').send(fill(fetchCall)),
  'the JSON part of a multipart form': (fill) =>
    sendBody(
      at('Blob.AttachOnDocument'),
      'form-data',
      multipartOf([
        jsonPart('form-data', fill({ params: { document: id } })),
        filePart('form-data', 'a.txt', Buffer.from('a')),
      ]),
    ),
  'the JSON part of a related body': (fill) =>
    sendBody(at('Document.Fetch'), 'related', multipartOf([jsonPart('related', fill(fetchCall))])),
  'the field jsondata of a form': (fill) =>
    at('Document.Fetch')
      .type('form')
      .send({ jsondata: JSON.stringify(fill(fetchCall)) }),
  'the body of a saved search': (fill) =>
    server.request.post('/api/v1/search/saved').send(
      fill({
        'entity-type': 'savedSearch',
        title: 'a',
        query: 'SELECT * FROM Document',
        queryLanguage: 'NXQL',
        params: { a: '1' },
      }),
    ),
  'the body of a call of GraphQL': (fill) =>
    server.request.post('/graphql').send(asVariable(fill({ query, variables }))),
  'the body of a call of GraphQL with its own media type': (fill) =>
    server.request
      .post('/graphql')
      .type('application/graphql+json')
      .send(JSON.stringify(asVariable(fill({ query, variables })))),
  'the variables in an address of GraphQL': (fill) =>
    server.request.get('/graphql').query({ query, variables: JSON.stringify(fill(variables)) }),
};

const subject = 'sciences/astronomy';
const search = 'SELECT * FROM Document WHERE dc:title IN :titles';

/** Sends a text that stands for a number of values, by each form that such a text can have. */
const texts: Readonly<Record<string, (values: number) => supertest.Test>> = {
  'lines of name=value': (values) =>
    at('Document.Update').send({
      input: id,
      params: { properties: `dc:title=a\n${repeated(values - 1, '# a comment', '\n')}` },
    }),
  'the JSON of properties': (values) =>
    at('Repository.Query').send({
      params: { query: 'SELECT * FROM Document', namedParameters: `{"a":${jsonList(values - 1)}}` },
    }),
  'a list with commas': (values) =>
    at('Audit.Query').send({ params: { eventId: repeated(values, 'documentCreated') } }),
  'a list of documents': (values) =>
    at('Document.PublishToSections').send({
      input: id,
      params: { target: repeated(values, '/default-domain') },
    }),
  'an input docs:': (values) => at('Document.GetParent').send({ input: `docs:${repeated(values, id)}` }),
  'the items of a list property': (values) =>
    at('Document.Update').send({
      input: id,
      params: { properties: { 'dc:subjects': repeated(values, subject) } },
    }),
  'the items of a list property in lines': (values) =>
    at('Document.Update').send({
      input: id,
      params: { properties: `dc:title=a\ndc:subjects=${repeated(values, subject)}` },
    }),
  'the JSON of a list property': (values) =>
    at('Document.Update').send({
      input: id,
      params: { properties: { 'files:files': `[${repeated(values - 1, '{}')}]` } },
    }),
  'a list property that is set': (values) =>
    at('Document.SetProperty').send({
      input: id,
      params: { xpath: 'dc:subjects', value: repeated(values, subject) },
    }),
  'the JSON of ids': (values) =>
    at('Directory.ReadEntries').send({ params: { directoryName: 'nature', entries: jsonList(values) } }),
  'the JSON of a file': (values) =>
    at('Document.SetBlob').send({
      input: id,
      params: { file: `{"content":"a","ignored":${jsonList(values - 2)}}` },
    }),
  'a named parameter of a query': (values) =>
    at('Repository.Query').send({ params: { query: search, namedParameters: { titles: jsonList(values) } } }),
  'a named parameter of a page provider': (values) =>
    at('Repository.PageProvider').send({
      params: {
        providerName: 'default_search',
        namedParameters: { dc_nature_agg: repeated(values, 'nature') },
      },
    }),
  'a parameter of a saved search': (values) =>
    server.request.post('/api/v1/search/saved').send({
      'entity-type': 'savedSearch',
      title: 'a',
      query: search,
      queryLanguage: 'NXQL',
      params: { titles: jsonList(values) },
    }),
  'queryParams of a saved search': (values) =>
    server.request.post('/api/v1/search/saved').send({
      'entity-type': 'savedSearch',
      title: 'a',
      query: 'SELECT * FROM Document',
      queryLanguage: 'NXQL',
      queryParams: repeated(values, 'a'),
    }),
  'attached documents of a workflow': (values) =>
    server.request.post('/api/v1/workflow').send({
      'entity-type': 'workflow',
      workflowModelName: 'SerialDocumentReview',
      attachedDocumentIds: repeated(values, id),
    }),
  'a list of a bulk action': (values) =>
    server.request
      .post('/api/v1/search/bulk/csvExport')
      .query({ query: 'SELECT * FROM Document' })
      .send({ schemas: repeated(values, 'dublincore') }),
};

describe('§8 JSON_VALUES_LIMIT', () => {
  describe.each(Object.entries(bodies))('%s', (name, send) => {
    test('can hold as many values as the limit; one more is 413, which names it', async () => {
      const { status } = await send((body) => filled(body, limit));
      expect([200, 201]).toContain(status);
      const refused = await send((body) => filled(body, limit + 1)).expect(413);
      expect(refused.text).toContain(` has more than ${limit} JSON values (JSON_VALUES_LIMIT)`);
    });

    test('can be nested a hundred levels deep; one more is 413', async () => {
      const deepest = name.startsWith('the body of a call of GraphQL') ? 99 : 100; // below the variables
      const { status } = await send((body) => nested(body, deepest));
      expect([200, 201]).toContain(status);
      const refused = await send((body) => nested(body, deepest + 1)).expect(413);
      expect(refused.text).toContain(' is nested more than 100 levels deep');
    });
  });

  test.each(Object.entries(texts))(
    '%s can stand for as many values as the limit; one more is 413',
    async (_, send) => {
      expect((await send(limit)).status).toBeLessThan(413);
      const refused = await send(limit + 1).expect(413);
      expect(refused.body.message).toMatch(
        / has more than 300 (JSON values|items|lines) \(JSON_VALUES_LIMIT\)$/,
      );
    },
  );

  test('the lists of one call are counted together', async () => {
    const call = (subjects: number, files: number) =>
      at('Document.Update').send({
        input: id,
        params: {
          properties: {
            'dc:subjects': repeated(subjects, subject),
            'files:files': `[${repeated(files, '{}')}]`,
          },
        },
      });
    await call(200, 99).expect(200);
    expect((await call(200, 100).expect(413)).body.message).toBe(
      'files:files has more than 300 JSON values (JSON_VALUES_LIMIT)',
    );
  });

  test('commas and brackets in a long text are not counted', async () => {
    const text = `[see ${repeated(1000, 'a')} {${repeated(1000, 'b', ' [')}`;
    const { uid } = await createDocument(server, { type: 'Note' });
    await at('Document.Update')
      .send({ input: uid, params: { properties: `dc:title=a\nnote:note=${text}` } })
      .expect(200);
    const { body } = await server.request.get(atId(uid)).expect(200);
    expect(body.properties['note:note']).toBe(text);
  });

  test('a form in parts has at most a thousand fields, like an urlencoded one', async () => {
    const form = (fields: number) => {
      const parts = Array.from({ length: fields }, (_, at) => ({
        headers: [`Content-Disposition: form-data; name="ignored-${at}"`],
        bytes: Buffer.from('a'),
      }));
      return sendBody(server.request.post(`${atId(id)}/@convert`), 'form-data', multipartOf(parts));
    };
    expect((await form(1000)).status).toBeLessThan(413);
    expect((await form(1001).expect(413)).body.message).toBe('The form has more than 1000 fields.');
  });
});

/** The body with a field that is ignored and contains an object with a number of fields. */
const wide = (body: object, fields: number): object => ({
  ...body,
  ignored: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, 0])),
});

describe('§8 an object in', () => {
  beforeAll(() => setJsonValuesLimit(2 * maxJsonFields));
  afterAll(() => setJsonValuesLimit(limit));

  // An address is too short for so many fields.
  const long = Object.entries(bodies).filter(([name]) => !name.includes('address'));
  test.each(long)('%s can have 10,000 fields; one more is 413', async (_, send) => {
    const { status } = await send((body) => wide(body, maxJsonFields));
    expect([200, 201]).toContain(status);
    const refused = await send((body) => wide(body, maxJsonFields + 1)).expect(413);
    expect(refused.text).toContain(' has an object with more than 10000 fields');
  });
});
