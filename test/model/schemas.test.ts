import { describe, expect, test } from '@jest/globals';
import { stockModel } from '../../src/model/contributed/contributed.ts';
import { createModel } from '../../src/model/create-model.ts';

const model = createModel(stockModel);

const fieldsOf = (schema: string): string[] => [...(model.schemas.get(schema)?.properties.keys() ?? [])];
const sorted = (words: string): string[] => words.split(' ').sort();

describe('stock schemas', () => {
  test.each([
    [
      'dublincore',
      'dc',
      'title description rights source coverage format language creator lastContributor nature publisher subjects contributors created modified issued valid expired',
    ],
    ['common', undefined, 'icon icon-expanded'],
    ['uid', 'uid', 'uid major_version minor_version'],
    ['file', undefined, 'content'],
    ['files', 'files', 'files'],
    ['note', 'note', 'note mime_type'],
    ['relatedtext', 'relatedtext', 'relatedtextresources'],
    ['domain', 'domain', 'display_type content_roots'],
    ['publishing', 'publish', 'sections'],
    [
      'webcontainer',
      'webc',
      'isWebContainer useCaptcha name url template theme themePage themePerspective email welcomeText baseline moderationType welcomeMedia logo',
    ],
    ['collection', 'collection', 'documentIds'],
    ['collectionMember', 'collectionMember', 'collectionIds'],
    ['facetedTag', 'nxtag', 'tags'],
    ['thumbnail', 'thumb', 'thumbnail'],
    ['notification', 'notif', 'notifications'],
    ['comment', 'comment', 'author text parentId creationDate modificationDate ancestorIds'],
    ['annotation', 'annotation', 'xpath'],
    ['externalEntity', 'externalEntity', 'entityId origin entity'],
    [
      'task',
      'nt',
      'initiator targetDocumentId directive name type processId processName actors delegatedActors targetDocumentsIds accepted dueDate task_variables taskComments',
    ],
    ['relation', 'relation', 'predicate source sourceUri target targetUri targetString'],
    ['video', 'vid', 'info transcodedVideos storyboard'],
    ['audio', 'aud', 'duration'],
    ['userprofile', 'userprofile', 'avatar birthdate phonenumber locale gender'],
    ['user', undefined, 'username password firstName lastName company email groups tenantId'],
    ['vocabulary', undefined, 'id label obsolete ordering'],
    ['xvocabulary', undefined, 'id label parent obsolete ordering'],
    ['l10nvocabulary', undefined, 'id label_en label_fr obsolete ordering'],
    ['l10nxvocabulary', undefined, 'id label_en label_fr parent obsolete ordering'],
  ])('%s has its prefix and fields', (name, prefix, fields) => {
    expect(model.schemas.get(name)?.declaredPrefix).toBe(prefix);
    expect(fieldsOf(name).sort()).toEqual(sorted(fields));
  });

  test.each([
    ['picture', undefined],
    ['image_metadata', 'imd'],
    ['iptc', 'iptc'],
    ['default_search', 'defaults'],
    ['saved_search', 'saved'],
    ['route_node', 'rnode'],
    ['group', undefined],
  ])('%s has its prefix and some fields', (name, prefix) => {
    expect(model.schemas.get(name)?.declaredPrefix).toBe(prefix);
    expect(fieldsOf(name).length).toBeGreaterThan(0);
  });

  test.each([
    ['dc:creator', { to: 'user' }],
    ['dc:lastContributor', { to: 'user' }],
    ['dc:contributors', { to: 'user' }],
    ['dc:subjects', { to: 'directory', directory: 'l10nsubjects', separator: '/' }],
    ['dc:coverage', { to: 'directory', directory: 'l10ncoverage', separator: '/', isListed: true }],
    ['dc:nature', { to: 'directory', directory: 'nature' }],
    ['dc:language', undefined],
    ['collection:documentIds', { to: 'document' }],
    ['collectionMember:collectionIds', { to: 'document' }],
  ])('%s has its reference', (xpath, refersTo) => {
    expect(model.property(xpath)?.refersTo).toEqual(refersTo);
  });

  // §8
  test.each([
    ['dc:title', { maxLength: 10_000 }],
    ['dc:source', { maxLength: 100_000 }],
    ['dc:description', {}],
    ['note:note', {}],
    ['comment:text', {}],
    ['dc:subjects', { maxLength: 100_000, maxItems: 100_000 }],
    ['files:files', { maxItems: 100_000 }],
    ['saved:namedParameters', { maxItems: 1_000 }],
    ['nxtag:tags', { maxItems: 1_000 }],
    ['dc:contributors', { maxLength: 100_000 }],
    ['collection:documentIds', { maxLength: 100_000 }],
    ['group:members', { maxLength: 100_000 }],
    ['dc:created', {}],
  ])('%s has the limits %j', (xpath, limits) => {
    expect(model.property(xpath)?.constraints).toEqual(limits);
  });

  test.each([
    ['devnull@example.org', true],
    ['', true],
    ['devnull', false],
    ['a b@example.org', false],
  ])('user:email accepts %j: %j', (email, fits) => {
    const pattern = model.property('user:email')?.constraints.pattern ?? '';
    expect(new RegExp(`^(?:${pattern})$`, 'u').test(email)).toBe(fits);
  });
});
