import type { Ask, Scene } from './reproductions.ts';
import type { Answer } from './sender.ts';

/** A folder whose documents have 1 MB of properties each. */
interface Listed {
  /** The id of the parent folder, which contains only this folder. */
  readonly parent: string;
  readonly id: string;
  readonly documents: readonly string[];
}

/** Functions that send requests as different users. */
interface Askers {
  readonly ask: Ask;
  /** Sends requests as an administrator, who can use any GraphQL operation. */
  readonly asAdministrator: Ask;
}

const count = 100;
const clients = 8;
const megabyte = 1_000_000;

/** Creates the documents that the listings return. */
async function layDocuments({ ask, folder }: Scene): Promise<Listed> {
  const create = async (parent: string, document: object): Promise<string> => {
    const { status, text } = await ask('POST', parent, { 'entity-type': 'document', ...document });
    if (status !== 201) throw new Error(`a document could not be created: ${status} ${text.slice(0, 500)}`);
    return /"uid":"([^"]+)"/.exec(text)?.[1] ?? '';
  };
  const parent = await create(folder, { type: 'Folder', name: 'above', properties: {} });
  const id = await create(`/api/v1/id/${parent}`, { type: 'Folder', name: 'listed', properties: {} });
  const sentence = 'The minutes of the meeting are in the archive. ';
  const text = sentence.repeat(Math.ceil(megabyte / sentence.length)).slice(0, megabyte);
  const documents: string[] = [];
  for (let index = 0; index < count; index += 1)
    documents.push(
      await create(`/api/v1/id/${id}`, {
        type: 'Note',
        name: `n${index}`,
        properties: { 'dc:title': `Note ${index}`, 'note:note': text },
      }),
    );
  return { parent, id, documents };
}

const all = { properties: '*' };

const address = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `/api/v1${path}?${new URLSearchParams(parameters)}`;

const nested = { ...all, 'enrichers.document': 'children', depth: 'max' };

const graphql = ({ asAdministrator }: Askers, query: string, variables: object): Promise<Answer> =>
  asAdministrator('POST', '/graphql', { query, variables });

const operation = ({ ask }: Askers, name: string, input: unknown, params = {}): Promise<Answer> =>
  ask('POST', address(`/automation/${name}`, all), { input, params });

type Read = (askers: Askers, listed: Listed) => Promise<Answer>;

const pages = 'listings';
const others = 'listings of other kinds';

/** Every kind of request that reads many complete documents, by family and name. */
const readings: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  [pages]: {
    'a page of 100 documents': ({ ask }, { id }) =>
      ask('GET', address(`/id/${id}/@children`, { ...all, pageSize: String(count) })),
  },
  [others]: {
    'a search': ({ ask }, { id }) => {
      const query = `SELECT * FROM Note WHERE ecm:ancestorId = '${id}'`;
      return ask('GET', address('/search/execute', { ...all, query, pageSize: String(count) }));
    },
    'children in an enricher': ({ ask }, { id }) => ask('GET', address(`/id/${id}`, nested)),
    'children of each entry of a page, in an enricher': ({ ask }, { parent }) =>
      ask('GET', address(`/id/${parent}/@children`, nested)),
    'documents by their ids': (askers, { documents }) =>
      graphql(askers, 'query ($ids: [ID!]!) { documents(ids: $ids) { properties } }', { ids: documents }),
    'each document under five names': (askers, { documents }) =>
      graphql(
        askers,
        `query ($ids: [ID!]!) { documents(ids: $ids) {
          a: properties b: properties c: properties d: properties e: properties } }`,
        { ids: documents },
      ),
    'children of each entry of a list': (askers, { parent }) =>
      graphql(
        askers,
        `query ($id: ID!) { document(id: $id) { children { entries {
          children(pageSize: ${count}) { entries { properties } } } } } }`,
        { id: parent },
      ),
    'an operation that returns children': (askers, { id }) => operation(askers, 'Document.GetChildren', id),
    'an operation that returns its input': (askers, { documents }) =>
      operation(askers, 'Document.Reload', documents),
    'an operation that changes its input': (askers, { documents }) =>
      operation(askers, 'Document.Update', documents, { properties: { 'dc:description': 'changed' } }),
  },
};

type Measure = (family: string, name: string, request: () => Promise<Answer>) => Promise<void>;

/**
 * Prepares the listings, each of which is requested repeatedly by eight concurrent clients.
 * @param seconds how long pages are requested; requests of other kinds are sent for a tenth of this time
 * @returns a function that sends the requests
 */
export async function layListings(
  scene: Scene,
  asAdministrator: Ask,
  seconds: number,
  isChosen: (family: string, name: string) => boolean,
): Promise<(measure: Measure) => Promise<void>> {
  const askers = { ask: scene.ask, asAdministrator };
  const chosen = Object.entries(readings).flatMap(([family, of]) =>
    Object.entries(of)
      .filter(([name]) => seconds > 0 && isChosen(family, name))
      .map(([name, read]) => ({ family, name, read, seconds: family === pages ? seconds : seconds / 10 })),
  );
  if (chosen.length === 0) return async () => {};
  const listed = await layDocuments(scene);
  return async (measure) => {
    for (const { family, name, read, seconds: own } of chosen) {
      const end = performance.now() + own * 1_000;
      const readOn = async (): Promise<void> => {
        while (performance.now() < end) await measure(family, name, () => read(askers, listed));
      };
      await Promise.all(Array.from({ length: clients }, readOn));
    }
  };
}
