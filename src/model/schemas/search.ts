import type { SchemaDefinition } from '../definitions.ts';
import { prefixedSchema } from './schema.ts';

export const searchSchemas: readonly SchemaDefinition[] = [
  prefixedSchema('default_search', 'defaults', {
    ecm_fulltext: 'string',
    dc_creator: { type: 'string[]', refersTo: { to: 'user' } },
    dc_created_min: 'date',
    dc_created_max: 'date',
    dc_modified_min: 'date',
    dc_modified_max: 'date',
    dc_nature: { type: 'string[]', refersTo: { to: 'directory', directory: 'nature' } },
    dc_subjects: {
      type: 'string[]',
      refersTo: { to: 'directory', directory: 'l10nsubjects', separator: '/' },
    },
    dc_coverage: {
      type: 'string[]',
      refersTo: { to: 'directory', directory: 'l10ncoverage', separator: '/' },
    },
    ecm_path: 'string[]',
    ecm_tags: 'string[]',
    ecm_collections: { type: 'string[]', refersTo: { to: 'document' } },
    dc_nature_agg: 'string[]',
    dc_subjects_agg: 'string[]',
    dc_coverage_agg: 'string[]',
    dc_creator_agg: 'string[]',
    common_size_agg: 'string[]',
    dc_modified_agg: 'string[]',
  }),
  prefixedSchema('saved_search', 'saved', {
    providerName: 'string',
    query: 'string',
    queryLanguage: 'string',
    queryParams: 'string',
    namedParameters: { type: 'complex[]', fields: { key: 'string', value: 'string' } },
    pageSize: 'long',
    currentPageIndex: 'long',
    maxResults: 'long',
    sortBy: 'string',
    sortOrder: 'string',
    contentViewData: 'string',
  }),
];
