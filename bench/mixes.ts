import type { Sent } from './open-load.ts';
import { newFile } from './rows.ts';
import { type Entity, readAll } from './seed.ts';

/** What is asked of a server under load: documents by id alone; or 7 of 10 by id, 1 a page of children, 2 that create. */
export const mixes = ['reads', 'mix'] as const;
export type Mix = (typeof mixes)[number];

/** Ids of documents to ask for. */
export interface Ids {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The documents that `seedOurs` has laid. @param url of the server. */
export async function readIds(url: string): Promise<Ids> {
  const all = await readAll(`${url}/api/v1`);
  const ids = (isWanted: (entity: Entity) => boolean) => all.filter(isWanted).map(({ uid }) => uid);
  return { files: ids(({ type }) => type !== 'Folder'), folders: ids(({ type }) => type === 'Folder') };
}

/** Requests of a mix, one after the other. */
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
