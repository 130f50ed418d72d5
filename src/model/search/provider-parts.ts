import type {
  AggregateDefinition,
  PageProviderDefinition,
  SortDefinition,
} from './page-provider-definitions.ts';

export const visible = "ecm:isVersion = 0 AND ecm:mixinType <> 'HiddenInNavigation'";
export const notTrashed = `${visible} AND ecm:isTrashed = 0`;

export const finding = (
  name: string,
  condition: string,
  more: Omit<PageProviderDefinition, 'name' | 'query'>,
): PageProviderDefinition => ({ name, query: `SELECT * FROM Document WHERE ${condition}`, ...more });

export const latestFirst: SortDefinition[] = [{ property: 'dc:modified', order: 'desc' }];

export const highlight = ['dc:title', 'dc:description', 'note:note'];

type Predicates = NonNullable<PageProviderDefinition['predicates']>;

export const fullText: Predicates[number] = {
  parameter: 'ecm_fulltext',
  property: 'ecm:fulltext',
  operator: '=',
};

export const searchPredicates: Predicates = [
  fullText,
  { parameter: 'dc_creator', property: 'dc:creator', operator: 'IN' },
  { parameter: ['dc_created_min', 'dc_created_max'], property: 'dc:created', operator: 'BETWEEN' },
  { parameter: ['dc_modified_min', 'dc_modified_max'], property: 'dc:modified', operator: 'BETWEEN' },
  { parameter: 'dc_nature', property: 'dc:nature', operator: 'IN' },
  { parameter: 'dc_subjects', property: 'dc:subjects', operator: 'STARTSWITH' },
  { parameter: 'dc_coverage', property: 'dc:coverage', operator: 'STARTSWITH' },
  { parameter: 'ecm_path', property: 'ecm:path', operator: 'STARTSWITH' },
  { parameter: 'ecm_tags', property: 'ecm:tag', operator: 'IN' },
  { parameter: 'ecm_collections', property: 'collectionMember:collectionIds', operator: 'IN' },
];

type Limits = readonly [number, number, number, number];

/** Returns an aggregate with five ranges of numbers, from `tiny` to `huge`, which are separated by the given limits. */
export const ofMagnitude = (
  id: string,
  property: string,
  [small, medium, big, huge]: Limits,
): AggregateDefinition => ({
  id,
  property,
  type: 'range',
  ranges: [
    { key: 'tiny', to: small },
    { key: 'small', from: small, to: medium },
    { key: 'medium', from: medium, to: big },
    { key: 'big', from: big, to: huge },
    { key: 'huge', from: huge },
  ],
});
