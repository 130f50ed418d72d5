import { describe, expect, test } from '@jest/globals';
import { stockModel } from '../../../src/model/contributed/contributed.ts';
import { createModel } from '../../../src/model/create-model.ts';

const model = createModel(stockModel);
const folderish = ['Folderish', 'NXTag'];
const folderSchemas = ['common', 'dublincore', 'facetedTag'];
const folderContent = ['Collection', 'Folder', 'OrderedFolder', 'File', 'Note', 'Picture', 'Audio', 'Video'];
const content = ['Versionable', 'Publishable', 'Commentable', 'NXTag'];
const picture = ['file', 'picture'];

const table: Array<[type: string, parent: string | undefined, schemas: string[], facets: string[]]> = [
  ['Document', undefined, [], []],
  ['Folder', 'Document', folderSchemas, folderish],
  ['OrderedFolder', 'Folder', folderSchemas, [...folderish, 'Orderable']],
  ['Root', 'Folder', folderSchemas, [...folderish, 'NotCollectionMember']],
  ['Domain', 'Folder', [...folderSchemas, 'domain'], [...folderish, 'SuperSpace', 'NotCollectionMember']],
  [
    'WorkspaceRoot',
    'Folder',
    folderSchemas,
    [...folderish, 'SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
  ],
  [
    'Workspace',
    'Folder',
    [...folderSchemas, 'file', 'webcontainer', 'publishing', 'files'],
    [...folderish, 'SuperSpace'],
  ],
  [
    'TemplateRoot',
    'Folder',
    folderSchemas,
    [...folderish, 'SuperSpace', 'HiddenInCreation', 'NotCollectionMember'],
  ],
  [
    'SectionRoot',
    'Folder',
    folderSchemas,
    [...folderish, 'SuperSpace', 'HiddenInCreation', 'MasterPublishSpace', 'NotCollectionMember'],
  ],
  ['Section', 'Folder', [...folderSchemas, 'file'], [...folderish, 'SuperSpace', 'PublishSpace']],
  [
    'File',
    'Document',
    ['common', 'file', 'dublincore', 'uid', 'files', 'relatedtext', 'facetedTag'],
    [...content, 'Downloadable', 'HasRelatedText'],
  ],
  [
    'Note',
    'Document',
    ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext', 'facetedTag'],
    [...content, 'HasRelatedText'],
  ],
  [
    'Picture',
    'Document',
    ['common', 'uid', 'dublincore', ...picture, 'image_metadata', 'relatedtext', 'facetedTag'],
    [...content, 'Picture', 'HasRelatedText'],
  ],
  [
    'Video',
    'Document',
    ['common', 'dublincore', 'uid', 'files', ...picture, 'video', 'facetedTag'],
    [...content, 'Video', 'HasStoryboard', 'HasVideoPreview'],
  ],
  [
    'Audio',
    'Document',
    ['common', 'dublincore', 'uid', 'file', 'audio', 'facetedTag'],
    [...content, 'Audio'],
  ],
  [
    'Collection',
    'Document',
    ['uid', 'dublincore', 'common', 'collection', 'facetedTag'],
    ['Versionable', 'Collection', 'NotCollectionMember', 'NXTag'],
  ],
  ['Collections', 'Folder', folderSchemas, [...folderish, 'NotCollectionMember']],
  ['Favorites', 'Document', ['dublincore', 'common', 'collection'], ['Collection', 'NotCollectionMember']],
  ['CommentRoot', 'Folder', folderSchemas, [...folderish, 'HiddenInNavigation']],
  ['Comment', 'Document', ['comment', 'common', 'dublincore'], ['HiddenInNavigation']],
  ['Annotation', 'Comment', ['comment', 'common', 'dublincore', 'annotation'], ['HiddenInNavigation']],
  ['TaskDoc', 'Document', ['common', 'dublincore', 'task'], ['Task', 'HiddenInNavigation']],
  ['RoutingTask', 'TaskDoc', ['common', 'dublincore', 'task'], ['Task', 'HiddenInNavigation', 'RoutingTask']],
  ['UserWorkspacesRoot', 'Folder', folderSchemas, [...folderish, 'SuperSpace', 'HiddenInNavigation']],
  [
    'DefaultSearch',
    'SavedSearch',
    ['common', 'dublincore', 'uid', 'saved_search', 'default_search'],
    ['SavedSearch', 'HiddenInNavigation', 'ContentViewDisplay', 'HiddenInCreation'],
  ],
  ['Relation', undefined, ['relation', 'dublincore'], []],
];

describe('stock types', () => {
  test.each(table)('%s has its parent, schemas and facets', (name, parent, schemas, facets) => {
    const type = model.types.get(name);

    expect(type?.parent).toBe(parent);
    expect(type?.schemas.map((schema) => schema.name).sort()).toEqual([...schemas].sort());
    expect([...(type?.facets ?? [])].sort()).toEqual([...facets].sort());
  });

  test.each([
    ['Folder', folderContent],
    ['OrderedFolder', folderContent],
    ['Root', ['Domain']],
    ['Domain', ['WorkspaceRoot', 'SectionRoot', 'TemplateRoot']],
    ['WorkspaceRoot', ['Workspace']],
    ['Workspace', ['Workspace', ...folderContent]],
    ['TemplateRoot', ['Workspace']],
    ['SectionRoot', ['Section']],
    ['Section', ['Section']],
    ['Collections', ['Collection']],
    ['UserWorkspacesRoot', ['Workspace']],
    ['CommentRoot', []],
    ['File', []],
  ])('%s has its list of allowed subtypes', (name, subtypes) => {
    expect(model.types.get(name)?.subtypes).toEqual(subtypes);
  });

  test.each([
    'TaskRoot DocumentRoute RouteNode DocumentRouteModelsRoot DocumentRouteInstancesRoot HiddenFolder',
    'SavedSearch UserProfile Tag Tagging',
  ])('include %s', (names) => {
    for (const name of names.split(' ')) expect(model.types.has(name)).toBe(true);
  });
});

describe('stock facets', () => {
  test.each([
    ['HasRelatedText', ['relatedtext']],
    ['Collection', ['collection']],
    ['CollectionMember', ['collectionMember']],
    ['NXTag', ['facetedTag']],
    ['Thumbnail', ['thumbnail']],
    ['Notifiable', ['notification']],
    ['Task', ['task']],
    ['Picture', ['file', 'picture', 'image_metadata']],
    ['Video', ['file', 'video', 'picture']],
    ['Audio', ['file', 'audio']],
    ['Rendition', ['rendition']],
    ['SavedSearch', ['common', 'dublincore', 'uid', 'saved_search']],
    ['ExternalEntity', ['externalEntity']],
  ])('%s adds its schemas', (name, schemas) => {
    expect(model.facets.get(name)?.schemas.map((schema) => schema.name)).toEqual(schemas);
  });

  test.each([
    'Folderish Orderable Versionable Downloadable Publishable PublishSpace MasterPublishSpace Commentable',
    'WebView SuperSpace HiddenInNavigation HiddenInCreation SystemDocument NotFulltextIndexable BigFolder',
    'NotCollectionMember HasStoryboard HasVideoPreview UserProfile ContentViewDisplay DocumentRoute Routable',
    'UITypesLocalConfiguration RoutingTask ForceAudit ThreeD DriveSynchronized Immutable',
  ])('%s add no schema', (names) => {
    for (const name of names.split(' ')) expect(model.facets.get(name)?.schemas).toEqual([]);
  });
});
