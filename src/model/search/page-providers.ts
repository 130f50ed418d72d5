import type {
  AggregateDefinition,
  PageProviderDefinition,
  SortDefinition,
} from './page-provider-definitions.ts';

const visible = "ecm:isVersion = 0 AND ecm:mixinType <> 'HiddenInNavigation'";
const notTrashed = `${visible} AND ecm:isTrashed = 0`;

const collection = "ecm:mixinType = 'Collection' AND ecm:primaryType <> 'Favorites'";
const collections = `${collection} AND ${notTrashed} AND ecm:isProxy = 0`;
const inCollection = 'collectionMember:collectionIds/* = ? AND ecm:isTrashed = 0 AND ecm:isVersion = 0';

const placed = `ecm:primaryType NOT IN ('Domain', 'SectionRoot', 'TemplateRoot', 'WorkspaceRoot', 'Favorites')
        AND ${notTrashed} AND ecm:parentId IS NOT NULL`;

const childrenWhere = (condition: string): string => `ecm:parentId = ? AND ${condition}`;

const finding = (
  name: string,
  condition: string,
  more: Omit<PageProviderDefinition, 'name' | 'query'>,
): PageProviderDefinition => ({ name, query: `SELECT * FROM Document WHERE ${condition}`, ...more });

const titleUp: SortDefinition[] = [{ property: 'dc:title', order: 'asc' }];
const latestFirst: SortDefinition[] = [{ property: 'dc:modified', order: 'desc' }];

const highlight = ['dc:title', 'dc:description', 'note:note'];

const ofCreator: AggregateDefinition = { id: 'dc_creator_agg', property: 'dc:creator', type: 'terms' };

const ofSize: AggregateDefinition = {
  id: 'common_size_agg',
  property: 'file:content/length',
  type: 'range',
  ranges: [
    { key: 'tiny', to: 102_400 },
    { key: 'small', from: 102_400, to: 1_048_576 },
    { key: 'medium', from: 1_048_576, to: 10_485_760 },
    { key: 'big', from: 10_485_760, to: 104_857_600 },
    { key: 'huge', from: 104_857_600 },
  ],
};

const ofModified: AggregateDefinition = {
  id: 'dc_modified_agg',
  property: 'dc:modified',
  type: 'date_range',
  ranges: [
    { key: 'last24h', from: '-PT24H' },
    { key: 'lastWeek', from: '-P7D', to: '-PT24H' },
    { key: 'lastMonth', from: '-P1M', to: '-P7D' },
    { key: 'lastYear', from: '-P1Y', to: '-P1M' },
    { key: 'priorToLastYear', to: '-P1Y' },
  ],
};

