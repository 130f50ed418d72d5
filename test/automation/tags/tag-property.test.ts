import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeLabel } from '../../../src/model/tags.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, storeProperties, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { tagging } from './tagging.ts';

const server = useServer();
checkConsistency(server);

const { found, read, run, tag, tagsOf } = tagging(server);

describe('nxtag:tags in a body', () => {
  const put = (uid: string, tags: unknown) => updateDocument(server.request, uid, { 'nxtag:tags': tags });

  test('is written like any property, and found in lower case', async () => {
    const { uid } = await createDocument(server, {
      properties: { 'nxtag:tags': [{ label: 'Created', username: 'bob' }] },
    });
    expect(await found(uid)).toEqual(['created']);
    await put(uid, [{ label: 'x'.repeat(256) }]).expect(422);
    const long = { label: 'Long'.repeat(100) };
    await storeProperties(server, uid, { 'nxtag:tags': [long] });
    await put(uid, [long, { label: 'Kept' }, { label: 'kept' }]).expect(200);
    expect(await found(uid)).toEqual(['kept', 'long'.repeat(100).slice(0, 255)]);
    await run('Services.UntagDocument', uid, { tags: 'KEPT' }).expect(200);
    expect(await found(uid)).toEqual(['long'.repeat(100).slice(0, 255)]);
    await put(uid, null).expect(200);
    expect(await found(uid)).toEqual([]);
  });

  test.each([
    [{ 'nxtag:tags': [{ label: '' }] }, 0, ''],
    [{ 'nxtag:tags': [{ label: 'kept' }, { label: " /\\'%" }] }, 1, " /\\'%"],
    [{ 'nxtag:tags': [{ username: 'bob' }] }, 0, ''],
    [{ 'nxtag:tags': [{ label: null }] }, 0, ''],
  ])('is refused when normalization leaves nothing of a label: %j', async (properties, at, label) => {
    const body = { 'entity-type': 'document', type: 'File', name: 'refused', properties };
    const { uid } = await createDocument(server);
    const answers = [
      await server.request.post('/api/v1/path/default-domain/workspaces').send(body).expect(400),
      await put(uid, properties['nxtag:tags']).expect(400),
    ];
    const message = `nxtag:tags/${at}/label: "${label}" is not a valid label`;
    for (const answer of answers) expect(answer.body).toMatchObject({ status: 400, message });
    expect((await read(uid)).properties['nxtag:tags']).toEqual([]);
  });

  test('is refused when it clears the label of an existing tag', async () => {
    const { uid } = await createDocument(server, { properties: { 'nxtag:tags': [{ label: 'kept' }] } });
    for (const label of ['', null])
      await updateDocument(server.request, uid, { 'nxtag:tags/0/label': label }).expect(400);
    expect(await found(uid)).toEqual(['kept']);
  });
});

describe('A label', () => {
  test('is free of reserved characters, and a second normalization changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const label = normalizeLabel(text);
        expect(label).not.toMatch(/[\s/\\'%]/);
        expect(normalizeLabel(label)).toBe(label);
        expect(normalizeLabel(` ${text}%`)).toBe(label);
      }),
    );
  });

  test('is presented in its normalized form, whatever was sent', async () => {
    const { uid } = await createDocument(server);
    const storable = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(storable, { minLength: 1, maxLength: 4 }), async (labels) => {
        await run('Services.RemoveDocumentTags', uid).expect(200);
        const clean = [...new Set(labels.map(normalizeLabel))];
        const response = await tag(uid, labels);
        expect(response.status).toBe(clean.includes('') ? 400 : 200);
        if (response.status === 200)
          expect(await tagsOf(uid)).toEqual(clean.map((label) => `${label} by Administrator`));
      }),
      { numRuns: 25 },
    );
  });
});
