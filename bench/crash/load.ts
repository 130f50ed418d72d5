import { ask } from './ask.ts';
import type { Ledger } from './ledger.ts';
import { Random } from './random.ts';
import { Worker } from './worker.ts';

/** The folder that contains all documents of the benchmark. */
export const place = '/crash';

/** Finds the id in the text of a response. */
const idIn = (text: string): string | undefined => /"(?:uid|batchId|id)":"([^"]+)"/.exec(text)?.[1];

/**
 * Sends writes until the server is gone or the time is up.
 * @returns descriptions of incorrect responses
 */
async function work(url: string, worker: Worker, ledger: Ledger, isOver: () => boolean): Promise<string[]> {
  while (!isOver()) {
    const { change, send, check, mayBeAbsent } = worker.next();
    ledger.begin(change);
    const response = await send(url).catch(() => undefined);
    if (!response) return []; // The server is gone, so it is unknown whether the request took effect.
    const text = await response.text().catch(() => undefined);
    if (response.status === 503) ledger.refuse(change);
    else if (!response.ok && !(mayBeAbsent && [400, 404].includes(response.status)))
      return [`${change.kind}: ${response.url}: ${response.status} ${text}`];
    else if (text === undefined && change.made?.sort === 'upload')
      return []; // Only the response contains the id. If it was cut off, the outcome of the request is unknown.
    else ledger.acknowledge(change, idIn(text ?? '')); // This includes responses that were cut off.
    const fault = text === undefined ? undefined : check?.(text);
    if (response.ok && fault) return [fault];
  }
  return [];
}

/** Creates a folder for each worker. */
export async function createWorkers(url: string, connections: number, seed: string): Promise<Worker[]> {
  const create = async (parent: string, name: string): Promise<void> => {
    const body = { 'entity-type': 'document', type: 'Folder', name };
    const response = await ask(url, `/path${parent}`, 'POST', body);
    if (response.status !== 201)
      throw new Error(`POST ${parent}: ${response.status} ${await response.text()}`);
  };
  await create('/', place.slice(1));
  const names = Array.from({ length: connections }, (_, index) => `w${index}`);
  await Promise.all(names.map((name) => create(place, name)));
  return names.map((name) => new Worker(name, `${place}/${name}`, new Random(`${seed} ${name}`)));
}

/**
 * Sends writes with one connection per worker, until the time is up or the server is gone.
 * @returns descriptions of responses that are incorrect even for a server that is being killed
 */
export async function load(
  url: string,
  workers: readonly Worker[],
  ledger: Ledger,
  isOver: () => boolean,
): Promise<string[]> {
  return (await Promise.all(workers.map((worker) => work(url, worker, ledger, isOver)))).flat();
}
