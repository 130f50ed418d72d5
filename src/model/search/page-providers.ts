import { assetProviders } from './asset-providers.ts';
import type {
  AggregateDefinition,
  PageProviderDefinition,
  SortDefinition,
} from './page-provider-definitions.ts';
import {
  finding,
  fullText,
  highlight,
  latestFirst,
  notTrashed,
  ofMagnitude,
  searchPredicates,
  visible,
} from './provider-parts.ts';

const collection = "ecm:mixinType = 'Collection' AND ecm:primaryType <> 'Favorites'";
const collections = `${collection} AND ${notTrashed} AND ecm:isProxy = 0`;
const inCollection = 'collectionMember:collectionIds/* = ? AND ecm:isTrashed = 0 AND ecm:isVersion = 0';

const placed = `ecm:primaryType NOT IN ('Domain', 'SectionRoot', 'TemplateRoot', 'WorkspaceRoot', 'Favorites')
        AND ${notTrashed} AND ecm:parentId IS NOT NULL`;

/** Defines a page provider that returns the children of the document whose id is the first parameter. */
const findingChildren: typeof finding = (name, condition, more) =>
  finding(name, `ecm:parentId = ? AND ${condition}`, more);

const titleUp: SortDefinition[] = [{ property: 'dc:title', order: 'asc' }];

const ofCreator: AggregateDefinition = { id: 'dc_creator_agg', property: 'dc:creator', type: 'terms' };

const ofSize = ofMagnitude(
  'common_size_agg',
  'file:content/length',
  [102_400, 1_048_576, 10_485_760, 104_857_600],
);

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
    modelType: 'DefaultSearch',
    pageSize: 20,
    highlight,
    predicates: searchPredicates,
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
  finding('console_search', placed, {
    pageSize: 50,
    highlight: [...highlight, 'file:content'],
    predicates: [
      ...searchPredicates,
      { parameter: 'dc_contributors', property: 'dc:contributors', operator: 'IN' },
    ],
    aggregates: [
      { id: 'system_primaryType_agg', property: 'ecm:primaryType', type: 'terms' },
      { id: 'system_parentId_agg', property: 'ecm:parentId', type: 'terms', size: 8 },
      ofCreator,
      { id: 'system_tag_agg', property: 'ecm:tag', type: 'terms' },
      ofModified,
      ofSize,
      { id: 'dc_nature_agg', property: 'dc:nature', type: 'terms' },
      { id: 'dc_subjects_agg', property: 'dc:subjects', type: 'terms' },
      { id: 'dc_coverage_agg', property: 'dc:coverage', type: 'terms' },
    ],
    quickFilters: [{ name: 'noFolder', condition: "ecm:mixinType <> 'Folderish'" }],
  }),
  finding('default_trash_search', `${visible} AND ecm:isTrashed = 1 AND ecm:parentId IS NOT NULL`, {
    pageSize: 20,
    highlight,
    predicates: [fullText, { parameter: 'ecm_path', property: 'ecm:path', operator: 'STARTSWITH' }],
    aggregates: [ofCreator, ofSize],
  }),
  finding('simple_search', notTrashed, {
    pageSize: 20,
    highlight,
    predicates: [fullText],
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
  finding('document_picker', notTrashed, {
    pageSize: 5,
    sort: latestFirst,
    predicates: [{ parameter: 1, property: 'ecm:fulltext', operator: 'PREFIX' }, fullText],
  }),
  finding(
    'publish_space_suggestion',
    "ecm:mixinType = 'PublishSpace' AND ecm:isTrashed = 0 AND ecm:isVersion = 0",
    {
      predicates: [{ parameter: 'searchTerm', property: 'ecm:fulltext.dc:title', operator: 'PREFIX' }],
      sort: titleUp,
    },
  ),
  {
    name: 'SAVED_SEARCHES_ALL',
    query: 'SELECT * FROM SavedSearch WHERE ecm:isVersion = 0 AND ecm:isProxy = 0 AND ecm:isTrashed = 0',
    predicates: [{ parameter: 'pageProvider', property: 'saved:providerName', operator: '=' }],
    sort: titleUp,
  },
  { name: 'nxql_search', query: '?', pageSize: 20 },
  { name: 'REST_API_SEARCH_ADAPTER', query: '?' },
];

const contents: readonly PageProviderDefinition[] = [
  findingChildren('CURRENT_DOC_CHILDREN', notTrashed, { sort: titleUp }),
  findingChildren('document_content', notTrashed, { sort: titleUp, pageSize: 20 }),
  findingChildren('section_content', notTrashed, { sort: titleUp, pageSize: 20 }),
  findingChildren('document_trash_content', `${visible} AND ecm:isTrashed = 1`, {
    sort: titleUp,
    pageSize: 20,
  }),
  findingChildren('orderable_document_content', notTrashed, {
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
  findingChildren('tree_children', `ecm:mixinType = 'Folderish' AND ecm:isProxy = 0 AND ${notTrashed}`, {
    sort: [{ property: 'ecm:pos', order: 'asc' }, ...titleUp],
  }),
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

const newestComments: SortDefinition[] = [{ property: 'comment:creationDate', order: 'desc' }];
const comments = "SELECT * FROM Comment WHERE ecm:primaryType <> 'Annotation'";

const commenting = (name: string, query: string): PageProviderDefinition => ({
  name,
  query,
  sort: newestComments,
});

const ofComments: readonly PageProviderDefinition[] = [
  commenting('GET_COMMENTS_FOR_DOCUMENT', `${comments} AND comment:parentId = ?`),
  commenting('GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', `${comments} AND ecm:parentId = ?`),
  commenting('GET_ANNOTATIONS_FOR_DOCUMENT', 'SELECT * FROM Annotation WHERE comment:parentId = ?'),
  commenting('GET_ANNOTATIONS_FOR_DOCUMENT_BY_ECM_PARENT', 'SELECT * FROM Annotation WHERE ecm:parentId = ?'),
  commenting(
    'GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR',
    'SELECT * FROM Comment WHERE ecm:ancestorId = ? AND externalEntity:entityId = ?',
  ),
];

export const stockPageProviders: readonly PageProviderDefinition[] = [
  ...searches,
  ...assetProviders,
  ...contents,
  ...ofCollections,
  ...ofComments,
];
