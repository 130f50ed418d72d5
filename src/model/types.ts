import type { TypeDefinition } from './definitions.ts';

const folderContent = ['Collection', 'Folder', 'OrderedFolder', 'File', 'Note', 'Picture', 'Audio', 'Video'];

/** Types that users create. */
const contentTypes: readonly TypeDefinition[] = [
  { name: 'Document' },
  {
    name: 'Folder',
    parent: 'Document',
    schemas: ['common', 'dublincore'],
    facets: ['Folderish', 'NXTag'],
    subtypes: folderContent,
  },
  { name: 'OrderedFolder', parent: 'Folder', facets: ['Orderable'] },
  { name: 'Root', parent: 'Folder', facets: ['NotCollectionMember'], subtypes: ['Domain'] },
  {
    name: 'Domain',
    parent: 'Folder',
    schemas: ['domain'],
    facets: ['SuperSpace', 'NotCollectionMember'],
    subtypes: ['WorkspaceRoot', 'SectionRoot', 'TemplateRoot'],
  },
  {
    name: 'WorkspaceRoot',
    parent: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
  },
  {
    name: 'Workspace',
    parent: 'Folder',
    schemas: ['file', 'webcontainer', 'publishing', 'files'],
    facets: ['SuperSpace'],
    subtypes: ['Workspace', ...folderContent],
  },
  {
    name: 'TemplateRoot',
    parent: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
  },
  {
    name: 'SectionRoot',
    parent: 'Folder',
    facets: ['SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
    subtypes: ['Section'],
  },
  {
    name: 'Section',
    parent: 'Folder',
    schemas: ['file'],
    facets: ['SuperSpace', 'PublishSpace'],
    subtypes: ['Section'],
  },
  {
    name: 'File',
    parent: 'Document',
    schemas: ['common', 'file', 'dublincore', 'uid', 'files'],
    facets: ['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  },
  {
    name: 'Note',
    parent: 'Document',
    schemas: ['common', 'note', 'uid', 'files', 'dublincore'],
    facets: ['Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  },
  {
    name: 'Picture',
    parent: 'Document',
    schemas: ['common', 'uid', 'dublincore'],
    facets: ['Picture', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  },
  {
    name: 'Video',
    parent: 'Document',
    schemas: ['common', 'dublincore', 'uid', 'files'],
    facets: [
      'Video',
      'HasStoryboard',
      'HasVideoPreview',
      'Versionable',
      'Publishable',
      'Commentable',
      'NXTag',
    ],
  },
  {
    name: 'Audio',
    parent: 'Document',
    schemas: ['common', 'dublincore', 'uid'],
    facets: ['Audio', 'Versionable', 'Publishable', 'Commentable', 'NXTag'],
  },
  {
    name: 'Collection',
    parent: 'Document',
    schemas: ['uid', 'dublincore', 'common'],
    facets: ['Versionable', 'Collection', 'NotCollectionMember', 'NXTag'],
  },
];

/** Types that the server creates; `subtypes: []` overrides those of the parent. */
const serviceTypes: readonly TypeDefinition[] = [
  { name: 'Collections', parent: 'Folder', facets: ['NotCollectionMember'], subtypes: ['Collection'] },
  {
    name: 'Favorites',
    parent: 'Document',
    schemas: ['dublincore', 'common'],
    facets: ['Collection', 'NotCollectionMember'],
  },
  { name: 'CommentRoot', parent: 'Folder', facets: ['HiddenInNavigation'], subtypes: [] },
  {
    name: 'Comment',
    parent: 'Document',
    schemas: ['comment', 'common', 'dublincore'],
    facets: ['HiddenInNavigation'],
  },
  { name: 'Annotation', parent: 'Comment', schemas: ['annotation'] },
  { name: 'TaskRoot', parent: 'Folder', facets: ['HiddenInNavigation'], subtypes: [] },
  {
    name: 'TaskDoc',
    parent: 'Document',
    schemas: ['common', 'dublincore'],
    facets: ['Task', 'HiddenInNavigation'],
  },
  { name: 'RoutingTask', parent: 'TaskDoc', facets: ['RoutingTask'] },
  {
    name: 'DocumentRoute',
    parent: 'OrderedFolder',
    schemas: ['document_route_instance', 'step_folder'],
    facets: ['DocumentRoute'],
    subtypes: [],
  },
  { name: 'RouteNode', parent: 'Document', schemas: ['common', 'dublincore', 'route_node'] },
  { name: 'DocumentRouteModelsRoot', parent: 'Folder', facets: ['HiddenInNavigation'], subtypes: [] },
  { name: 'DocumentRouteInstancesRoot', parent: 'Folder', facets: ['HiddenInNavigation'], subtypes: [] },
  {
    name: 'UserWorkspacesRoot',
    parent: 'Folder',
    facets: ['SuperSpace', 'HiddenInNavigation'],
    subtypes: ['Workspace'],
  },
  {
    name: 'UserProfile',
    parent: 'Document',
    schemas: ['common', 'dublincore', 'userprofile'],
    facets: ['UserProfile', 'HiddenInNavigation'],
  },
  { name: 'HiddenFolder', parent: 'Folder', facets: ['HiddenInNavigation'] },
  { name: 'SavedSearch', parent: 'Document', facets: ['SavedSearch'] },
  {
    name: 'DefaultSearch',
    parent: 'SavedSearch',
    schemas: ['default_search'],
    facets: ['ContentViewDisplay', 'HiddenInCreation'],
  },
  { name: 'Tag', parent: 'Document', schemas: ['dublincore', 'tag'], facets: ['HiddenInNavigation'] },
  // Does not inherit from Document, so that queries for documents do not find relations.
  { name: 'Relation', schemas: ['relation', 'dublincore'] },
  { name: 'Tagging', parent: 'Relation' },
];

export const stockTypes: readonly TypeDefinition[] = [...contentTypes, ...serviceTypes];
