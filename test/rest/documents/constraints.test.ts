import { describe, expect, test } from '@jest/globals';
import { atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { everyType } from './every-type.ts';

const server = useServer({}, everyType);
let count = 0;

const create = (properties: Record<string, unknown>, type = 'File') => {
  count += 1;
  return server.request.post(atPath(workspaces)).send(documentBody({ name: `c${count}`, type, properties }));
};

interface Report {
  readonly violations: Array<{ constraint: { name: string }; path: unknown[]; invalid_value: unknown }>;
}

const brokenBy = ({ violations }: Report) => violations.map(({ constraint }) => constraint.name);

describe('§7 properties that refer to directories', () => {
  test.each([
    { 'dc:subjects': ['art/architecture', 'architecture', 'x/architecture', 'art'] },
    { 'dc:subjects': ['daily life', 'daily life/video games'] },
    { 'dc:coverage': 'europe/France' },
    { 'dc:coverage': 'France' },
    { 'dc:nature': 'article' },
  ])('%j is accepted', async (properties) => {
    const { body } = await create(properties).expect(201);
    expect(body.properties).toMatchObject(properties);
  });

  test.each<[string, unknown, string]>([
    ['dc:subjects', ['nothing'], 'l10nsubjects'],
    ['dc:subjects', ['art/'], 'l10nsubjects'],
    ['dc:subjects', ['architecture/nothing'], 'l10nsubjects'],
    ['dc:subjects', ['Art'], 'l10nsubjects'],
    ['dc:subjects', ["' OR 1=1 --"], 'l10nsubjects'],
    ['dc:coverage', 'art', 'l10ncoverage'],
    ['dc:nature', 'x/article', 'nature'],
    ['dc:nature', 'art', 'nature'],
  ])('%s does not accept %j', async (xpath, value, directory) => {
    const { body } = await create({ [xpath]: value }).expect(422);
    expect(brokenBy(body)).toEqual(['directoryResolver']);
    expect(body.violations[0].constraint.parameters).toEqual({ directory });
    expect(body.violations[0].path[0].field_name).toBe(xpath);
  });

  test('are reported up to the hundredth fault, and counted', async () => {
    const { body } = await create({ 'dc:subjects': Array(1_001).fill('nothing') }).expect(422);
    expect([body.number, body.violations.length]).toEqual([1_001, 100]);
    expect(body.violations[99].path).toEqual([{ field_name: 'dc:subjects', is_list_item: true, index: 99 }]);
  });

  test('all entries of a request are looked up in one statement', async () => {
    const properties = {
      'dc:subjects': Array(50).fill('art/cinema'),
      'dc:nature': 'article',
      'dc:coverage': 'europe',
    };
    const one = await create({ 'dc:nature': 'article' }).expect(201);
    const many = await create(properties).expect(201);
    expect(statements(many)).toBe(statements(one));
  });
});

describe('§7 properties that refer to users', () => {
  test('accept names of users that do not exist', async () => {
    const properties = {
      'dc:creator': 'nobody',
      'dc:contributors': ['nobody'],
      'dc:lastContributor': 'nobody',
    };
    const { body } = await create(properties).expect(201);
    expect(body.properties['dc:creator']).toBe('nobody');
  });
});

describe('§7 the validation report', () => {
  test('has exactly these fields for one violation', async () => {
    const { body, headers } = await create({ 'dc:nature': 'none' }).expect(422);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body).toEqual({
      'entity-type': 'validation_report',
      status: 422,
      message: 'dc:nature: "none" is not an entry of the directory nature.',
      requestId: headers['x-request-id'],
      has_error: true,
      number: 1,
      violations: [
        {
          messageKey: 'label.schema.constraint.violation.directoryResolver',
          message: expect.stringContaining('none'),
          invalid_value: 'none',
          constraint: {
            'entity-type': 'validation_constraint',
            name: 'directoryResolver',
            parameters: { directory: 'nature' },
          },
          path: [{ field_name: 'dc:nature', is_list_item: false }],
        },
      ],
    });
  });

  test('gives the index of each invalid list item', async () => {
    const { body } = await create({ 'dc:subjects': ['art', 'x', 'music', 'y'] }).expect(422);
    expect(body).toMatchObject({ number: 2 });
    expect((body as Report).violations.map(({ path }) => path)).toEqual([
      [{ field_name: 'dc:subjects', is_list_item: true, index: 1 }],
      [{ field_name: 'dc:subjects', is_list_item: true, index: 3 }],
    ]);
  });

  test('gives the path of invalid fields of complex values', async () => {
    const lines = [{ color: 'red' }, { color: 'blue', topics: ['none'] }];
    const { body } = await create({ 'li:owner': 'A', 'li:lines': lines }, 'Limited').expect(422);
    expect((body as Report).violations.map(({ path }) => path)).toEqual([
      [
        { field_name: 'li:lines', is_list_item: true, index: 1 },
        { field_name: 'color', is_list_item: false },
      ],
      [
        { field_name: 'li:lines', is_list_item: true, index: 1 },
        { field_name: 'topics', is_list_item: true, index: 0 },
      ],
    ]);
  });

  test('lists every violation', async () => {
    const properties = { 'dc:nature': 'x', 'dc:coverage': 'y', 'dc:title': 'z'.repeat(10_001) };
    const { body } = await create(properties).expect(422);
    expect(body).toMatchObject({ status: 422, has_error: true, number: 3 });
    expect(body.message).toMatch(/^dc:\w+: .+\. \(and 2 more\)$/);
    expect(brokenBy(body).sort()).toEqual(['LengthConstraint', 'directoryResolver', 'directoryResolver']);
    expect((body as Report).violations.map((violation) => violation.invalid_value).sort()).toEqual(
      ['x', 'y', `${'z'.repeat(1_000)}…`].sort(),
    );
  });

  test.each(['*/*', 'application/json', 'text/html, */*;q=0.1', 'application/*'])(
    'is sent when Accept is %s',
    async (accept) => {
      const { body } = await create({ 'dc:nature': 'none' }).set('Accept', accept).expect(422);
      expect(body['entity-type']).toBe('validation_report');
    },
  );

  test('is replaced by 406 when Accept excludes JSON', async () => {
    await create({ 'dc:nature': 'none' }).set('Accept', 'text/html').expect(406);
  });
});

