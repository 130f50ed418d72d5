import { describe, expect, test } from '@jest/globals';
import { stockModel } from '../../../src/model/contributed/contributed.ts';
import { createModel } from '../../../src/model/create-model.ts';
import { contributedShape } from '../../../src/model/definitions.ts';
import { ModelError } from '../../../src/model/model-error.ts';
import type { PageProviderDefinition } from '../../../src/model/search/page-provider-definitions.ts';
import { stockPageProviders } from '../../../src/model/search/page-providers.ts';
import { requireValidProviders } from '../../../src/query/providers/validate-providers.ts';

const documents = 'SELECT * FROM Document';
const byScore = { property: 'ecm:fulltextScore', order: 'desc' } as const;

/** The stock model with page providers of a file. */
function modelWith(contributed: readonly PageProviderDefinition[]) {
  const definition = { ...stockModel, pageProviders: [...stockModel.pageProviders, ...contributed] };
  const model = createModel(definition, new Map(contributed.map((each) => [each, 'own.json'])));
  requireValidProviders(model);
  return model;
}

function faultsOf(...contributed: readonly PageProviderDefinition[]): ModelError['faults'] {
  try {
    modelWith(contributed);
  } catch (error) {
    if (error instanceof ModelError) return error.faults;
    throw error;
  }
  return [];
}

