import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { asBytes, asText } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const attach = (contentType: string, body: Buffer) =>
  asText(
    server.request.post('/api/v1/automation/Blob.AttachOnDocument').set('Content-Type', contentType),
  ).send(body);
const contentOf = async (uid: string) => {
  const { body } = await asBytes(server.request.get(`/api/v1/id/${uid}/@blob`)).expect(200);
  return String(body);
};

const encoded = async (form: FormData): Promise<[string, Buffer]> => {
  const request = new Request('http://client/', { method: 'POST', body: form });
  return [request.headers.get('content-type') ?? '', Buffer.from(await request.arrayBuffer())];
};

describe('§4.7 a form as programs send it', () => {
  const json = (uid: string) => JSON.stringify({ params: { document: uid } });

  test('has its JSON in a part with the file name that a browser gives', async () => {
    const { uid } = await createDocument(server);
    const line = '----WebKitFormBoundary7MA4YWxkTrZu0gW';
    const body = [
      `--${line}`,
      'Content-Disposition: form-data; name="params"; filename="blob"',
      'Content-Type: application/json',
      '',
      json(uid),
      `--${line}`,
      'Content-Disposition: form-data; name="input"; filename="a.txt"',
      'Content-Type: text/plain',
      '',
      'of a browser',
      `--${line}--`,
      '',
    ].join('\r\n');
    await attach(`multipart/form-data; boundary=${line}`, Buffer.from(body)).expect(200);
    expect(await contentOf(uid)).toBe('of a browser');
  });

  test.each(['application/json', 'application/json+nxrequest', 'text/plain', ''])(
    'has its JSON in a Blob of the type "%s", before the file and after it',
    async (type) => {
      const { uid } = await createDocument(server);
      const params = new Blob([json(uid)], { type });
      const file = new Blob(['{"a": "file of JSON"}'], { type: 'application/json' });
      const first = new FormData();
      first.append('params', params);
      first.append('input', file, 'a.json');
      await attach(...(await encoded(first))).expect(200);
      expect(await contentOf(uid)).toBe('{"a": "file of JSON"}');
      const last = new FormData();
      last.append('file', new Blob(['sent first'], { type: 'text/plain' }), 'b.txt');
      last.append('request', params);
      await attach(...(await encoded(last))).expect(200);
      expect(await contentOf(uid)).toBe('sent first');
    },
  );

  test('has one JSON: a second part of that name is a file', async () => {
    const { uid } = await createDocument(server);
    const form = new FormData();
    form.append('params', new Blob([json(uid)], { type: 'application/json' }));
    form.append('params', new Blob(['{}'], { type: 'application/json' }), 'second.json');
    await attach(...(await encoded(form))).expect(200);
    expect(await contentOf(uid)).toBe('{}');
  });

  test('has its JSON without another part where an operation takes no files', async () => {
    const form = new FormData();
    form.append('params', new Blob([JSON.stringify({ input: '/default-domain/workspaces' })]));
    const [type, body] = await encoded(form);
    const call = server.request.post('/api/v1/automation/Document.GetParent').set('Content-Type', type);
    expect((await call.send(body).expect(200)).body.path).toBe('/default-domain');
  });

  test('is 400 when the part of the JSON is called something else', async () => {
    const form = new FormData();
    form.append('call', new Blob(['{}'], { type: 'application/json' }));
    const [type, body] = await encoded(form);
    expect((await attach(type, body).expect(400)).body).toContain(
      'The body must contain a part with the JSON of the call, named params or request.',
    );
  });
});

describe('§4.7 a body of multipart/related', () => {
  const part = (headers: readonly string[], text: string) => ['--x', ...headers, '', text];
  const body = (...parts: ReadonlyArray<readonly string[]>) =>
    Buffer.from([...parts.flat(), '--x--', ''].join('\r\n'));
  const type = 'multipart/related; boundary=x';
  const named = 'Content-Disposition: attachment; filename="a.json"';

  test('begins with its JSON, even under a file name', async () => {
    const { uid } = await createDocument(server);
    const json = part(
      ['Content-Type: application/json', named],
      JSON.stringify({ params: { document: uid } }),
    );
    await attach(type, body(json, part(['Content-Type: text/plain', named], 'one'))).expect(200);
    expect(await contentOf(uid)).toBe('one');
  });

  test('may have its JSON after the files', async () => {
    const { uid } = await createDocument(server);
    const request = part(
      ['Content-Type: application/json+nxrequest', 'Content-ID: request'],
      JSON.stringify({ params: { document: uid } }),
    );
    const file = part(['Content-Type: application/json', 'Content-ID: <input>', named], '{}');
    await attach(type, body(file, request)).expect(200);
    expect(await contentOf(uid)).toBe('{}');
  });
});
