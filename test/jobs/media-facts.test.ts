import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { picture, uploadedBlob } from '../rest/renditions/pictures.ts';
import { countsIn, list } from '../rest/search/search-requests.ts';
import { atId, createDocument, documentBody, readDocument } from '../support/documents.ts';
import { newFolder } from '../support/folder.ts';
import { runJobs } from '../support/jobs.ts';
import { programs } from '../support/programs.ts';
import { asBytes } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { settledFiles } from '../support/settled.ts';

jest.setTimeout(90_000);

/** What ffprobe says of a film on its side with a sound, and of a sound with a cover. */
const film = {
  streams: [
    {
      codec_type: 'video',
      codec_name: 'h264',
      codec_long_name: 'H.264 / AVC',
      width: 640,
      height: 360,
      avg_frame_rate: '30000/1001',
      bit_rate: '90000',
      side_data_list: [{ rotation: -90 }],
    },
    { codec_type: 'audio', codec_name: 'aac', avg_frame_rate: '0/0' },
  ],
  format: { duration: '9.000000', format_name: 'mov,mp4' },
};
const sound = { streams: [{ codec_type: 'audio', codec_name: 'mp3' }], format: { duration: '61.5' } };

/** A film of one picture. */
const still = { ...film, format: { duration: '0' } };

let server: TestServer;
const failed: unknown[] = [];
beforeAll(async () => {
  const place = newFolder();
  const folder = await programs({
    ffprobe: `for last; do :; done; if grep -q damaged "$last"; then echo odd data >&2; exit 1; fi
if grep -q still "$last"; then echo '${JSON.stringify(still)}'; exit; fi
if grep -q sound "$last"; then echo '${JSON.stringify(sound)}'; else echo '${JSON.stringify(film)}'; fi`,
    ffmpeg: `for last; do :; done; cp ${join(place, 'frame.jpg')} "$last"`,
  });
  server = await startServer({ CONVERTER_FOLDERS: folder });
  await writeFile(join(place, 'frame.jpg'), await picture(350, 200, 'jpeg'));
  await runJobs(server, (error) => failed.push(error));
});
afterAll(async () => {
  await server.stop();
  expect(failed).toEqual([]);
});

async function create(type: string, mimeType: string, bytes: string) {
  const content = await uploadedBlob(server, Buffer.from(`\0${bytes}`), mimeType);
  const { uid } = await createDocument(server, { type, properties: { 'file:content': content } });
  await settledFiles(server);
  return uid;
}

describe('§8 a film', () => {
  test('has what ffprobe tells of it, and a storyboard, until it is replaced', async () => {
    const uid = await create('Video', 'video/mp4', 'a film');
    const { properties, changeToken } = await readDocument(server.request, uid);
    expect(properties['vid:info']).toEqual({
      duration: 9,
      width: 360,
      height: 640,
      format: 'mov,mp4',
      frameRate: 29.97,
      streams: [
        { type: 'video', codec: 'h264', streamInfo: 'H.264 / AVC', bitRate: 90_000 },
        { type: 'audio', codec: 'aac', streamInfo: null, bitRate: null },
      ],
    });
    const frames = properties['vid:storyboard'] as Array<{ timecode: number; content: { data: string } }>;
    expect(frames.map(({ timecode }) => timecode)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(frames[3]?.content).toMatchObject({ name: 'Frame4_photo.jpg', 'mime-type': 'image/jpeg' });
    const { pathname } = new URL(frames[3]?.content.data ?? '');
    await asBytes(server.request.get(pathname)).expect(200);
    expect(changeToken).toBe('1-0');
    const found = await list(server.request, 'assets_search', {}).expect(200);
    expect(Object.values(countsIn(found, 'video_duration_agg') as object)).toContain(1);

    const other = await uploadedBlob(server, Buffer.from('damaged'), 'video/mp4');
    const body = documentBody({ properties: { 'file:content': other } });
    await server.request.put(atId(uid)).send(body).expect(200);
    await settledFiles(server);
    const { properties: now } = await readDocument(server.request, uid);
    expect([now['vid:info'], now['vid:storyboard']]).toEqual([null, []]);
  });

  test('without a duration has one picture', async () => {
    const { properties } = await readDocument(server.request, await create('Video', 'video/mp4', 'a still'));
    expect(properties['vid:info']).toMatchObject({ duration: 0, width: 360 });
    expect(properties['vid:storyboard']).toMatchObject([{ timecode: 0 }]);
  });

  test('that cannot be read has neither', async () => {
    const uid = await create('Video', 'video/webm', 'damaged');
    const { properties } = await readDocument(server.request, uid);
    expect([properties['vid:info'], properties['vid:storyboard']]).toEqual([null, []]);
  });
});

test('§8 a sound has its duration', async () => {
  const { properties } = await readDocument(server.request, await create('Audio', 'audio/mpeg', 'a sound'));
  expect(properties['aud:duration']).toBe(61.5);
});
