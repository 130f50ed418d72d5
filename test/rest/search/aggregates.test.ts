import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createMeasured, measuredModel } from './measured.ts';
import { countsIn, type Given, list, namesWhere } from './search-requests.ts';

const server = useServer({}, measuredModel);
const ann = useUser(server, 'ann', ['members']);
let folder: DocumentEntity;
let closed: DocumentEntity;

beforeAll(async () => {
  ({ folder, closed } = await createMeasured(server));
});

const measures = async (given: Given = {}, id = 'ann') =>
  list(id === 'ann' ? ann : server.request, 'measures', { pageSize: 1, ...given }).expect(200);

const search = async (given: Given = {}, headers: Record<string, string> = {}) =>
  list(ann, 'default_search', { ecm_path: folder.path, ...given }, headers).expect(200);

describe('§4.7 days of a list of dates', () => {
  test.each([
    ["BETWEEN DATE '2024-02-01' AND DATE '2024-04-30'", []],
    ["BETWEEN DATE '2024-02-01' AND DATE '2024-05-01'", ['m1']],
    ["NOT BETWEEN DATE '2024-02-01' AND DATE '2024-05-01'", ['m0', 'm2', 'm3']],
  ])('are one for both ends: %s', async (days, names) => {
    expect(await namesWhere(ann, `ecm:primaryType = 'Measured' AND DATE(m:times) ${days}`)).toEqual(names);
  });
});

