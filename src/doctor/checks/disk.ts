import { stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sizeText } from '../../converters/pages/size-text.ts';
import { type Finding, foundIf, type HealthCheck } from '../check.ts';

/** Less free space in bytes is a fault. */
const minFree = 1e9;

/** Less free space, as a share of the file system, is reported. */
const minShare = 0.1;

async function spaceFindings(folder: string, use: string): Promise<readonly Finding[]> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(folder);
  const free = bavail * bsize;
  const isLow = free < minFree || bavail < minShare * blocks;
  return foundIf(
    isLow && {
      level: free < minFree ? 'fault' : 'advice',
      problem: `The file system of ${folder} has only ${sizeText(free)} free.`,
      reason: `If it is full, ${use}.`,
      remedy: 'Delete other files, or enlarge the file system.',
    },
    files > 0 &&
      ffree < 0.05 * files && {
        level: 'fault',
        problem: `The file system of ${folder} can store only ${ffree} more files.`,
        reason: `If it has no inodes left, ${use}.`,
        remedy: 'Delete other files, or create a file system with more inodes.',
      },
  );
}

/** Keeps the first folder of each file system, and leaves out folders that do not exist yet. */
async function onePerFileSystem(uses: ReadonlyArray<readonly [string, string]>) {
  const devices = new Set<number>();
  const kept: Array<readonly [string, string]> = [];
  for (const use of uses) {
    const device = await stat(use[0]).then(
      ({ dev }) => dev,
      () => undefined,
    );
    if (device === undefined || devices.has(device)) continue;
    devices.add(device);
    kept.push(use);
  }
  return kept;
}

/** Checks the free space on the file systems of DATA_DIR, of blobs and of temporary files. */
export const diskCheck: HealthCheck = {
  name: 'disk',
  run: async ({ config }) => {
    const folder = resolve(config.DATA_DIR);
    const findings: Finding[] = [];
    for (const [path, use] of await onePerFileSystem([
      [folder, 'files cannot be uploaded, and the embedded database stops'],
      [join(folder, 'blobs'), 'files cannot be uploaded'],
      [tmpdir(), 'files cannot be converted'],
    ]))
      findings.push(...(await spaceFindings(path, use)));
    return findings;
  },
};
