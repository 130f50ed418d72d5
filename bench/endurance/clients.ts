import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { authorization } from '../ours.ts';

/** A response, or status 0 if there was none. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
}

type Ask = (
  method: string,
  path: string,
  body?: object | string | Uint8Array<ArrayBuffer>,
  headers?: Record<string, string>,
) => Promise<Answer>;

/** The state that the clients share with the benchmark. */
export interface Work {
  /** The URLs of the nodes, to which requests are sent in turn. */
  readonly urls: readonly string[];
  readonly isOver: () => boolean;
  /** Called for each request that did not succeed. */
  readonly onFailure: (url: string, status: number, text: string) => void;
  /** Called after each round of a client. */
  readonly onDone: (client: string) => void;
}

/** Thrown to end a round after a failed request. */
class Failed extends Error {}

function asker({ urls, onFailure }: Work): Ask {
  let count = 0;
  return async (method, path, body, headers) => {
    count += 1;
    const url = urls[count % urls.length] ?? '';
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const type = isRaw ? 'application/octet-stream' : 'application/json';
    let [status, text, cookie] = [0, '', ''];
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...(headers?.cookie ? {} : { authorization }), 'content-type': type, ...headers },
        ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      });
      status = response.status;
      cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
      text = await response.text();
    } catch (error) {
      status = 0;
      text = String((error as Error).cause ?? error);
    }
    if (status >= 200 && status < 300) return { status, text, cookie };
    onFailure(url, status, `${method} ${path}: ${status || 'no response'} ${text.slice(0, 200)}`);
    throw new Failed();
  };
}

const api = '/api/v1';
const folder = '/endurance';
const documentOf = (type: string, name: string, properties = {}): object => ({
  'entity-type': 'document',
  type,
  name,
  properties: { 'dc:title': name, ...properties },
});

/** Creates a document with an uploaded file. @returns the URL of the document */
async function upload(
  ask: Ask,
  name: string,
  type: string,
  bytes: string | Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { batchId } = JSON.parse((await ask('POST', `${api}/upload`)).text) as { batchId: string };
  await ask('POST', `${api}/upload/${batchId}/0`, bytes, { 'x-file-name': name, 'x-file-type': type });
  const properties = { 'file:content': { 'upload-batch': batchId, 'upload-fileId': '0' } };
  const kind = type.startsWith('image/') ? 'Picture' : 'File';
  const { text } = await ask('POST', `${api}/path${folder}`, documentOf(kind, name, properties));
  return `${api}/id/${(JSON.parse(text) as { uid: string }).uid}`;
}

/** A client's work in one round. The number is different for each round. */
type Round = (ask: Ask, nth: number) => Promise<void>;

/** Uploads a file, changes it, and deletes it. */
const uploads: Round = async (ask, nth) => {
  const text = `text number ${nth}\n`.repeat(2_000);
  const document = await upload(ask, `upload-${nth}`, 'text/plain', text);
  const read = await ask('GET', `${document}/@blob/file:content`);
  if (read.text !== text) throw new Error(`${document} has other bytes`);
  await ask('PUT', `${document}/@tags/tag-${nth % 20}`);
  await ask('POST', `${document}/@versions`, { increment: 'MINOR' });
  await ask('POST', `${document}/@trash`);
  await ask('DELETE', document);
};

const searches: Round = async (ask, nth) => {
  const query = (text: string) => `${api}/search/lang/NXQL/execute?query=${encodeURIComponent(text)}`;
  await ask('GET', query(`SELECT * FROM Document WHERE ecm:fulltext = 'figures' AND dc:title <> '${nth}'`));
  await ask('GET', query("SELECT * FROM File WHERE dc:nature = 'report' ORDER BY dc:modified DESC"));
  await ask('GET', `${api}/search/pp/default_search/execute?ecm_fulltext=quarterly&pageSize=20`);
};

/** Changes the titles of 50 documents with a bulk action, and waits for its end. */
const bulkActions: Round = async (ask, nth) => {
  const query = encodeURIComponent(
    `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder}/bulk' AND ecm:isVersion = 0`,
  );
  const begun = await ask('POST', `${api}/search/bulk/setProperties?query=${query}`, {
    'dc:source': `round ${nth}`,
  });
  const { commandId } = JSON.parse(begun.text) as { commandId: string };
  for (;;) {
    await wait(500);
    const { state } = JSON.parse((await ask('GET', `${api}/bulk/${commandId}`)).text) as { state: string };
    if (state === 'COMPLETED' || state === 'ABORTED') return;
  }
};

/** Converts a new picture and a new text. */
const conversions: Round = async (ask, nth) => {
  const background = { r: nth % 256, g: (nth >> 8) % 256, b: 90 };
  const png = await sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .png()
    .toBuffer();
  const picture = await upload(ask, `picture-${nth}`, 'image/png', new Uint8Array(png));
  await ask('GET', `${picture}/@rendition/thumbnail`);
  await ask('DELETE', picture);
  const text = await upload(ask, `convert-${nth}`, 'text/plain', `page ${nth}\n`.repeat(200));
  await ask('GET', `${text}/@convert?type=application/pdf`);
  await ask('DELETE', text);
};

/** Signs in as the console does, reads what its first screens read, and signs out. */
const sessions: Round = async (ask) => {
  const { cookie } = await ask('POST', '/login', { username: 'Administrator', password: 'Administrator' });
  const query =
    '{ me { id } document(path: "/endurance") { title children(pageSize: 20) { entries { title } } } }';
  await ask('GET', `${api}/me`, undefined, { cookie });
  await ask('GET', `${api}/path${folder}/@children?pageSize=20`, undefined, { cookie });
  await ask('POST', '/graphql', { query }, { cookie });
  await ask('POST', '/logout', undefined, { cookie });
};

/** The clients and their pauses between two rounds, in milliseconds. */
const rounds: Readonly<Record<string, readonly [Round, number]>> = {
  uploads: [uploads, 1_000],
  searches: [searches, 500],
  'bulk actions': [bulkActions, 10_000],
  conversions: [conversions, 2_000],
  sessions: [sessions, 1_000],
};

/** Creates the documents that the clients use. */
export async function prepare(work: Work): Promise<void> {
  const ask = asker(work);
  await ask('POST', `${api}/path/`, documentOf('Folder', folder.slice(1)));
  await ask('POST', `${api}/path${folder}`, documentOf('Folder', 'bulk'));
  for (let index = 0; index < 50; index += 1)
    await ask('POST', `${api}/path${folder}/bulk`, documentOf('File', `file-${index}`));
}

/** Runs all clients until the work is over. */
export async function runClients(work: Work): Promise<void> {
  await Promise.all(
    Object.entries(rounds).map(async ([name, [round, pause]]) => {
      const ask = asker(work);
      for (let nth = 1; !work.isOver(); nth += 1) {
        try {
          await round(ask, nth);
          work.onDone(name);
        } catch (error) {
          if (!(error instanceof Failed)) throw error;
        }
        await wait(pause);
      }
    }),
  );
}
