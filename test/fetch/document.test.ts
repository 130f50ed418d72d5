import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

let server: TestServer;
let document: DocumentEntity;
let section: DocumentEntity;
const references = {
  ...{ 'dc:creator': 'ann', 'dc:contributors': ['ann', 'gone'], 'dc:lastContributor': 'gone' },
  ...{ 'dc:nature': 'report', 'dc:coverage': 'europe/France', 'dc:subjects': ['art/cinema', 'sciences'] },
};
beforeAll(async () => {
  server = await start();
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
afterAll(() => server.stop());

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

/** What each fetch property shows where it fetches. */
const expected: Record<string, unknown> = {
  'dc:creator': ann,
  'dc:lastContributor': 'gone',
  'dc:contributors': [ann, 'gone', expect.objectContaining({ id: 'Administrator' })],
  'dc:subjects': [entry('l10nsubjects', 'cinema'), entry('l10nsubjects', 'sciences')],
  'dc:coverage': [entry('l10ncoverage', 'France')],
  'dc:nature': { ...entry('nature', 'report'), properties: { id: 'report' } },
};

describe('§10.1 fetch.document', () => {
  test.each(Object.entries(expected))('%s shows entities, and nothing else changes', async (name, value) => {
    const fetched = await fetching(name);
    expect({ value: fetched[name] }).toMatchObject({ value });
    expect({ ...fetched, [name]: null }).toEqual({ ...document.properties, [name]: null });
  });

  test('documents stand where their ids stood; ids that lead to nothing stay', async () => {
    const { 'publish:sections': sections } = await fetching('publish:sections');
    expect(sections[0]).toMatchObject({ 'entity-type': 'document', uid: section.uid, type: 'Section' });
    expect(sections[0].properties['dc:creator']).toBe('Administrator');
    expect(sections.slice(1)).toEqual(['00000000-0000-4000-8000-000000000000', 'no id']);
  });

  test('properties are all of them', async () => {
    const fetched = await fetching('properties');
    expect(fetched).toMatchObject(expected);
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(fetched['publish:sections']).toEqual([
      expect.objectContaining({ uid: section.uid }),
      missing,
      'no id',
    ]);
  });

  test('documents that the caller may not read stay ids', async () => {
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

  test('dc:coverage is a list: empty without a value', async () => {
    const of = await createDocument(server);
    expect(await fetching('dc:coverage', {}, { of })).toMatchObject({ 'dc:coverage': [] });
    expect(await fetching('properties', {}, { of })).toMatchObject({ 'dc:coverage': [], 'dc:nature': null });
    expect(await fetching('dc:nature', {}, { of })).toMatchObject({ 'dc:coverage': null });
  });

  test('properties that the header properties leaves out are not fetched back in', async () => {
    expect(await fetching('properties', { properties: 'webcontainer' })).not.toHaveProperty('dc:creator');
    expect(await fetching('dc:creator', { properties: 'dublincore' })).toMatchObject({ 'dc:creator': ann });
  });

  test('what is no reference is no fetch property', async () => {
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

  test('entries have their parents when those are fetched too', async () => {
    const { 'dc:subjects': subjects } = await fetching('dc:subjects', { 'fetch.directoryEntry': 'parent' });
    expect(subjects[0].properties.parent).toMatchObject(entry('l10nsubjects', 'art'));
    expect(subjects[0].properties.parent).not.toHaveProperty('properties');
  });

  test('users have what enrichers.user says', async () => {
    const { 'dc:creator': creator } = await fetching('dc:creator', { 'enrichers.user': 'userprofile' });
    expect(creator.contextParameters.userprofile).toMatchObject({ locale: null });
  });

  test('at depth root entities have their fixed fields only', async () => {
    const fetched = await fetching('properties', { depth: 'root' });
    expect(fetched['dc:nature']).toEqual(entry('nature', 'report'));
    expect(fetched['dc:creator']).not.toHaveProperty('properties');
    expect(fetched['publish:sections'][0]).not.toHaveProperty('properties');
  });

  test('an answer may be sent back', async () => {
    const of = await createDocument(server, { properties: references });
    const { body } = await server.request
      .get(`/api/v1/id/${of.uid}`)
      .set({ 'fetch.document': 'properties', 'enrichers.document': 'acls,children' })
      .expect(200);
    const sent = await server.request.put(`/api/v1/id/${of.uid}`).send(body).expect(200);
    expect(sent.body.properties).toMatchObject({
      ...{ 'dc:creator': 'ann', 'dc:coverage': 'europe/France', 'dc:nature': 'report' },
      'dc:subjects': ['art/cinema', 'sciences'],
    });
  });

  test('in lists each entry has its own', async () => {
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
