import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { countsIn, type Given, list, namesIn } from './found.ts';

/** Numbers and dates of their own, with every kind of aggregate over them. */
const model = {
  schemas: [
    {
      name: 'measured',
      prefix: 'm',
      fields: {
        size: 'long',
        weights: 'double[]',
        good: 'boolean',
        at: 'date',
        times: 'date[]',
        by: 'string[]',
      },
    },
  ],
  types: [{ name: 'Measured', parent: 'File', schemas: ['measured'] }],
  pageProviders: [
    {
      name: 'measures',
      query: 'SELECT * FROM Measured WHERE ecm:isTrashed = 0',
      predicates: [{ parameter: 'size', property: 'm:size', operator: '>=' }],
      aggregates: [
        { id: 'good', property: 'm:good', type: 'terms' },
        { id: 'by', property: 'm:by', type: 'terms', size: 2 },
        { id: 'type', property: 'ecm:primaryType', type: 'terms' },
        { id: 'tag', property: 'ecm:tag', type: 'terms' },
        {
          ...{ id: 'weight', property: 'm:weights', type: 'range' },
          ranges: [
            { key: 'light', to: 1.5 },
            { key: 'middle', from: 1.5, to: 10 },
            { key: 'heavy', from: 10 },
            { key: 'any' },
          ],
        },
        { id: 'sizes', property: 'm:size', type: 'histogram', interval: 10 },
        { id: 'weights', property: 'm:weights', type: 'histogram', interval: 0.5 },
        {
          ...{ id: 'age', property: 'm:at', type: 'date_range' },
          ranges: [
            { key: 'old', to: '2020-01-01' },
            { key: 'past', to: 'PT0S' },
            { key: 'future', from: 'PT0S' },
          ],
        },
        { id: 'years', property: 'm:times', type: 'date_histogram', interval: 'year' },
        { id: 'months', property: 'm:at', type: 'date_histogram', interval: 'month' },
        { id: 'days', property: 'm:at', type: 'date_histogram', interval: 'day' },
      ],
    },
  ],
};

let modelDir: string;
let server: TestServer;
let ann: TestServer['request'];
let folder: DocumentEntity;
let closed: DocumentEntity;

const measured: ReadonlyArray<Record<string, unknown>> = [
  {
    'm:size': 5,
    'm:weights': [1, 1.25, 20],
    'm:good': true,
    'm:at': '2019-12-31T23:59:59.999Z',
    'm:by': ['x', 'x', 'y'],
  },
  {
    'm:size': 15,
    'm:weights': [1.5],
    'm:good': false,
    'm:at': '2024-02-29',
    'm:times': ['2024-01-01', '2024-05-01', '9999-12-31'],
  },
  {
    'm:size': 15,
    'm:weights': [10],
    'm:at': '9999-12-31T12:00:00Z',
    'm:by': ['x', 'z'],
    'm:times': ['0000-01-01'],
  },
  {},
];

beforeAll(async () => {
  modelDir = await mkdtemp(join(tmpdir(), 'quire-model-'));
  await writeFile(join(modelDir, 'measured.json'), JSON.stringify(model));
  server = await start({ MODEL_DIR: modelDir });
  await createUser(server, 'ann', ['members']);
  ann = as(server, 'ann');
  folder = await createDocument(server, { type: 'Folder' });
  for (const [index, properties] of measured.entries())
    await createDocument(server, { parent: folder.path, type: 'Measured', name: `m${index}`, properties });
  closed = await createDocument(server, { type: 'Folder' });
  const hidden = {
    ...measured[0],
    'dc:nature': 'memo',
    'm:by': ['secret'],
    'm:size': 70,
    'dc:subjects': ['art'],
  };
  await createDocument(server, { parent: closed.path, type: 'Measured', name: 'hidden', properties: hidden });
  await setAcl(server, closed.path, only('Administrator', 'Everything'));
  for (const [name, properties] of Object.entries({
    one: { 'dc:nature': 'report', 'dc:subjects': ['art', 'art/cinema'], 'dc:coverage': 'europe/France' },
    two: { 'dc:nature': 'report', 'dc:subjects': ['art'] },
    three: { 'dc:nature': 'memo' },
  }))
    await createDocument(server, { parent: folder.path, name, properties });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await rm(modelDir, { recursive: true });
});

const measures = async (given: Given = {}, id = 'ann') =>
  list(id === 'ann' ? ann : server.request, 'measures', { pageSize: 1, ...given }).expect(200);

const search = async (given: Given = {}, headers: Record<string, string> = {}) =>
  list(ann, 'default_search', { ecm_path: folder.path, ...given }, headers).expect(200);