describe('a contributed page provider', () => {
  test('may repeat the definition of any stock one under another name', () => {
    const copies = stockPageProviders.map((provider) => ({ ...provider, name: `own_${provider.name}` }));
    expect(faultsOf(...copies)).toEqual([]);
    expect(contributedShape.safeParse({ pageProviders: copies }).success).toBe(true);
    expect(modelWith(copies).pageProviders.get('own_default_search')?.file).toBe('own.json');
  });

  test('may have positional and named parameters in its query', () => {
    const query = `${documents} WHERE dc:created > ? AND dc:nature IN (?, :nature) AND dc:title = ':no ?' ORDER BY dc:title`;
    expect(faultsOf({ name: 'open', query })).toEqual([]);
  });

  test.each<Partial<PageProviderDefinition>>([
    { query: `${documents} WHERE file:content IS NOT NULL AND ecm:isTrashed = ? AND ecm:uuid IN :ids` },
    { query: `${documents} WHERE DATE(dc:created) < ? AND uid:major_version BETWEEN ? AND :most` },
    { query: `${documents} WHERE ecm:path STARTSWITH ? AND dc:subjects/*1 ILIKE :like AND NOT ecm:tag <> ?` },
    { query: `${documents} WHERE dc:creator = $currentUser AND uid:major_version IN ('1', ?)` },
    {
      predicates: [
        { parameter: 1, property: 'dc:title', operator: 'PREFIX' },
        { parameter: ['from', 'to'], property: 'dc:created', operator: 'BETWEEN' },
        { parameter: 'id', property: 'ecm:uuid', operator: 'IN' },
        { parameter: 'inTrash', property: 'ecm:isTrashed', operator: '=' },
        { parameter: 'below', property: 'ecm:path', operator: 'STARTSWITH' },
      ],
    },
    { query: 'SELECT DISTINCT dc:subjects/* FROM File ORDER BY dc:subjects' },
    { query: '?', predicates: [{ parameter: 'x', property: 'file:content/length', operator: '>=' }] },
  ])('may ask whatever a query may: %j', (part) => {
    expect(faultsOf({ name: 'own', query: documents, ...part })).toEqual([]);
  });

  test.each<[string, Partial<PageProviderDefinition>, string, string]>([
    [
      'an order by words that are not sought',
      { sort: [byScore] },
      '.sort',
      'requires a condition on ecm:fulltext',
    ],
    ['a comparison of fields', { query: `${documents} WHERE file:content = ?` }, '.query', 'it has fields'],
    [
      'words of a number',
      { query: `${documents} WHERE ecm:fulltext.uid:major_version = ?` },
      '.query',
      'cannot be searched for words',
    ],
    ['an element of a text', { query: `${documents} WHERE dc:title/*1 = ?` }, '.query', 'dc:title'],
    ['a query that cannot be parsed', { query: 'SELECT' }, '.query', 'query: at'],
    ['an unknown type', { query: 'SELECT * FROM Nothing' }, '.query', 'Nothing'],
    ['an unknown property', { query: `${documents} WHERE NOT (x:y = 1 OR dc:title = 'x')` }, '.query', 'x:y'],
    [
      'the first of two faults',
      { query: `${documents} WHERE dc:nope = 1 AND dc:nix = 2` },
      '.query',
      'query: at 30: unknown property: dc:nope',
    ],
    [
      'fields',
      { query: `${documents} WHERE NOT file:content IN (?)` },
      '.query',
      'query: at 34: file:content',
    ],
    ['an unknown order', { query: `${documents} ORDER BY dc:subjects` }, '.query', 'dc:subjects'],
    ['another order', { sort: [{ property: 'x:y', order: 'asc' }] }, '.sort', 'x:y'],
    ['an unknown type of saved searches', { modelType: 'Nothing' }, '.modelType', 'Nothing is not a subtype'],
    ['a type of other documents', { modelType: 'File' }, '.modelType', 'subtype of SavedSearch'],
    [
      'a predicate',
      { predicates: [{ parameter: 'x', property: 'x:y', operator: '=' }] },
      '.predicates[0].property',
      'x:y',
    ],
    [
      'two names',
      { predicates: [{ parameter: ['x', 'y'], property: 'dc:title', operator: '=' }] },
      '.predicates[0].parameter',
      '= requires one parameter',
    ],
    [
      'one name',
      { predicates: [{ parameter: 'x', property: 'dc:created', operator: 'BETWEEN' }] },
      '.predicates[0].parameter',
      'BETWEEN requires two parameters',
    ],
    [
      'a name taken',
      {
        predicates: [{ parameter: 'x', property: 'dc:title', operator: '=' }],
        aggregates: [{ id: 'x', property: 'dc:title', type: 'terms' }],
      },
      '.aggregates[0].id',
      'the name x is used twice',
    ],
    [
      'words of texts',
      { aggregates: [{ id: 'x', property: 'ecm:fulltext', type: 'terms' }] },
      '.aggregates[0]',
      'cannot be aggregated',
    ],
    [
      'numbers of a text',
      { aggregates: [{ id: 'x', property: 'dc:title', type: 'histogram', interval: 1 }] },
      '.aggregates[0]',
      'it is not a number',
    ],
    [
      'a moment',
      {
        aggregates: [
          { id: 'x', property: 'dc:created', type: 'date_range', ranges: [{ key: 'a', to: 'soon' }] },
        ],
      },
      '.aggregates[0]',
      '"soon"',
    ],
    [
      'a key taken',
      {
        aggregates: [
          {
            id: 'x',
            property: 'file:content/length',
            type: 'range',
            ranges: [{ key: 'a' }, { key: 'a', to: 1 }],
          },
        ],
      },
      '.aggregates[0].ranges[1].key',
      'the name a is used twice',
    ],
    [
      'a quick filter',
      { quickFilters: [{ name: 'x', condition: 'x:y = 1' }] },
      '.quickFilters[0].condition',
      'x:y',
    ],
    [
      'its order',
      { quickFilters: [{ name: 'x', sort: [{ property: 'x:y', order: 'asc' }] }] },
      '.quickFilters[0].sort',
      'x:y',
    ],
    [
      'its name',
      { quickFilters: [{ name: 'x' }, { name: 'x' }] },
      '.quickFilters[1].name',
      'the name x is used twice',
    ],
    ['a stock name', { name: 'default_search' }, '', 'is defined twice'],
  ])('with an invalid part (%s) is reported with its location', (_, part, at, words) => {
    const provider = { name: 'own', query: documents, ...part };
    expect(faultsOf(provider)).toEqual([
      {
        file: 'own.json',
        location: `pageProviders.${provider.name}${at}`,
        fault: expect.stringContaining(words),
      },
    ]);
  });

  test.each([
    ["uid:major_version = 'x'", 'must be compared with a number; got "x"'],
    ["uid:major_version IN (?, 'x')", 'must be compared with a number; got "x"'],
    ["dc:created > 'x'", '"x" is not a W3C date-time'],
    ["uid:major_version LIKE 'a%'", 'compared by LIKE'],
    ['dc:created ILIKE ?', 'compared by ILIKE'],
    ['ecm:mixinType > ?', 'compared by >'],
    ['DATE(dc:title) = :day', 'compared by day'],
  ])('with a condition that its property cannot have is refused: %s', (where, words) => {
    const fault = expect.stringMatching(`^query: at 30: .*${words}`);
    const query = `${documents} WHERE ${where}`;
    expect(faultsOf({ name: 'own', query })).toMatchObject([{ location: 'pageProviders.own.query', fault }]);
  });

  test('with a predicate whose property cannot be compared so is refused', () => {
    const predicates = [{ parameter: 'x', property: 'dc:created', operator: 'LIKE' as const }];
    expect(faultsOf({ name: 'own', query: documents, predicates })).toMatchObject([
      { fault: expect.stringContaining('dc:created cannot be compared by LIKE') },
    ]);
  });

  test.each([
    [{ name: 'x' }, 'pageProviders[0].query'],
    [{ name: 'x', query: '', filter: 1 }, 'filter'],
    [{ name: 'x', query: '', predicates: [{ parameter: 0, property: 'a', operator: '=' }] }, 'parameter'],
    [{ name: 'x', query: '', predicates: [{ parameter: 'a', property: 'a', operator: 'is' }] }, 'operator'],
    [{ name: 'x', query: '', aggregates: [{ id: 'a', property: 'b', type: 'range', ranges: [] }] }, 'ranges'],
    [{ name: 'x', query: '', aggregates: [{ id: 'a', property: 'b', type: 'terms', size: 0 }] }, 'size'],
    [{ name: 'x', query: '', pageSize: 1001 }, 'pageSize'],
  ])('of invalid form is refused: %j', (provider, place) => {
    const { error } = contributedShape.safeParse({ pageProviders: [provider] });
    expect(JSON.stringify(error?.issues)).toContain(place.split('.').at(-1));
  });
});
