import type { Scene } from './reproductions.ts';
import type { Answer } from './sender.ts';

/** A folder whose documents have 1 MB of properties each. */
export interface Listed {
  readonly address: string;
}

const documents = 100;
const clients = 8;
const megabyte = 1_000_000;

/** Creates the folder and its documents. */
export async function layListing({ ask, folder }: Scene): Promise<Listed> {
  const create = async (address: string, document: object): Promise<string> => {
    const { status, text } = await ask('POST', address, { 'entity-type': 'document', ...document });
    if (status !== 201) throw new Error(`a document of a listing: ${status} ${text.slice(0, 500)}`);
    return /"uid":"([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const address = `/api/v1/id/${await create(folder, { type: 'Folder', name: 'listed', properties: {} })}`;
  const sentence = 'The minutes of the meeting are in the archive. ';
  for (let index = 0; index < documents; index += 1) {
    const text = sentence.repeat(Math.ceil(megabyte / sentence.length)).slice(0, megabyte);
    await create(address, {
      type: 'Note',
      name: `n${index}`,
      properties: { 'dc:title': `Note ${index}`, 'note:note': text },
    });
  }
  return { address };
}

/** Reads the listing repeatedly with eight concurrent clients for some seconds. */
export async function readListing(
  { address }: Listed,
  ask: Scene['ask'],
  seconds: number,
  measure: (name: string, request: () => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  const read = async (): Promise<void> => {
    while (performance.now() < end)
      await measure('a page of 100 documents', () =>
        ask('GET', `${address}/@children?pageSize=100&properties=*`),
      );
  };
  await Promise.all(Array.from({ length: clients }, read));
}