describe('§4.7 aggregates', () => {
  test('are told in full', async () => {
    const { body } = await search({ dc_nature_agg: '["report"]' });
    const buckets = [
      { key: 'report', docCount: 2 },
      { key: 'memo', docCount: 1 },
    ];
    expect(body.aggregations.dc_nature_agg).toEqual({
      'entity-type': 'aggregate',
      ...{ id: 'dc_nature_agg', field: 'dc:nature', properties: { size: '10' }, ranges: [] },
      ...{ selection: ['report'], type: 'terms', buckets, extendedBuckets: buckets },
    });
    expect(Object.keys(body.aggregations.dc_nature_agg).join()).toBe(
      'entity-type,id,field,properties,ranges,selection,type,buckets,extendedBuckets',
    );
    expect(body.aggregations.common_size_agg).toMatchObject({
      ...{ field: 'file:content.length', type: 'range', selection: [] },
      ranges: expect.arrayContaining([{ key: 'small', from: 102_400, to: 1_048_576 }]),
    });
  });

  test('terms: of single values and of lists, where a document counts once; no more than asked for', async () => {
    const { body } = await measures();
    const answer = { body };
    expect(countsIn(answer, 'good')).toEqual({ false: 1, true: 1 });
    expect(body.aggregations.by.buckets).toEqual([
      { key: 'x', docCount: 2 },
      { key: 'y', docCount: 1 },
    ]);
    expect(countsIn(answer, 'type')).toEqual({ Measured: 4 });
    expect(countsIn(answer, 'tag')).toEqual({});
    expect(countsIn(await search(), 'dc_subjects_agg')).toEqual({ art: 2, 'art/cinema': 1 });
  });

  test('ranges: from the first value to before the last; empty ones are told, too', async () => {
    const answer = await measures();
    expect(countsIn(answer, 'weight')).toEqual({ light: 1, middle: 1, heavy: 2, any: 3 });
    expect(answer.body.aggregations.weight.buckets[1]).toEqual({
      key: 'middle',
      docCount: 1,
      from: 1.5,
      to: 10,
    });
    expect(countsIn(await search(), 'common_size_agg')).toEqual({
      tiny: 0,
      small: 0,
      medium: 0,
      big: 0,
      huge: 0,
    });
  });

  test('ranges of dates: durations from now, and days', async () => {
    const { body } = await measures();
    expect(countsIn({ body }, 'age')).toEqual({ old: 1, past: 2, future: 1 });
    expect(body.aggregations.age.buckets[0]).toEqual({
      ...{ key: 'old', docCount: 1, to: Date.UTC(2020), toAsDate: '2020-01-01T00:00:00.000Z' },
    });
    const now = body.aggregations.age.buckets[2].fromAsDate;
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(countsIn(await search(), 'dc_modified_agg')).toMatchObject({
      last24h: 7,
      lastWeek: 0,
      priorToLastYear: 0,
    });
  });

  test('histograms: steps with something in them, from the least value on', async () => {
    const { body } = await measures();
    expect(body.aggregations.sizes).toMatchObject({
      properties: { interval: '10' },
      buckets: [
        { key: '0', docCount: 1, from: 0, to: 10 },
        { key: '10', docCount: 2, from: 10, to: 20 },
      ],
    });
    expect(countsIn({ body }, 'weights')).toEqual({ 1: 1, 1.5: 1, 10: 1, 20: 1 });
    expect(countsIn({ body }, 'years')).toEqual({ '0000': 1, 2024: 1, 9999: 1 });
    expect(body.aggregations.months.buckets[1]).toEqual({
      ...{ key: '2024-02', docCount: 1, from: Date.UTC(2024, 1), to: Date.UTC(2024, 2) },
      ...{ fromAsDate: '2024-02-01T00:00:00.000Z', toAsDate: '2024-03-01T00:00:00.000Z' },
    });
    expect(countsIn({ body }, 'days')).toEqual({ '2019-12-31': 1, '2024-02-29': 1, '9999-12-31': 1 });
  });

  test('count what the parameters leave, on whatever page', async () => {
    const answer = await measures({ size: 10, currentPageIndex: 5 });
    expect(answer.body.resultsCount).toBe(2);
    expect(countsIn(answer, 'type')).toEqual({ Measured: 2 });
    expect(countsIn(answer, 'by')).toEqual({ x: 1, z: 1 });
  });
});

