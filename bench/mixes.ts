import type { Sent } from './open-load.ts';
import { newFile } from './rows.ts';
import { type Entity, readAll } from './seed.ts';

/**
 * The mixes of requests: either only documents by id, or 70 % documents by id, 10 % pages of children and 20 % new
 * documents.
 */
export const mixes = ['reads', 'mix'] as const;
export type Mix = (typeof mixes)[number];

/** The ids of the documents to request. */
export interface Ids {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Reads the ids of the documents that `seedOurs` has inserted. @param url the URL of the server */
export async function readIds(url: string): Promise<Ids> {
  const all = await readAll(`${url}/api/v1`);
  const ids = (isWanted: (entity: Entity) => boolean) => all.filter(isWanted).map(({ uid }) => uid);
  return { files: ids(({ type }) => type !== 'Folder'), folders: ids(({ type }) => type === 'Folder') };
}

/** Returns a function that returns the next request of a mix. */
export function requests(mix: Mix, { files, folders }: Ids): () => Sent {
  let count = 0;
  const any = (ids: readonly string[]): string => ids[(count * 7919) % ids.length] ?? '';
  return () => {
    count += 1;
    const part = mix === 'reads' ? 0 : count % 10;
    if (part < 7) return { method: 'GET', path: `/api/v1/id/${any(files)}` };
    if (part === 7) return { method: 'GET', path: `/api/v1/id/${any(folders)}/@children` };
    return { method: 'POST', path: `/api/v1/id/${any(folders)}`, body: newFile() };
  };
}
