import { beforeAll, describe, expect, test } from '@jest/globals';
import { only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, namesIn } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { countsIn, type Given, list } from './search-requests.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);

const picture = (width: number, height: number, colorSpace: string, depth: number) => ({
  'picture:info': { width, height, colorSpace, depth },
});
const trash = ({ uid }: DocumentEntity) =>
  server.request.post(`/api/v1/id/${uid}/@op/Document.Trash`).send({}).expect(200);

const video = (duration: number) => ({ 'vid:info': { duration, width: 640, height: 480 } });

beforeAll(async () => {
  const { path: parent } = await createDocument(server, { type: 'Folder', name: 'assets' });
  const create = (type: string, name: string, properties: object) =>
    createDocument(server, { type, name, parent, properties: { 'dc:title': name, ...properties } });
  await create('Picture', 'thumb', picture(200, 100, 'sRGB', 8));
  await create('Picture', 'photo', picture(1920, 1080, 'sRGB', 16));
  await create('Picture', 'scan', { ...picture(640, 319, 'CMYK', 8), 'dc:nature': 'report' });
  await create('Video', 'clip', video(29.5));
  await create('Video', 'talk', video(600));
  await create('Audio', 'song', {});
  await create('File', 'text', {});
  await trash(await create('Picture', 'gone', picture(200, 100, 'sRGB', 8)));
  const { path } = await create('Picture', 'hidden', picture(200, 100, 'sRGB', 8));
  await setAcl(server, path, only('Administrator', 'Everything'));
});

const assets = (given: Given = {}) =>
  list(ann, 'assets_search', { sortBy: 'dc:title', sortOrder: 'asc', ...given }).expect(200);

describe('§4.7 assets_search', () => {
  test('finds readable pictures, videos and audio that are not in the trash', async () => {
    expect(namesIn(await assets())).toEqual(['clip', 'photo', 'scan', 'song', 'talk', 'thumb']);
  });

  test('counts them by type, size in pixels, colors and duration', async () => {
    const answer = await assets();
    expect(countsIn(answer, 'system_primaryType_agg')).toEqual({ Picture: 3, Video: 2, Audio: 1 });
    expect(countsIn(answer, 'system_mimetype_agg')).toEqual({});
    expect(countsIn(answer, 'asset_width_agg')).toEqual({
      to_500_px: 1,
      from_500_to_1500_px: 1,
      from_1500_to_2000_px: 1,
      from_2000_px: 0,
    });
    expect(countsIn(answer, 'asset_height_agg')).toEqual({
      to_500_px: 2,
      from_500_to_1500_px: 1,
      from_1500_to_2000_px: 0,
      from_2000_px: 0,
    });
    expect(countsIn(answer, 'color_profile_agg')).toEqual({ sRGB: 2, CMYK: 1 });
    expect(countsIn(answer, 'color_depth_agg')).toEqual({ 8: 2, 16: 1 });
    expect(countsIn(answer, 'video_duration_agg')).toEqual({
      to_30_s: 1,
      from_30_to_180_s: 0,
      from_180_to_600_s: 0,
      from_600_to_1800_s: 1,
      from_1800_s: 0,
    });
  });

  test.each<[Given, string[]]>([
    [{ asset_width_agg: '["to_500_px","from_1500_to_2000_px"]' }, ['photo', 'thumb']],
    [{ color_depth_agg: '["8"]', color_profile_agg: '["CMYK"]' }, ['scan']],
    [{ video_duration_agg: '["to_30_s"]' }, ['clip']],
    [{ system_primaryType_agg: '["Audio"]' }, ['song']],
    [{ dc_nature: '["report"]' }, ['scan']],
    [{ ecm_fulltext: 'talk' }, ['talk']],
    [{ ecm_path: '/default-domain/sections' }, []],
  ])('is restricted by %j', async (given, names) => {
    expect(namesIn(await assets(given))).toEqual(names);
  });

  test('costs the same number of statements for many documents as for one', async () => {
    const cost = async (pageSize: number) => statements(await assets({ pageSize }));
    await cost(1);
    expect(await cost(6)).toBe(await cost(1));
  });

  test('answers 400 naming a range that there is not', async () => {
    const { body } = await list(ann, 'assets_search', { asset_width_agg: '["wide"]' }).expect(400);
    expect(body.message).toContain('asset_width_agg: "wide"');
  });
});

describe('§4.7 document_picker', () => {
  test('finds documents by the beginning of a word and by words, the last changed first', async () => {
    expect(namesIn(await list(ann, 'document_picker', { queryParams: 'tal' }).expect(200))).toEqual(['talk']);
    const found = await list(ann, 'document_picker', { ecm_fulltext: 'song' }).expect(200);
    expect(namesIn(found)).toEqual(['song']);
    const answer = await list(ann, 'document_picker').expect(200);
    expect(answer.body.pageSize).toBe(5);
    expect(namesIn(answer).slice(0, 3)).toEqual(['text', 'song', 'talk']);
  });

  test('finds nothing in the trash and nothing unreadable', async () => {
    for (const word of ['gone', 'hidden'])
      expect(namesIn(await list(ann, 'document_picker', { ecm_fulltext: word }).expect(200))).toEqual([]);
  });
});

describe('§4.7 publish_space_suggestion', () => {
  beforeAll(async () => {
    const parent = '/default-domain/sections';
    const create = (name: string, title: string) =>
      createDocument(server, { type: 'Section', name, parent, properties: { 'dc:title': title } });
    await create('news', 'World news');
    await create('sports', 'Sports news');
    await trash(await create('old', 'Old news'));
  });

  test.each([
    ['', ['sports', 'news']],
    ['new', ['sports', 'news']],
    ['World', ['news']],
    ['Old', []],
    ['talk', []],
  ])('finds the sections whose title has the words that begin with "%s"', async (searchTerm, names) => {
    const answer = await list(ann, 'publish_space_suggestion', { searchTerm }).expect(200);
    expect(namesIn(answer)).toEqual(names);
  });
});
