import { randomBytes } from 'node:crypto';
import { answerOf } from './ask.ts';
import type { Entry } from './ledger.ts';
import type { Random } from './random.ts';
import type { Content } from './state.ts';
import { request, type Step } from './step.ts';

/** The state of an upload batch with one file. */
interface Batch {
  /** The indexes of the chunks that the server has received. */
  readonly chunks: readonly number[];
}

const write = (batch: Batch): string => JSON.stringify(batch);

const read = (state: string): Batch => JSON.parse(state);

/** A file that is uploaded in chunks, in random order. After a crash, only the missing chunks are sent. */
export class Upload {
  readonly entry: Entry;
  readonly content: Content;
  readonly #chunks: readonly string[];
  readonly #random: Random;

  constructor(path: string, random: Random) {
    this.entry = { path, sort: 'upload', isFolder: false, uid: undefined, acknowledged: undefined };
    this.#random = random;
    const size = random.chance(10) ? 200_000 : 6_000;
    const count = random.number(1, 6);
    this.#chunks = Array.from({ length: count }, () =>
      randomBytes(random.number(1, size)).toString('base64'),
    );
    this.content = { name: 'uploaded in chunks.txt', text: this.#chunks.join('') };
  }

  begin(): Step {
    const { entry } = this;
    return {
      change: { kind: 'new upload', made: entry, to: new Map([[entry, write({ chunks: [] })]]) },
      send: request('/upload', 'POST'),
    };
  }

  /** Returns the step that sends the next chunk; undefined if all chunks have been sent. */
  next(): Step | undefined {
    const { uid, acknowledged } = this.entry;
    const { chunks } = read(acknowledged ?? write({ chunks: [] }));
    const missing = [...this.#chunks.keys()].filter((index) => !chunks.includes(index));
    const index = this.#random.one(missing);
    if (index === undefined) return undefined;
    const state = write({ chunks: [...chunks, index].sort((a, b) => a - b) });
    const headers = {
      'x-upload-type': 'chunked',
      'x-upload-chunk-index': `${index}`,
      'x-upload-chunk-count': `${this.#chunks.length}`,
      'x-file-size': `${this.content.text.length}`,
      'x-file-name': encodeURIComponent(this.content.name),
      'x-file-type': 'text/plain',
      'content-type': 'application/octet-stream',
    };
    return {
      change: { kind: 'chunk', to: new Map([[this.entry, state]]) },
      send: request(`/upload/${uid}/0`, 'POST', this.#chunks[index] ?? '', headers),
    };
  }

  /** Returns a property value that refers to the uploaded file. */
  reference(): object {
    return { 'upload-batch': this.entry.uid, 'upload-fileId': '0' };
  }
}

/** Reads the state of an upload batch from the server. */
export async function shownUpload(url: string, { uid }: Entry): Promise<string | undefined> {
  if (uid === undefined) return undefined;
  const files = (await answerOf(url, `/upload/${uid}`)) as Array<{ uploadedChunkIds: number[] }> | undefined;
  return files && write({ chunks: (files[0]?.uploadedChunkIds ?? []).toSorted((a, b) => a - b) });
}
