import { describe, expect, test } from '@jest/globals';
import { blobEnricherNames } from '../../../src/model/values/blob-json.ts';
import { atId, createDocument, documentBody } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { beginUpload, cut, send, uploaded } from '../uploads/upload-requests.ts';

// Each request of a test uses another port: without a public URL, blob addresses would differ.
const server = useServer({ PUBLIC_URL: 'http://quire.test', ADMIN_PASSWORD: 'another' });
const { request } = server;

const text = (name: string) => ({ content: name, name, 'mime-type': 'text/plain' });

/** A place of a blob in each kind of property: single, in a list of complex values, in a list of views. */
const places = [
  ['File', 'file:content', text('main.txt')],
  ['File', 'files:files', [{ file: text('a.txt') }, { file: text('b.txt') }]],
  ['Picture', 'picture:views', [{ title: 'Small', content: text('small.txt') }]],
] as const;

const enriched = { 'enrichers.blob': blobEnricherNames.join(',') };

const shown = async (uid: string) => (await request.get(atId(uid)).set(enriched).expect(200)).body;

describe('§2.1, §4.9 an answer with enrichers.blob sent back', () => {
  test.each(places)(
    'changes nothing in a %s with %s, by PUT and by Document.Update',
    async (type, key, value) => {
      const { uid } = await createDocument(server, { type, properties: { [key]: value } });
      const whole = await shown(uid);
      for (const name of blobEnricherNames)
        expect(JSON.stringify(whole.properties[key])).toContain(`"${name}":`);
      expect((await request.put(atId(uid)).set(enriched).send(whole).expect(200)).body).toEqual(whole);
      const { body } = await request
        .post('/api/v1/automation/Document.Update')
        .set(enriched)
        .send({ input: uid, params: { properties: { [key]: whole.properties[key] } } })
        .expect(200);
      expect(body.changeToken).toBe(whole.changeToken);
      expect(await shown(uid)).toEqual(whole);
    },
  );

  test('may hold whatever the answers of an upload hold', async () => {
    const batch = await beginUpload(request);
    const answers = [];
    for (const chunk of cut('chunked', 2, 'chunked.txt'))
      answers.push((await send(request, batch, 0, chunk)).body);
    answers.push((await request.get(`/api/v1/upload/${batch}/0`).expect(200)).body);
    const content = Object.assign({}, ...answers, uploaded(batch, 0));
    const properties = { 'file:content': content };
    const { uid } = await createDocument(server, { properties });
    expect((await shown(uid)).properties['file:content']).toMatchObject({ name: 'chunked.txt', length: '7' });
  });

  test('may not hold a field that no answer has', async () => {
    const { uid } = await createDocument(server, { properties: { 'file:content': text('main.txt') } });
    const { properties } = await shown(uid);
    const content = { ...properties['file:content'], previews: {} };
    const { body } = await request
      .put(atId(uid))
      .send(documentBody({ properties: { 'file:content': content } }))
      .expect(400);
    expect(body.message).toContain('"previews" is unknown');
  });
});
