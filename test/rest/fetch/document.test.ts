import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
let document: DocumentEntity;
let section: DocumentEntity;
const references = {
  'dc:creator': 'ann',
  'dc:contributors': ['ann', 'gone'],
  'dc:lastContributor': 'gone',
  'dc:nature': 'report',
  'dc:coverage': 'europe/France',
  'dc:subjects': ['art/cinema', 'sciences'],
};
beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  section = await createDocument(server, { type: 'Section' });
  document = await createDocument(server, {
    type: 'Workspace',
    properties: {
      ...references,
      'publish:sections': [section.uid, '00000000-0000-4000-8000-000000000000', 'no id'],
    },
  });
});

async function fetching(
  names: string,
  headers: Record<string, string> = {},
  { agent = server.request, of = document } = {},
) {
  const { body } = await agent
    .get(`/api/v1/id/${of.uid}`)
    .set({ 'fetch.document': names, ...headers })
    .expect(200);
  return body.properties;
}

const ann = { 'entity-type': 'user', id: 'ann', properties: { username: 'ann' }, isAdministrator: false };
const entry = (directoryName: string, id: string) => ({ 'entity-type': 'directoryEntry', directoryName, id });

/** The expected value of each fetch property. */
const expected: Record<string, unknown> = {
  'dc:creator': ann,
  'dc:lastContributor': 'gone',
  'dc:contributors': [ann, 'gone', expect.objectContaining({ id: 'Administrator' })],
  'dc:subjects': [entry('l10nsubjects', 'cinema'), entry('l10nsubjects', 'sciences')],
  'dc:coverage': [entry('l10ncoverage', 'France')],
  'dc:nature': { ...entry('nature', 'report'), properties: { id: 'report' } },
};

describe('§10.1 fetch.document', () => {
  test.each(Object.entries(expected))(
    'replaces the ids in %s by entities and changes nothing else',
    async (name, value) => {
      const fetched = await fetching(name);
      expect({ value: fetched[name] }).toMatchObject({ value });
      expect({ ...fetched, [name]: null }).toEqual({ ...document.properties, [name]: null });
    },
  );

  test('replaces the ids of documents; unknown ids stay', async () => {
    const { 'publish:sections': sections } = await fetching('publish:sections');
    expect(sections[0]).toMatchObject({ 'entity-type': 'document', uid: section.uid, type: 'Section' });
    expect(sections[0].properties['dc:creator']).toBe('Administrator');
    expect(sections.slice(1)).toEqual(['00000000-0000-4000-8000-000000000000', 'no id']);
  });

  test('fetches all references for properties', async () => {
    const fetched = await fetching('properties');
    expect(fetched).toMatchObject(expected);
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(fetched['publish:sections']).toEqual([
      expect.objectContaining({ uid: section.uid }),
      missing,
      'no id',
    ]);
  });

  test('leaves the ids of documents that the user cannot read', async () => {
    const closed = await createDocument(server, { type: 'Section' });
    await setAcl(server, closed.path, [deny('Everyone', 'Everything')]);
    const of = await createDocument(server, {
      type: 'Workspace',
      properties: { 'publish:sections': [closed.uid] },
    });
    const asAnn = await fetching('properties', {}, { agent: as(server, 'ann'), of });
    expect(asAnn['publish:sections']).toEqual([closed.uid]);
    expect((await fetching('properties', {}, { of }))['publish:sections']).toMatchObject([
      { uid: closed.uid },
    ]);
  });

  test('returns dc:coverage as a list, empty without a value', async () => {
    const of = await createDocument(server);
    expect(await fetching('dc:coverage', {}, { of })).toMatchObject({ 'dc:coverage': [] });
    expect(await fetching('properties', {}, { of })).toMatchObject({ 'dc:coverage': [], 'dc:nature': null });
    expect(await fetching('dc:nature', {}, { of })).toMatchObject({ 'dc:coverage': null });
  });

  test('does not add properties that the header properties omits', async () => {
    expect(await fetching('properties', { properties: 'webcontainer' })).not.toHaveProperty('dc:creator');
    expect(await fetching('dc:creator', { properties: 'dublincore' })).toMatchObject({ 'dc:creator': ann });
  });

  test('ignores properties without references, and answers 400 to them with handling=strict', async () => {
    expect(await fetching('dc:title,nosuch,dc')).toEqual(document.properties);
    const refused = await server.request
      .get(`/api/v1/id/${document.uid}`)
      .set({ 'fetch.document': 'dc:creator,dc:title', Prefer: 'handling=strict' })
      .expect(400);
    expect(refused.body.message).toContain('dc:title');
    await server.request
      .get(`/api/v1/id/${document.uid}`)
      .set({ 'fetch.document': 'dc:creator,properties,username', Prefer: 'handling=strict' })
      .expect(200);
  });

  test('includes the parents of entries with fetch.directoryEntry', async () => {
    const { 'dc:subjects': subjects } = await fetching('dc:subjects', { 'fetch.directoryEntry': 'parent' });
    expect(subjects[0].properties.parent).toMatchObject(entry('l10nsubjects', 'art'));
    expect(subjects[0].properties.parent.properties).toMatchObject({ id: 'art', parent: '' });
  });

  test('includes the enrichers of users from enrichers.user', async () => {
    const { 'dc:creator': creator } = await fetching('dc:creator', { 'enrichers.user': 'userprofile' });
    expect(creator.contextParameters.userprofile).toMatchObject({ locale: null });
  });

  test('returns only the fixed fields of entities at depth root', async () => {
    const fetched = await fetching('properties', { depth: 'root' });
    expect(fetched['dc:nature']).toEqual(entry('nature', 'report'));
    expect(fetched['dc:creator']).not.toHaveProperty('properties');
    expect(fetched['publish:sections'][0]).not.toHaveProperty('properties');
  });

  test('allows the answer to be sent back', async () => {
    const of = await createDocument(server, { properties: references });
    const { body } = await server.request
      .get(`/api/v1/id/${of.uid}`)
      .set({ 'fetch.document': 'properties', 'enrichers.document': 'acls,children' })
      .expect(200);
    const sent = await server.request.put(`/api/v1/id/${of.uid}`).send(body).expect(200);
    expect(sent.body.properties).toMatchObject({
      'dc:creator': 'ann',
      'dc:coverage': 'europe/France',
      'dc:nature': 'report',
      'dc:subjects': ['art/cinema', 'sciences'],
    });
  });

  test('fetches the references of each entry in a list', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    for (const creator of ['ann', 'Administrator', 'gone'])
      await createDocument(server, {
        parent: folder.path,
        properties: { 'dc:creator': creator, 'dc:title': creator },
      });
    const list = (headers: Record<string, string>) =>
      server.request
        .get(`/api/v1/id/${folder.uid}/@children?sortBy=dc:title&sortOrder=asc`)
        .set(headers)
        .expect(200);
    const [plain, fetched] = [await list({}), await list({ 'fetch.document': 'dc:creator', depth: 'root' })];
    const creators = fetched.body.entries.map(
      ({ properties }: DocumentEntity) =>
        (properties['dc:creator'] as { id?: string }).id ?? properties['dc:creator'],
    );
    expect(creators.sort()).toEqual(['Administrator', 'ann', 'gone']);
    expect(statements(fetched)).toBe(statements(plain) + 1); // users, with the groups they are in
  });
});
