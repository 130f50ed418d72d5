import type { TypeDefinition } from './definitions.ts';
import { stockIcon } from './icons.ts';

const folderContent = ['Collection', 'Folder', 'OrderedFolder', 'File', 'Note', 'Picture', 'Audio', 'Video'];

const documentType = (
  name: string,
  parent: string,
  more: Omit<TypeDefinition, 'name' | 'parent'> = {},
): TypeDefinition => ({ name, parent, ...more });

const contentTypes: readonly TypeDefinition[] = [
  { name: 'Document' },
  documentType('Folder', 'Document', {
    schemas: ['common', 'dublincore'],
    facets: ['Folderish', 'NXTag'],
    subtypes: folderContent,
  }),
  documentType('OrderedFolder', 'Folder', { facets: ['Orderable'] }),
  documentType('Root', 'Folder', { facets: ['NotCollectionMember'], subtypes: ['Domain'] }),
  documentType('Domain', 'Folder', {
    schemas: ['domain'],
    facets: ['SuperSpace', 'NotCollectionMember'],
    subtypes: ['WorkspaceRoot', 'SectionRoot', 'TemplateRoot'],
  }),
  documentType('WorkspaceRoot', 'Folder', {
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
  }),
  documentType('Workspace', 'Folder', {
    schemas: ['file', 'webcontainer', 'publishing', 'files'],
    facets: ['SuperSpace'],
    subtypes: ['Workspace', ...folderContent],
  }),
  documentType('TemplateRoot', 'Folder', {
    facets: ['SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
    subtypes: ['Workspace'],
  }),
  documentType('SectionRoot', 'Folder', {
    facets: ['SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
    subtypes: ['Section'],
  }),
  documentType('Section', 'Folder', {
    schemas: ['file'],
    facets: ['SuperSpace', 'PublishSpace'],
    subtypes: ['Section'],
  }),
  documentType('File', 'Document', {
    schemas: ['common', 'file', 'dublincore', 'uid', 'files'],
    facets: ['Downloadable', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  }),
  documentType('Note', 'Document', {
    schemas: ['common', 'note', 'uid', 'files', 'dublincore'],
    facets: ['Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  }),
  documentType('Picture', 'Document', {
    schemas: ['common', 'uid', 'dublincore'],
    facets: ['Picture', 'Versionable', 'Publishable', 'Commentable', 'HasRelatedText', 'NXTag'],
  }),
  documentType('Video', 'Document', {
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
  }),
  documentType('Audio', 'Document', {
    schemas: ['common', 'dublincore', 'uid'],
    facets: ['Audio', 'Versionable', 'Publishable', 'Commentable', 'NXTag'],
  }),
  documentType('Collection', 'Document', {
    schemas: ['uid', 'dublincore', 'common'],
    facets: ['Versionable', 'Collection', 'NotCollectionMember', 'NXTag'],
  }),
];

/**
 * Types of documents that the server itself creates. `subtypes: []` overrides the subtypes inherited from the parent
 * type.
 */
const serviceTypes: readonly TypeDefinition[] = [
  documentType('Collections', 'Folder', { facets: ['NotCollectionMember'], subtypes: ['Collection'] }),
  documentType('Favorites', 'Document', {
    schemas: ['dublincore', 'common'],
    facets: ['Collection', 'NotCollectionMember'],
  }),
  documentType('CommentRoot', 'Folder', { facets: ['HiddenInNavigation'], subtypes: [] }),
  documentType('Comment', 'Document', {
    schemas: ['comment', 'common', 'dublincore'],
    facets: ['HiddenInNavigation'],
  }),
  documentType('Annotation', 'Comment', { schemas: ['annotation'] }),
  documentType('TaskRoot', 'Folder', { facets: ['HiddenInNavigation'], subtypes: [] }),
  documentType('TaskDoc', 'Document', {
    schemas: ['common', 'dublincore'],
    facets: ['Task', 'HiddenInNavigation'],
  }),
  documentType('RoutingTask', 'TaskDoc', { facets: ['RoutingTask'] }),
  documentType('DocumentRoute', 'OrderedFolder', {
    schemas: ['document_route_instance', 'step_folder'],
    facets: ['DocumentRoute'],
    subtypes: [],
  }),
  documentType('RouteNode', 'Document', { schemas: ['common', 'dublincore', 'route_node'] }),
  documentType('DocumentRouteModelsRoot', 'Folder', { facets: ['HiddenInNavigation'], subtypes: [] }),
  documentType('DocumentRouteInstancesRoot', 'Folder', { facets: ['HiddenInNavigation'], subtypes: [] }),
  documentType('UserWorkspacesRoot', 'Folder', {
    facets: ['SuperSpace', 'HiddenInNavigation'],
    subtypes: ['Workspace'],
  }),
  documentType('UserProfile', 'Document', {
    schemas: ['common', 'dublincore', 'userprofile'],
    facets: ['UserProfile', 'HiddenInNavigation'],
  }),
  documentType('HiddenFolder', 'Folder', { facets: ['HiddenInNavigation'] }),
  documentType('SavedSearch', 'Document', { facets: ['SavedSearch', 'HiddenInNavigation'] }),
  documentType('DefaultSearch', 'SavedSearch', {
    schemas: ['default_search'],
    facets: ['ContentViewDisplay', 'HiddenInCreation'],
  }),
  documentType('Tag', 'Document', { schemas: ['dublincore', 'tag'], facets: ['HiddenInNavigation'] }),
  // Relation does not inherit from Document, so that queries for documents do not find relations.
  { name: 'Relation', schemas: ['relation', 'dublincore'] },
  documentType('Tagging', 'Relation'),
];

export const stockTypes: readonly TypeDefinition[] = [...contentTypes, ...serviceTypes].map((type) => {
  const icon = stockIcon(type.name);
  return { ...type, ...(icon !== undefined && { icon }) };
});