describe('§7 constraints', () => {
  test.each([
    [{ 'li:code': 'AB1' }, []],
    [{ 'li:code': 'ab1' }, ['PatternConstraint']],
    [{ 'li:code': 'xAB1' }, ['PatternConstraint']],
    [{ 'li:code': 'AB' }, ['PatternConstraint', 'LengthConstraint']],
    [{ 'li:code': 'AB1234' }, ['LengthConstraint']],
    [{ 'li:code': null }, []],
    [{ 'li:color': 'red' }, []],
    [{ 'li:color': 'Red' }, ['EnumConstraint']],
    [{ 'li:grade': 6 }, []],
    [{ 'li:grade': 7 }, ['NumericIntervalConstraint']],
    [{ 'li:grade': 0 }, ['NumericIntervalConstraint']],
  ])('the values %j violate %j', async (properties, constraints) => {
    const response = await create({ 'li:owner': 'A', ...properties }, 'Limited');
    expect(response.status).toBe(constraints.length > 0 ? 422 : 201);
    if (constraints.length > 0) expect(brokenBy(response.body)).toEqual(constraints);
  });

  test('a required property that is absent or null is reported', async () => {
    for (const properties of [{}, { 'li:owner': null }]) {
      const { body } = await create(properties, 'Limited').expect(422);
      expect(body.violations).toEqual([
        expect.objectContaining({
          messageKey: 'label.schema.constraint.violation.NotNullConstraint',
          invalid_value: null,
          path: [{ field_name: 'li:owner', is_list_item: false }],
        }),
      ]);
    }
    await create({ 'li:owner': '' }, 'Limited').expect(201);
  });
});

describe('§7 an update', () => {
  test('checks the changed properties', async () => {
    const { path } = await createDocument(server, { type: 'Limited', properties: { 'li:owner': 'A' } });
    const put = (properties: Record<string, unknown>) =>
      server.request.put(atPath(path)).send(documentBody({ properties }));
    expect(brokenBy((await put({ 'li:owner': null }).expect(422)).body)).toEqual(['NotNullConstraint']);
    expect(brokenBy((await put({ 'li:grade': 9, 'dc:title': 'B' }).expect(422)).body)).toEqual([
      'NumericIntervalConstraint',
    ]);
    const { body } = await server.request.get(atPath(path));
    expect(body).toMatchObject({ changeToken: '0-0', title: body.name });
  });

  test('accepts an unchanged value that violates a constraint since', async () => {
    const { path, uid } = await createDocument(server, { properties: { 'dc:nature': 'article' } });
    const where = { directory_id: { directory: 'nature', id: 'article' } };
    const { properties } = await server.database.prisma.directoryEntry.delete({ where });
    const put = (nature: string, title: string) =>
      server.request
        .put(atPath(path))
        .send(documentBody({ properties: { 'dc:nature': nature, 'dc:title': title } }));
    expect((await put('article', 'A').expect(200)).body).toMatchObject({ uid, title: 'A' });
    await put('nothing', 'B').expect(422);
    const entry = { directory: 'nature', id: 'article', properties: properties ?? {} };
    await server.database.prisma.directoryEntry.create({ data: entry });
  });
});
