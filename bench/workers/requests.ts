import type { Ids } from '../mixes.ts';
import type { Sent } from '../open-load.ts';
import { newFile } from '../rows.ts';

const searchFor = (folder: string): string =>
  `SELECT * FROM File WHERE ecm:parentId = '${folder}' AND dc:nature = 'report' ORDER BY dc:modified DESC`;

/** What workers are asked, each by itself; what writes comes last, since a search waits for its index. */
export const kinds: Readonly<Record<string, (ids: Ids, any: (all: readonly string[]) => string) => Sent>> = {
  'a document by id': ({ files }, any) => ({ method: 'GET', path: `/api/v1/id/${any(files)}` }),
  'a page of 50': ({ folders }, any) => ({ method: 'GET', path: `/api/v1/id/${any(folders)}/@children` }),
  'a search': ({ folders }, any) => ({
    method: 'GET',
    path: `/api/v1/search/lang/NXQL/execute?pageSize=10&query=${encodeURIComponent(searchFor(any(folders)))}`,
  }),
  'create a file': ({ folders }, any) => ({
    method: 'POST',
    path: `/api/v1/id/${any(folders)}`,
    body: newFile(),
  }),
};

/** Requests of a kind, one after the other. */
export function requestsOf(kind: string, ids: Ids): () => Sent {
  const make = kinds[kind];
  if (!make) throw new Error(`there are no requests of the kind "${kind}"`);
  let count = 0;
  return () => {
    count += 1;
    return make(ids, (all) => all[(count * 7919) % all.length] ?? '');
  };
}
