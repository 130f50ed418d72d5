import { authorization } from '../ours.ts';
import type { Ledger } from './ledger.ts';
import { Worker } from './worker.ts';

/** The folder below which everything happens. */
export const place = '/crash';

const headers = {
  authorization,
  'content-type': 'application/json',
  'enrichers.document': 'acls,tags',
  'fetch.document': 'versionLabel',
  properties: '*',
};

/** Sends one request to the API as the stock administrator. */
export const ask = (url: string, path: string, method = 'GET', body?: object): Promise<Response> =>
  fetch(`${url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });

/** Writes until the server is gone or time is over; answers what it said that it should not have said. */
async function work(url: string, worker: Worker, ledger: Ledger, isOver: () => boolean): Promise<string[]> {
  while (!isOver()) {
    const { change, path, method, body } = worker.next();
    ledger.begin(change);
    const response = await ask(url, path, method, body).catch(() => undefined);
    if (!response) return []; // the server is gone: nobody knows what became of it
    const text = await response.text().catch(() => '');
    if (response.status === 503) ledger.refuse(change);
    else if (!response.ok) return [`${method} ${path}: ${response.status} ${text}`];
    else ledger.acknowledge(change, /"uid":"([^"]+)"/.exec(text)?.[1]); // also when cut off within the answer
  }
  return [];
}

/** Makes the workers' folders, on a server that has none of them. */
export async function createWorkers(url: string, connections: number): Promise<Worker[]> {
  const create = async (parent: string, name: string): Promise<void> => {
    const body = { 'entity-type': 'document', type: 'Folder', name };
    const response = await ask(url, `/path${parent}`, 'POST', body);
    if (response.status !== 201)
      throw new Error(`POST ${parent}: ${response.status} ${await response.text()}`);
  };
  await create('/', place.slice(1));
  const names = Array.from({ length: connections }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => create(place, name)));
  return names.map((name) => new Worker(name, `${place}/${name}`));
}

/**
 * Puts a write load on the server, from one connection per worker, until it is over or the server is gone.
 * @returns answers that are wrong, whatever happens to the server.
 */
export async function load(
  url: string,
  workers: readonly Worker[],
  ledger: Ledger,
  isOver: () => boolean,
): Promise<string[]> {
  return (await Promise.all(workers.map((worker) => work(url, worker, ledger, isOver)))).flat();
}
