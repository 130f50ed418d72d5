import sharp from 'sharp';
import { atPath, type DocumentEntity, documentBody, workspaces } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

/** A picture of one color. */
export const picture = (
  width: number,
  height: number,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif',
  background = '#1f5fa8',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

/** The blob of a body for bytes that are uploaded first. */
export async function uploadedBlob(
  { request }: Pick<TestServer, 'request'>,
  bytes: Buffer,
  type = 'image/jpeg',
): Promise<Record<string, unknown>> {
  const batch = (await request.post('/api/v1/upload').expect(201)).body.batchId;
  await request
    .post(`/api/v1/upload/${batch}/0`)
    .set({ 'X-File-Name': 'photo.x', 'X-File-Type': type, 'Content-Type': 'application/octet-stream' })
    .send(bytes)
    .expect(201);
  return { 'upload-batch': batch, 'upload-fileId': '0' };
}

/** A document of type Picture with an uploaded file. */
export async function uploadPicture(
  server: Pick<TestServer, 'request'>,
  bytes: Buffer,
  {
    type = 'image/jpeg',
    parent = workspaces,
    properties = {},
    headers = {},
  }: { type?: string; parent?: string; properties?: object; headers?: Record<string, string> } = {},
): Promise<DocumentEntity> {
  const content = await uploadedBlob(server, bytes, type);
  const { body } = await server.request
    .post(atPath(parent))
    .set(headers)
    .send(
      documentBody({
        type: 'Picture',
        name: 'photo',
        properties: { ...properties, 'file:content': content },
      }),
    )
    .expect(201);
  return body;
}
