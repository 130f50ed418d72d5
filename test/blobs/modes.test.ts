import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { beginUpload, cut, send } from '../rest/uploads/upload-requests.ts';
import { newFolder } from '../support/folder.ts';
import { startServer, type TestServer } from '../support/server.ts';

let umask: number;
beforeAll(() => {
  umask = process.umask(0);
});
afterAll(() => void process.umask(umask));

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

/** Everything in a folder, and the folder, that others than its owner may read or change. */
async function openIn(folder: string): Promise<string[]> {
  const paths = [folder, ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name))];
  const modes = await Promise.all(paths.map(modeOf));
  return paths.filter((_, index) => (modes[index] ?? 0) & 0o066);
}

async function upload({ request }: TestServer): Promise<void> {
  const batch = await beginUpload(request);
  await send(request, batch, 0, { content: 'whole' }).expect(201);
  for (const chunk of cut('in two chunks', 2)) await send(request, batch, 1, chunk);
}

describe('DATA_DIR', () => {
  test('and everything in it is open to no other account, whatever the umask', async () => {
    const dataDir = join(newFolder(), 'deep', 'data');
    await using server = await startServer({ DATA_DIR: dataDir });
    await upload(server);
    expect((await readdir(join(dataDir, 'blobs'))).length).toBeGreaterThan(2);
    expect(await openIn(dataDir)).toEqual([]);
    expect(await modeOf(join(dataDir, 'blobs'))).toBe(0o700);
  });

  test('is closed at a start if its mode has been changed, like the folder of the blobs', async () => {
    const dataDir = newFolder();
    const folders = [dataDir, join(dataDir, 'blobs')];
    await using first = await startServer({ DATA_DIR: dataDir });
    await upload(first);
    for (const folder of folders) await chmod(folder, 0o755);
    await using _next = await startServer({ DATA_DIR: dataDir });
    expect(await Promise.all(folders.map(modeOf))).toEqual([0o700, 0o700]);
  });
});