describe('§4.7 a selection of buckets', () => {
  test.each([
    [{ good: '["true"]' }, 'm0'],
    [{ good: 'true' }, 'm0'],
    [{ good: ['true', 'false'] }, 'm0 m1'],
    [{ by: '["x"]' }, 'm0 m2'],
    [{ by: '["x"]', sizes: '["10"]' }, 'm2'],
    [{ weight: '["light","middle"]' }, 'm0 m1'],
    [{ weight: 'any' }, 'm0 m1 m2'],
    [{ sizes: '["0"]' }, 'm0'],
    [{ weights: '["1.5"]' }, 'm1'],
    [{ age: '["old"]' }, 'm0'],
    [{ age: '["future","old"]' }, 'm0 m2'],
    [{ years: '["2024"]' }, 'm1'],
    [{ years: '["9999"]' }, 'm1'],
    [{ months: '["2019-12"]' }, 'm0'],
    [{ days: '["9999-12-31"]' }, 'm2'],
    [{ by: '["nobody"]' }, ''],
  ])('%j restricts what is found', async (given, names) => {
    const answer = await measures({ ...given, pageSize: 50, sortBy: 'ecm:name', sortOrder: 'asc' });
    expect(namesIn(answer).join(' ')).toBe(names);
    expect(answer.body.resultsCount).toBe(names.split(' ').filter(Boolean).length);
  });

  test('holds for the other aggregates, and not for its own', async () => {
    const answer = await measures({ by: '["y"]', size: '0' });
    expect(countsIn(answer, 'by')).toEqual({ x: 2, y: 1 });
    expect(countsIn(answer, 'sizes')).toEqual({ 0: 1 });
    expect(answer.body.aggregations.by.selection).toEqual(['y']);
  });

  test('of what holds nothing is told all the same', async () => {
    const { body } = await measures({ by: '["nobody","x"]' });
    expect(body.aggregations.by.buckets.map(({ key }: { key: string }) => key)).toEqual(['x', 'y']);
    expect(body.aggregations.by.extendedBuckets.at(-1)).toEqual({ key: 'nobody', docCount: 0 });
  });

  test.each([
    [{ weight: '["huge"]' }, 'weight: "huge" is none of light, middle, heavy, any'],
    [{ sizes: 'many' }, 'sizes: "many" is not a number'],
    [{ months: 'May' }, 'months: "May" is not a W3C date-time'],
    [{ good: 'perhaps' }, 'good: "perhaps" is not true or false'],
    [{ by: '[' }, 'by: "[" is no JSON'],
  ])('%j: 400', async (given, message) => {
    const { body } = await list(ann, 'measures', given).expect(400);
    expect(body.message).toBe(message);
  });
});

describe('§4.7 what one may not read', () => {
  test('is in no bucket and in no count', async () => {
    expect(countsIn(await measures({}, 'Administrator'), 'sizes')).toEqual({ 0: 1, 10: 2, 70: 1 });
    const { body } = await measures();
    expect(body.resultsCount).toBe(4);
    expect(JSON.stringify(body)).not.toMatch(/secret|"70"|hidden/);
    const selected = await measures({ by: '["secret"]' });
    expect(selected.body.resultsCount).toBe(0);
    expect(countsIn(selected, 'type')).toEqual({});
    expect(countsIn(selected, 'good')).toEqual({});
    const below = await list(ann, 'default_search', { ecm_path: closed.path }).expect(200);
    expect(below.body.resultsCount).toBe(0);
    for (const { buckets } of Object.values(
      below.body.aggregations as Record<string, { buckets: Array<{ docCount: number }> }>,
    ))
      expect(buckets.every(({ docCount }) => docCount === 0)).toBe(true);
  });
});

describe('§9 skipAggregates', () => {
  test.each(['Administrator', 'ann'])('saves the one statement that they cost, for %s', async (id) => {
    const cost = async (headers: Record<string, string>, given: Given = {}) => {
      const agent = id === 'ann' ? ann : server.request;
      await list(agent, 'measures', given, headers).expect(200);
      const answer = await list(agent, 'measures', given, headers).expect(200);
      return { cost: statements(answer), isThere: 'aggregations' in answer.body };
    };
    const all = await cost({});
    expect(await cost({ skipAggregates: 'true' })).toEqual({ cost: all.cost - 1, isThere: false });
    expect(await cost({}, { skipAggregates: 'true' })).toEqual({ cost: all.cost - 1, isThere: false });
    expect(await cost({ skipAggregates: 'false' })).toEqual({ cost: all.cost, isThere: true });
  });
});

describe('§10 fetch.aggregate: key', () => {
  const headers = { 'fetch.aggregate': 'key', 'translate.directoryEntry': 'label' };

  test('shows what keys stand for: users and entries', async () => {
    const { body } = await search({}, headers);
    const { dc_creator_agg: creators, dc_coverage_agg: coverage, dc_nature_agg: natures } = body.aggregations;
    expect(creators.buckets[0]).toMatchObject({
      ...{ key: 'Administrator', docCount: 7 },
      fetchedKey: { 'entity-type': 'user', id: 'Administrator' },
    });
    expect(creators.extendedBuckets).toEqual(creators.buckets);
    expect(coverage.buckets[0]).toMatchObject({
      ...{ key: 'europe/France' },
      fetchedKey: { 'entity-type': 'directoryEntry', id: 'France', directoryName: 'l10ncoverage' },
    });
    expect(natures.buckets[0].fetchedKey.properties).toMatchObject({ id: 'report', label: 'Report' });
    expect(body.aggregations.common_size_agg.buckets[0]).not.toHaveProperty('fetchedKey');
  });

  test('and nothing where it is not asked for, or leads nowhere', async () => {
    const { body } = await search();
    expect(body.aggregations.dc_creator_agg.buckets[0]).toEqual({ key: 'Administrator', docCount: 7 });
    const unknown = await search({ dc_creator_agg: '["nobody"]' }, headers);
    expect(unknown.body.aggregations.dc_creator_agg.extendedBuckets.at(-1)).toEqual({
      key: 'nobody',
      docCount: 0,
    });
  });

  test('costs the same however many keys there are', async () => {
    const cost = async (given: Given) => {
      await search(given, headers);
      return statements(await search(given, headers));
    };
    expect(await cost({})).toBe(await cost({ dc_nature: '["memo"]', dc_subjects_agg: '[]' }));
  });
});
