/** @group slow, long */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { lockAbandoned, lockFolder } from '../../src/embedded/folder-lock.ts';
import { Unavailable } from '../../src/errors.ts';
import { namespace, startOf } from '../../src/process-state.ts';
import { newFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(async () => {
  folder = newFolder();
});

const lock = () => join(folder, 'lock');

/** The number of a process that has ended. */
const endedPid = (): number => spawnSync('true').pid;

/** The content of the lock of a process on this machine. */
const here = (pid: number, start = ''): string => `${pid} ${start} ${namespace()} ${hostname()}\n`;

describe('The lock of a data folder', () => {
  test('is one file that names its process', async () => {
    const letGo = lockFolder(folder);
    expect(readFileSync(lock(), 'utf8')).toMatch(
      new RegExp(`^${process.pid} \\d* [\\da-f]{16} ${hostname()}\\n$`),
    );
    expect(await readdir(folder)).toEqual(['lock']);
    letGo();
    expect(await readdir(folder)).toEqual([]);
  });

  test('refuses a second lock with an error that names the process and the settings to change', async () => {
    const letGo = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(Unavailable);
    expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${process.pid}`);
    expect(() => lockFolder(folder)).toThrow(/stop it.*DATA_DIR.*DATABASE_URL/);
    expect(await readdir(folder)).toEqual(['lock']);
    letGo();
  });

  test('can be taken again after its release', () => {
    for (let round = 0; round < 3; round += 1) lockFolder(folder)();
    expect(existsSync(lock())).toBe(false);
  });

  test('a second release has no effect on the next lock', () => {
    const letGo = lockFolder(folder);
    letGo();
    const letGoNow = lockFolder(folder);
    expect(letGo).not.toThrow();
    expect(existsSync(lock())).toBe(true);
    letGoNow();
  });

  test.each([
    ['of a process that has ended', () => here(endedPid(), '12345')],
    ['of an ended process on a system without start times', () => here(endedPid())],
    ['of another process that had our number', () => here(process.pid, '1')],
    ['of another process that had the number of one that runs', () => here(process.ppid, '1')],
    ['of process 0', () => here(0, '0')],
    ['that is empty', () => ''],
    ['that is a fragment', () => `${process.pid} ${startOf(process.pid)}`],
    ['that is no lock', () => 'hello\n'],
  ])('a lock file %s is stale and replaced', async (_, content) => {
    await writeFile(lock(), content());
    const letGo = lockFolder(folder);
    expect(readFileSync(lock(), 'utf8')).toContain(String(process.pid));
    expect(await readdir(folder)).toEqual(['lock']);
    letGo();
  });

  test('a missing folder is ENOENT', () => {
    expect(() => lockFolder(join(folder, 'nowhere'))).toThrow('ENOENT');
  });
});

describe('The lock of another container or machine', () => {
  const elsewhere = (pid: number) => `${pid} 1 ${'0'.repeat(16)} box\n`;
  const inUse = (pid: number) =>
    new RegExp(`in use by process ${pid} of box, another container or machine.*docker exec.*DATABASE_URL`);
  const hourAgo = () => new Date(Date.now() - 3_600_000);

  test('is respected, whatever its number means here', async () => {
    for (const pid of [process.pid, endedPid()]) {
      await writeFile(lock(), elsewhere(pid));
      expect(() => lockFolder(folder)).toThrow(inUse(pid));
      expect(readFileSync(lock(), 'utf8')).toBe(elsewhere(pid));
    }
    expect(await readdir(folder)).toEqual(['lock']);
  });

  test('is in use when it is touched meanwhile, old as it may look', async () => {
    await writeFile(lock(), elsewhere(7));
    await utimes(lock(), hourAgo(), hourAgo());
    const refused = expect(lockAbandoned(folder)).rejects.toThrow(inUse(7));
    await wait(1_000);
    await utimes(lock(), new Date(), new Date());
    await refused;
    expect(readFileSync(lock(), 'utf8')).toBe(elsewhere(7));
  });

  test('is replaced once it was silent for long, not as soon as it is seen', async () => {
    await writeFile(lock(), elsewhere(7));
    await utimes(lock(), hourAgo(), hourAgo());
    const locking = lockAbandoned(folder);
    await wait(3_000);
    expect(readFileSync(lock(), 'utf8')).toBe(elsewhere(7));
    const letGo = await locking;
    expect(readFileSync(lock(), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    letGo();
  });

  test('is waited for until half a minute of silence is over', async () => {
    await writeFile(lock(), elsewhere(7));
    const begun = Date.now();
    (await lockAbandoned(folder))();
    expect(Date.now() - begun).toBeGreaterThan(29_000);
  });

  test('is touched by its owner, which learns when another process has taken it', async () => {
    let isLost = false;
    const letGo = lockFolder(folder, () => {
      isLost = true;
    });
    const [content, { mtimeMs }] = [readFileSync(lock(), 'utf8'), statSync(lock())];
    await until(() => statSync(lock()).mtimeMs > mtimeMs);
    expect(readFileSync(lock(), 'utf8')).toBe(content);
    await writeFile(lock(), elsewhere(7));
    await until(() => isLost);
    letGo();
    expect(readFileSync(lock(), 'utf8')).toBe(elsewhere(7));
  });

  test('is not replaced while a process of elsewhere is at it', async () => {
    await writeFile(join(folder, `lock.${endedPid()}.1.${'0'.repeat(16)}.1`), '');
    const begun = Date.now();
    lockFolder(folder)();
    expect(Date.now() - begun).toBeGreaterThan(4_000);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('The lock between processes', () => {
  const module = new URL('../../dist/embedded/folder-lock.js', import.meta.url).href;
  const program = `
    import { lockFolder } from ${JSON.stringify(module)};
    try { lockFolder(process.argv[1]); console.log('held'); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.message); }`;
  const arguments_ = ['--input-type=module', '--eval', program];

  test('of processes started concurrently exactly one replaces a stale lock; its own is stale once killed', async () => {
    await writeFile(lock(), `${endedPid()} 1\n`);
    const children = [1, 2, 3].map(() => spawn(process.execPath, [...arguments_, folder]));
    const ended = Promise.all(children.map((child) => once(child, 'close')));
    try {
      const said = await Promise.all(
        children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
      );
      const holder = children[said.indexOf('held')];
      expect(said.filter((line) => line === 'held')).toHaveLength(1);
      expect(said.filter((line) => line.includes(`in use by process ${holder?.pid}`))).toHaveLength(2);
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await ended;
    }
    expect(() => lockFolder(folder)()).not.toThrow();
  });

  test('is exclusive while processes take, release and abandon it concurrently', async () => {
    // The holder creates a file, which fails if it exists; then it releases the lock or leaves a stale one.
    const contest = `
      import { renameSync, rmSync, writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      import { lockFolder } from ${JSON.stringify(module)};
      const [folder, stale] = process.argv.slice(1);
      const [alone, lock, left] = ['alone', 'lock', process.pid + ''].map((name) => join(folder, name));
      let held = 0;
      while (held < 50) {
        let letGo;
        try { letGo = lockFolder(folder); } catch (error) { if (error.name !== 'Unavailable') throw error; continue; }
        writeFileSync(alone, '', { flag: 'wx' });
        held += 1;
        rmSync(alone);
        if (held % 2) { writeFileSync(left, stale); renameSync(left, lock); } else letGo();
      }
      console.log(held);`;
    const run = ['--input-type=module', '--eval', contest, folder, here(endedPid(), '1')];
    const rounds = [1, 2, 3, 4].map(async () => (await promisify(execFile)(process.execPath, run)).stdout);
    expect((await Promise.all(rounds)).map(Number)).toEqual([50, 50, 50, 50]);
    expect((await readdir(folder)).filter((name) => name !== 'lock')).toEqual([]);
  });

  const isLinux = process.platform === 'linux';

  (isLinux ? test : test.skip)(
    'is stale once its process was killed, while its parent does not notice',
    async () => {
      const shell = `"$@" & echo $!; exec sleep 60`;
      const parent = spawn('sh', ['-c', shell, 'sh', process.execPath, ...arguments_, folder]);
      try {
        let said = '';
        parent.stdout.on('data', (text: Buffer) => (said += text.toString()));
        while (!said.includes('held')) await once(parent.stdout, 'data');
        const pid = Number(said.match(/\d+/)?.[0]);
        expect(() => lockFolder(folder)).toThrow(`in use by process ${pid}`);
        process.kill(pid, 'SIGKILL');
        while (!readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) await wait(5);
        expect(() => lockFolder(folder)()).not.toThrow();
      } finally {
        parent.kill('SIGKILL');
      }
    },
  );

  test('ignores and deletes the temporary file of an ended process', async () => {
    await writeFile(join(folder, `lock.${endedPid()}.1.${namespace()}.1`), '');
    lockFolder(folder)();
    expect(await readdir(folder)).toEqual([]);
  });
});