const searches: readonly PageProviderDefinition[] = [
  finding('default_search', placed, {
    pageSize: 20,
    highlight,
    predicates: [
      { parameter: 'ecm_fulltext', property: 'ecm:fulltext', operator: '=' },
      { parameter: 'dc_creator', property: 'dc:creator', operator: 'IN' },
      { parameter: ['dc_created_min', 'dc_created_max'], property: 'dc:created', operator: 'BETWEEN' },
      { parameter: ['dc_modified_min', 'dc_modified_max'], property: 'dc:modified', operator: 'BETWEEN' },
      { parameter: 'dc_nature', property: 'dc:nature', operator: 'IN' },
      { parameter: 'dc_subjects', property: 'dc:subjects', operator: 'STARTSWITH' },
      { parameter: 'dc_coverage', property: 'dc:coverage', operator: 'STARTSWITH' },
      { parameter: 'ecm_path', property: 'ecm:path', operator: 'STARTSWITH' },
      { parameter: 'ecm_tags', property: 'ecm:tag', operator: 'IN' },
      { parameter: 'ecm_collections', property: 'collectionMember:collectionIds', operator: 'IN' },
    ],
    aggregates: [
      { id: 'dc_nature_agg', property: 'dc:nature', type: 'terms' },
      { id: 'dc_subjects_agg', property: 'dc:subjects', type: 'terms' },
      { id: 'dc_coverage_agg', property: 'dc:coverage', type: 'terms' },
      ofCreator,
      ofSize,
      ofModified,
    ],
    quickFilters: [
      { name: 'noFolder', condition: "ecm:mixinType <> 'Folderish'" },
      { name: 'mostRecent', sort: latestFirst },
      { name: 'onlyValidated', condition: "ecm:currentLifeCycleState = 'approved'", sort: latestFirst },
    ],
  }),
  finding('default_trash_search', `${visible} AND ecm:isTrashed = 1 AND ecm:parentId IS NOT NULL`, {
    pageSize: 20,
    highlight,
    predicates: [
      { parameter: 'ecm_fulltext', property: 'ecm:fulltext', operator: '=' },
      { parameter: 'ecm_path', property: 'ecm:path', operator: 'STARTSWITH' },
    ],
    aggregates: [ofCreator, ofSize],
  }),
  finding('simple_search', notTrashed, {
    pageSize: 20,
    highlight,
    predicates: [{ parameter: 'ecm_fulltext', property: 'ecm:fulltext', operator: '=' }],
  }),
  finding('expired_search', `${notTrashed} AND dc:expired IS NOT NULL`, {
    pageSize: 20,
    sort: [{ property: 'dc:expired', order: 'asc' }],
    predicates: [
      { parameter: 'title', property: 'ecm:fulltext.dc:title', operator: '=' },
      { parameter: ['expired_min', 'expired_max'], property: 'dc:expired', operator: 'BETWEEN' },
    ],
    aggregates: [
      ofCreator,
      { id: 'dc_expired_agg', property: 'dc:expired', type: 'date_histogram', interval: 'month' },
    ],
  }),
  finding('default_document_suggestion', notTrashed, {
    pageSize: 5,
    predicates: [{ parameter: 1, property: 'ecm:fulltext', operator: 'PREFIX' }],
  }),
  { name: 'nxql_search', query: '?', pageSize: 20 },
  { name: 'REST_API_SEARCH_ADAPTER', query: '?' },
];

const contents: readonly PageProviderDefinition[] = [
  finding('CURRENT_DOC_CHILDREN', childrenWhere(notTrashed), { sort: titleUp }),
  finding('document_content', childrenWhere(notTrashed), { sort: titleUp, pageSize: 20 }),
  finding('section_content', childrenWhere(notTrashed), { sort: titleUp, pageSize: 20 }),
  finding('document_trash_content', childrenWhere(`${visible} AND ecm:isTrashed = 1`), {
    sort: titleUp,
    pageSize: 20,
  }),
  finding('orderable_document_content', childrenWhere(notTrashed), {
    pageSize: 20,
    sort: [{ property: 'ecm:pos', order: 'asc' }],
    isSortable: false,
  }),
  finding('advanced_document_content', visible, {
    sort: latestFirst,
    pageSize: 20,
    predicates: [
      { parameter: 'ecm_parentId', property: 'ecm:parentId', operator: '=' },
      { parameter: 'ecm_trashed', property: 'ecm:isTrashed', operator: '=' },
      { parameter: 'title', property: 'ecm:fulltext.dc:title', operator: '=' },
    ],
    aggregates: [
      { id: 'dc_last_contributor_agg', property: 'dc:lastContributor', type: 'terms' },
      ofModified,
    ],
  }),
  finding(
    'tree_children',
    childrenWhere(`ecm:mixinType = 'Folderish' AND ecm:isProxy = 0 AND ${notTrashed}`),
    {
      sort: [{ property: 'ecm:pos', order: 'asc' }, ...titleUp],
    },
  ),
  finding('domain_documents', `ecm:path STARTSWITH ? AND ecm:mixinType <> 'Folderish' AND ${notTrashed}`, {
    sort: latestFirst,
    pageSize: 5,
  }),
];

const ofCollections: readonly PageProviderDefinition[] = [
  finding('default_collection', collections, {
    sort: titleUp,
    predicates: [{ parameter: 1, property: 'dc:title', operator: 'PREFIX' }],
  }),
  finding('user_collections', collections, {
    sort: titleUp,
    predicates: [{ parameter: 'searchTerm', property: 'dc:title', operator: 'PREFIX' }],
  }),
  finding('all_collections', collections, { sort: titleUp, pageSize: 1000 }),
  finding('default_content_collection', inCollection, { sort: titleUp }),
  { name: 'ordered_content_collection', query: 'MEMBERS', isSortable: false },
];

export const stockPageProviders: readonly PageProviderDefinition[] = [
  ...searches,
  ...contents,
  ...ofCollections,
];
