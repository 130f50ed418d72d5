import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../prisma/migrations/', import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The oldest build that works on tables with this migration, by its first line; absent in the first ones. */
export const oldestBuildOf = ({ sql }: Pick<Migration, 'sql'>): string | undefined =>
  /^-- oldest build: (\d+\.\d+\.\d+)$/m.exec(sql.split('\n', 1)[0] ?? '')?.[1];

/** The SHA-256 of a migration, as Prisma Migrate records it. */
export const checksumOf = ({ sql }: Pick<Migration, 'sql'>): string =>
  createHash('sha256').update(sql).digest('hex');

/** Checksums of migrations that were edited before the first release: databases have been made with them. */
const earlierChecksums: Readonly<Record<string, readonly string[]>> = {
  '20261123110000_search_index': ['fc93766940e7a8648412320c1c40f7ed7780c9ef0204754f795e09a349ee1750'],
  '20261123160000_title_beginnings': ['0c8d16dcbe6e445ceeb981aad9d6a5a42290ab180e21be4684318b5408183b59'],
  '20261124095000_execution_jobs': ['4230350702fcbc3f7d91c7b17ab08abd26dfc0deb411ecb6905fcc8bae5436a4'],
  '20261125190000_children': [
    '9b56a7b9c4bd723decfaf3484bc5f3c8a2cd7b7be455e8f451c57a5307cb9e1c',
    '59d7d976a5e58d107d1fd506e203b09705053e30f035983eddc758087409ffed',
  ],
  '20261126120000_search_acls': ['77a3066a56a0752a874b527b9b06520bc553bf2952569037c765ab1b7e000af5'],
  '20261126170000_search_state': ['13939fe9a2d6851ff52fa8e7daed8edefd79f05dfa872b3d109deb14ead06007'],
  '20261126200000_version_comment_acls': ['41c59c73d34d95db5f2d63f4d6ed3326a4c1119e4569f222f1c989030cf88b9c'],
};

/** Whether a migration was recorded with this text; Git may have written it with other line ends. */
export function isChecksumOf({ name, sql }: Migration, checksum: string): boolean {
  const unixText = sql.replaceAll('\r\n', '\n');
  const texts = [sql, unixText, unixText.replaceAll('\n', '\r\n')];
  const isCurrent = texts.some((text) => checksumOf({ sql: text }) === checksum);
  return isCurrent || (earlierChecksums[name]?.includes(checksum) ?? false);
}

/** The version of this build. */
export async function buildVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}

/** By numbers, not by characters: 0.10.0 is newer than 0.9.1. */
export const isOlderBuild = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0;

export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, folder), 'utf8'),
    })),
  );
}
