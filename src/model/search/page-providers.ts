import type {
  AggregateDefinition,
  PageProviderDefinition,
  SortDefinition,
} from './page-provider-definitions.ts';

const visible = "ecm:isVersion = 0 AND ecm:mixinType <> 'HiddenInNavigation'";
const notTrashed = `${visible} AND ecm:isTrashed = 0`;

const documentsWhere = (condition: string): string => `SELECT * FROM Document WHERE ${condition}`;

const collections = documentsWhere(
  `ecm:mixinType = 'Collection' AND ecm:primaryType <> 'Favorites' AND ${notTrashed} AND ecm:isProxy = 0`,
);

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
  {
    name: 'default_search',
    pageSize: 20,
    highlight,
    query: documentsWhere(
      `ecm:primaryType NOT IN ('Domain', 'SectionRoot', 'TemplateRoot', 'WorkspaceRoot', 'Favorites')
        AND ${notTrashed} AND ecm:parentId IS NOT NULL`,
    ),
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
  },
  {
    name: 'default_trash_search',
    pageSize: 20,
    highlight,
    query: documentsWhere(`${visible} AND ecm:isTrashed = 1 AND ecm:parentId IS NOT NULL`),
    predicates: [
      { parameter: 'ecm_fulltext', property: 'ecm:fulltext', operator: '=' },
      { parameter: 'ecm_path', property: 'ecm:path', operator: 'STARTSWITH' },
    ],
    aggregates: [ofCreator, ofSize],
  },
  {
    name: 'simple_search',
    pageSize: 20,
    highlight,
    query: documentsWhere(notTrashed),
    predicates: [{ parameter: 'ecm_fulltext', property: 'ecm:fulltext', operator: '=' }],
  },
  {
    name: 'expired_search',
    pageSize: 20,
    sort: [{ property: 'dc:expired', order: 'asc' }],
    query: documentsWhere(`${notTrashed} AND dc:expired IS NOT NULL`),
    predicates: [
      { parameter: 'title', property: 'ecm:fulltext.dc:title', operator: '=' },
      { parameter: ['expired_min', 'expired_max'], property: 'dc:expired', operator: 'BETWEEN' },
    ],
    aggregates: [
      ofCreator,
      { id: 'dc_expired_agg', property: 'dc:expired', type: 'date_histogram', interval: 'month' },
    ],
  },
  {
    name: 'default_document_suggestion',
    pageSize: 5,
    query: documentsWhere(notTrashed),
    predicates: [{ parameter: 1, property: 'ecm:fulltext', operator: 'PREFIX' }],
  },
  { name: 'nxql_search', query: '?', pageSize: 20 },
  { name: 'REST_API_SEARCH_ADAPTER', query: '?' },
];

const childrenWhere = (condition: string): string => documentsWhere(`ecm:parentId = ? AND ${condition}`);

const contents: readonly PageProviderDefinition[] = [
  { name: 'CURRENT_DOC_CHILDREN', query: childrenWhere(notTrashed), sort: titleUp },
  { name: 'document_content', query: childrenWhere(notTrashed), sort: titleUp, pageSize: 20 },
  { name: 'section_content', query: childrenWhere(notTrashed), sort: titleUp, pageSize: 20 },
  {
    name: 'document_trash_content',
    sort: titleUp,
    pageSize: 20,
    query: childrenWhere(`${visible} AND ecm:isTrashed = 1`),
  },
  {
    name: 'orderable_document_content',
    query: childrenWhere(notTrashed),
    pageSize: 20,
    sort: [{ property: 'ecm:pos', order: 'asc' }],
    isSortable: false,
  },
  {
    name: 'advanced_document_content',
    query: documentsWhere(visible),
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
  },
  {
    name: 'tree_children',
    query: childrenWhere(`ecm:mixinType = 'Folderish' AND ecm:isProxy = 0 AND ${notTrashed}`),
    sort: [{ property: 'ecm:pos', order: 'asc' }, ...titleUp],
  },
  {
    name: 'domain_documents',
    sort: latestFirst,
    pageSize: 5,
    query: documentsWhere(`ecm:path STARTSWITH ? AND ecm:mixinType <> 'Folderish' AND ${notTrashed}`),
  },
];

const ofCollections: readonly PageProviderDefinition[] = [
  {
    name: 'default_collection',
    query: collections,
    sort: titleUp,
    predicates: [{ parameter: 1, property: 'dc:title', operator: 'PREFIX' }],
  },
  {
    name: 'user_collections',
    query: collections,
    sort: titleUp,
    predicates: [{ parameter: 'searchTerm', property: 'dc:title', operator: 'PREFIX' }],
  },
  { name: 'all_collections', query: collections, sort: titleUp, pageSize: 1000 },
  {
    name: 'default_content_collection',
    sort: titleUp,
    query: documentsWhere('collectionMember:collectionIds/* = ? AND ecm:isTrashed = 0 AND ecm:isVersion = 0'),
  },
  { name: 'ordered_content_collection', query: 'MEMBERS', isSortable: false },
];

export const stockPageProviders: readonly PageProviderDefinition[] = [
  ...searches,
  ...contents,
  ...ofCollections,
];
