import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { sizeText } from '../../converters/pages/size-text.ts';
import { type Finding, foundIf, type HealthCheck } from '../check.ts';

/** Less free space in bytes is a fault. */
const minFree = 1e9;

/** Less free space, as a share of the file system, is reported. */
const minShare = 0.1;

async function spaceFindings(folder: string, use: string): Promise<readonly Finding[]> {
  // A folder that does not exist yet is created by the server.
  const state = await statfs(folder).catch(() => undefined);
  if (state === undefined) return [];
  const { bavail, bsize, blocks, ffree, files } = state;
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

/** Checks the free space on the file systems of DATA_DIR and of temporary files. */
export const diskCheck: HealthCheck = {
  name: 'disk',
  run: async ({ config }) => {
    const folder = resolve(config.DATA_DIR);
    return [
      ...(await spaceFindings(folder, 'files cannot be uploaded, and the embedded database stops')),
      ...(await spaceFindings(tmpdir(), 'files cannot be converted')),
    ];
  },
};
