import { describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { atId, atPath, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createBinary, createFile, local } from '../blobs/blob-requests.ts';
import { picture } from './pictures.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const preview = ({ uid }: Pick<DocumentEntity, 'uid'>) => server.request.get(`${atId(uid)}/@preview`);

const addressOf = async ({ uid }: DocumentEntity): Promise<string | null> => {
  const { body } = await server.request.get(atId(uid)).set('enrichers.document', 'preview').expect(200);
  return body.contextParameters.preview.url;
};

describe('@preview', () => {
  test('of a text is the text, in which nothing is markup', async () => {
    const content = '<script>alert(1)</script> & "more"';
    const file = await createFile(server, { content, name: '<b>.txt' });
    const { text, headers } = await preview(file)
      .expect(200)
      .expect('Content-Type', /^text\/html/);
    expect(text).toContain('<pre>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</pre>');
    expect(text).toContain('<title>&lt;b&gt;.txt</title>');
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src 'self'/);
    expect(headers['content-security-policy']).not.toContain('script-src');
  });

  test.each([
    ['text/html', {}],
    ['application/xhtml+xml', {}],
  ])('of %s is in a frame without rights', async (type) => {
    const content = '<p onclick="x()">"Hello"</p><script>alert(1)</script></iframe><script>alert(2)</script>';
    const file = await createFile(server, { content, 'mime-type': type });
    const { text } = await preview(file).expect(200);
    const [, inside] = /<iframe sandbox title="preview" srcdoc="([^"]*)"><\/iframe>/.exec(text) ?? [];
    expect(inside).toMatch(
      /^&lt;meta http-equiv=&quot;Content-Security-Policy&quot; content=&quot;default-src &#39;none&#39;;/,
    );
    expect(inside).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script');
  });

  test.each([
    ['caf\xe9', 'café'],
    ['\x93caf\xe9\x94 \x80 5', '“café” € 5'],
    ['caf\xc3\xa9', 'café'],
  ])('of a text whose bytes are %j has all its characters', async (bytes, shown) => {
    const { uid } = await createBinary(server, Buffer.from(bytes, 'latin1'), { mimeType: 'text/plain' });
    expect((await preview({ uid }).expect(200)).text).toContain(`<pre>${shown}</pre>`);
    const page = await server.request.get(`${atId(uid)}/@convert?type=text/html`).expect(200);
    expect(page.text).toContain(`<pre>${shown}</pre>`);
  });

  test('of a long text is cut between two characters', async () => {
    const content = `${'a'.repeat(999_999)}é`;
    const { uid } = await createBinary(server, Buffer.from(content), { mimeType: 'text/plain' });
    expect((await preview({ uid }).expect(200)).text).toContain(`<pre>${content.slice(0, -1)}</pre>`);
  });

  test('of a note is its text', async () => {
    const note = await createDocument(server, { type: 'Note', properties: { 'note:note': 'a note' } });
    expect((await preview(note).expect(200)).text).toContain('a note');
    expect(await addressOf(note)).toContain('/@preview');
  });

  test.each([
    ['image/png', /<img src="([^"]+)"/],
    ['image/svg+xml', /<img src="([^"]+)"/],
    ['application/pdf', /<object data="([^"]+)" type="application\/pdf">/],
    ['audio/mpeg', /<audio controls src="([^"]+)">/],
    ['video/mp4', /<video controls src="([^"]+)">/],
  ])('of %s has the address of the file', async (mimeType, form) => {
    const file = await createBinary(server, await picture(10, 10, 'png'), { name: 'f', mimeType });
    const { text } = await preview(file).expect(200);
    const address = form.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    await server.request
      .get(local(address))
      .expect(200)
      .expect('Content-Type', new RegExp(`^${mimeType.replace('+', '\\+')}`))
      .expect('Content-Disposition', /^inline/);
  });

  test('of a long text is cut after a megabyte', async () => {
    const file = await createFile(server, { content: `${'x'.repeat(1_000_000)}END` });
    const { text } = await preview(file).expect(200);
    expect(text).toContain('xxx');
    expect(text).not.toContain('END');
  });

  test('of another file of the document is behind its xpath', async () => {
    const files = [{ file: { content: 'first' } }, { file: { content: 'second' } }];
    const document = await createDocument(server, { properties: { 'files:files': files } });
    const at = `${atId(document.uid)}/@blob/files:files/1/file/@preview`;
    expect((await server.request.get(at).expect(200)).text).toContain('<pre>second</pre>');
    await server.request.get(`${atId(document.uid)}/@blob/files:files/7/file/@preview`).expect(404);
  });

  test('is 404 without a file and for files that browsers do not show; the enricher is null', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const zip = await createBinary(server, Buffer.from([0, 1]), { mimeType: 'application/x-7z-compressed' });
    for (const document of [folder, zip]) {
      await preview(document).expect(404);
      expect(await addressOf(document)).toBeNull();
    }
    expect((await preview(zip)).body.message).toContain('application/x-7z-compressed');
  });

  test('is served by path and at the address of the enricher; 403 and 401 as the document', async () => {
    const file = await createFile(server, { content: 'x' });
    await server.request.get(`${atPath(file.path)}/@preview`).expect(200);
    await server.request.get(local((await addressOf(file)) ?? '')).expect(200);
    await server.anonymous.get(`${atId(file.uid)}/@preview`).expect(401);
    await setAcl(server, file.path, [deny('Everyone', 'Everything')]);
    await bob.get(`${atId(file.uid)}/@preview`).expect(403);
  });
});