describe('§4.7 aggregates', () => {
  test('contain all fields of an aggregate', async () => {
    const { body } = await search({ dc_nature_agg: '["report"]' });
    const buckets = [
      { key: 'report', docCount: 2 },
      { key: 'memo', docCount: 1 },
    ];
    expect(body.aggregations.dc_nature_agg).toEqual({
      'entity-type': 'aggregate',
      id: 'dc_nature_agg',
      field: 'dc:nature',
      properties: { size: '10' },
      ranges: [],
      selection: ['report'],
      type: 'terms',
      buckets,
      extendedBuckets: buckets,
    });
    expect(Object.keys(body.aggregations.dc_nature_agg).join()).toBe(
      'entity-type,id,field,properties,ranges,selection,type,buckets,extendedBuckets',
    );
    expect(body.aggregations.common_size_agg).toMatchObject({
      field: 'file:content.length',
      type: 'range',
      selection: [],
      ranges: expect.arrayContaining([{ key: 'small', from: 102_400, to: 1_048_576 }]),
    });
  });

  test('of type terms count each document once per value and are limited by their size', async () => {
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

  test('of type range include the lower and exclude the upper limit; empty ranges are listed', async () => {
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

  test('of type date_range accept durations relative to now and days', async () => {
    const { body } = await measures();
    expect(countsIn({ body }, 'age')).toEqual({ old: 1, past: 2, future: 1 });
    expect(body.aggregations.age.buckets[0]).toEqual({
      key: 'old',
      docCount: 1,
      to: Date.UTC(2020),
      toAsDate: '2020-01-01T00:00:00.000Z',
    });
    const now = body.aggregations.age.buckets[2].fromAsDate;
    expect(Math.abs(Date.parse(now) - Date.now())).toBeLessThan(60_000);
    expect(countsIn(await search(), 'dc_modified_agg')).toMatchObject({
      last24h: 7,
      lastWeek: 0,
      priorToLastYear: 0,
    });
  });

  test('of type histogram list the non-empty intervals from the least value on', async () => {
    const { body } = await measures();
    expect(body.aggregations.sizes).toMatchObject({
      properties: { interval: '10' },
      buckets: [
        { key: '0', docCount: 1, from: 0, to: 10 },
        { key: '10', docCount: 2, from: 10, to: 20 },
      ],
    });
    expect(countsIn({ body }, 'weights')).toEqual({ 0.3: 1, 1: 1, 1.5: 1, 10: 1, 20: 1 });
    expect(countsIn({ body }, 'years')).toEqual({ '0000': 1, 2024: 1, 9999: 1 });
    expect(body.aggregations.months.buckets[1]).toEqual({
      key: '2024-02',
      docCount: 1,
      from: Date.UTC(2024, 1),
      to: Date.UTC(2024, 2),
      fromAsDate: '2024-02-01T00:00:00.000Z',
      toAsDate: '2024-03-01T00:00:00.000Z',
    });
    expect(countsIn({ body }, 'days')).toEqual({ '2019-12-31': 1, '2024-02-29': 1, '9999-12-31': 1 });
  });

  test('count long, empty and odd texts, those in lists too, and more ranges than a table has columns', async () => {
    const [long, odd] = ['é'.repeat(150), 'a\u0001dc:description=b'];
    const given = [
      { 'dc:description': long, 'm:by': [long, '', odd] },
      { 'dc:description': long, 'm:by': ['', 'art', 'art'] },
      { 'dc:description': '' },
      { 'dc:description': odd },
      {},
    ];
    for (const properties of given) await createDocument(server, { type: 'Extreme', properties });
    const answer = await list(ann, 'extremes', {}).expect(200);
    expect(countsIn(answer, 'description')).toEqual({ [long]: 2, '': 1, [odd]: 1 });
    expect(countsIn(answer, 'elements')).toEqual({ [long]: 1, '': 2, [odd]: 1, art: 1 });
    expect(answer.body.aggregations.each.buckets).toHaveLength(2_000);
  });

  test('count all matching documents, on any page', async () => {
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
    [{ weights: '["0.2","1.5"]' }, 'm1'],
    [{ age: '["old"]' }, 'm0'],
    [{ age: '["future","old"]' }, 'm0 m2'],
    [{ years: '["2024"]' }, 'm1'],
    [{ years: '["9999"]' }, 'm1'],
    [{ months: '["2019-12"]' }, 'm0'],
    [{ days: '["9999-12-31"]' }, 'm2'],
    [{ by: '["nobody"]' }, ''],
  ])('%j restricts the results', async (given, names) => {
    const answer = await measures({ ...given, pageSize: 50, sortBy: 'ecm:name', sortOrder: 'asc' });
    expect(namesIn(answer).join(' ')).toBe(names);
    expect(answer.body.resultsCount).toBe(names.split(' ').filter(Boolean).length);
  });

  test('restricts the other aggregates, but not its own', async () => {
    const answer = await measures({ by: '["y"]', size: '0' });
    expect(countsIn(answer, 'by')).toEqual({ x: 2, y: 1 });
    expect(countsIn(answer, 'sizes')).toEqual({ 0: 1 });
    expect(answer.body.aggregations.by.selection).toEqual(['y']);
  });

  test('lists selected buckets without documents too', async () => {
    const { body } = await measures({ by: '["nobody","x"]' });
    expect(body.aggregations.by.buckets.map(({ key }: { key: string }) => key)).toEqual(['x', 'y']);
    expect(body.aggregations.by.extendedBuckets.at(-1)).toEqual({ key: 'nobody', docCount: 0 });
  });

  test.each([
    [{ weight: '["huge"]' }, 'weight: "huge" is not one of light, middle, heavy, any'],
    [{ sizes: 'many' }, 'sizes: "many" is not a number'],
    [{ months: 'May' }, 'months: "May" is not a W3C date-time'],
    [{ good: 'perhaps' }, 'good: "perhaps" is not true or false'],
    [{ by: '[' }, 'by: "[" is not valid JSON'],
  ])('answers 400 to %j', async (given, message) => {
    const { body } = await list(ann, 'measures', given).expect(400);
    expect(body.message).toBe(message);
  });
});

describe('§4.7 documents without Read permission', () => {
  test('are in no bucket and in no count', async () => {
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
  test.each(['Administrator', 'ann'])(
    'omits the aggregates and saves their one SQL statement, for %s',
    async (id) => {
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
    },
  );
});

describe('§10 fetch.aggregate: key', () => {
  const headers = { 'fetch.aggregate': 'key', 'translate.directoryEntry': 'label' };

  test('resolves the keys of buckets to users and entries', async () => {
    const { body } = await search({}, headers);
    const { dc_creator_agg: creators, dc_coverage_agg: coverage, dc_nature_agg: natures } = body.aggregations;
    expect(creators.buckets[0]).toMatchObject({
      key: 'Administrator',
      docCount: 7,
      fetchedKey: { 'entity-type': 'user', id: 'Administrator' },
    });
    expect(creators.extendedBuckets).toEqual(creators.buckets);
    expect(coverage.buckets[0]).toMatchObject({
      key: 'europe/France',
      fetchedKey: { 'entity-type': 'directoryEntry', id: 'France', directoryName: 'l10ncoverage' },
    });
    expect(natures.buckets[0].fetchedKey.properties).toMatchObject({ id: 'report', label: 'Report' });
    expect(body.aggregations.common_size_agg.buckets[0]).not.toHaveProperty('fetchedKey');
  });

  test('shows the parents of entries, too, with fetch.directoryEntry: parent', async () => {
    const withParents = { ...headers, 'fetch-directoryentry': 'parent' };
    const { buckets } = (await search({}, withParents)).body.aggregations.dc_coverage_agg;
    expect(buckets[0].fetchedKey.properties).toMatchObject({
      id: 'France',
      parent: {
        'entity-type': 'directoryEntry',
        properties: { id: 'europe', label_en: 'Europe', parent: '' },
      },
    });
    const plain = (await search({}, headers)).body.aggregations.dc_coverage_agg.buckets;
    expect(plain[0].fetchedKey.properties.parent).toMatchObject({
      'entity-type': 'directoryEntry',
      id: 'europe',
      properties: { id: 'europe', parent: '' },
    });
  });

  test('adds nothing without the header or for unknown keys', async () => {
    const { body } = await search();
    expect(body.aggregations.dc_creator_agg.buckets[0]).toEqual({ key: 'Administrator', docCount: 7 });
    const unknown = await search({ dc_creator_agg: '["nobody"]' }, headers);
    expect(unknown.body.aggregations.dc_creator_agg.extendedBuckets.at(-1)).toEqual({
      key: 'nobody',
      docCount: 0,
    });
  });

  test('are none where a page provider has an empty list of them', async () => {
    const { body } = await list(ann, 'uncounted').expect(200);
    expect(body.entries).toHaveLength(4);
    expect(body).not.toHaveProperty('aggregations');
  });

  test('costs the same number of SQL statements for any number of keys', async () => {
    const cost = async (given: Given) => {
      await search(given, headers);
      return statements(await search(given, headers));
    };
    expect(await cost({})).toBe(await cost({ dc_coverage_agg: '["europe/France"]' }));
  });
});
