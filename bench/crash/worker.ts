import { randomBytes, randomInt } from 'node:crypto';
import { type Change, type Content, type Entry, fileState, folderState, type State } from './ledger.ts';

/** Contents that several documents share: deleting one must not take the others' bytes. */
const shared = Array.from({ length: 8 }, (_, index) => `shared by several ${index}`);

/** Mostly small, now and then large enough to be under way when the end comes. */
function newText(): string {
  if (randomInt(4) === 0) return shared[randomInt(shared.length)] ?? '';
  const size = randomInt(30) === 0 ? randomInt(600_000) : randomInt(8_000);
  return randomBytes(size).toString('base64');
}

const newContents = (): Content[] =>
  Array.from({ length: randomInt(3) }, (_, index) => ({ name: `blob ${index}.txt`, text: newText() }));

function properties(title: string, contents: readonly Content[]): Record<string, unknown> {
  const [first, ...others] = contents.map(({ name, text }) => ({ name, content: text }));
  return {
    'dc:title': title,
    'file:content': first ?? null,
    'files:files': others.map((file) => ({ file })),
  };
}

/** What a worker asks next: the change that it makes of it, and the request. */
export interface Step {
  readonly change: Change;
  readonly path: string;
  readonly method: string;
  readonly body?: object;
}

const one = <Item>(items: readonly Item[]): Item | undefined => items[randomInt(Math.max(1, items.length))];

/** Thinks up one connection's worth of writing, in a folder of its own. */
export class Worker {
  readonly #folder: string;
  readonly #mine: Entry[] = [];
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string, folder: string) {
    this.#prefix = prefix;
    this.#folder = folder;
  }

  #present(isFolder: boolean): Entry[] {
    return this.#mine.filter((entry) => entry.isFolder === isFolder && entry.acknowledged !== undefined);
  }

  #create(isFolder: boolean): Step {
    this.#count += 1;
    const name = `${this.#prefix}-${this.#count}`;
    const parent = isFolder || randomInt(2) === 0 ? undefined : one(this.#present(true));
    const above = parent?.path ?? this.#folder;
    const contents = isFolder ? [] : newContents();
    const entry: Entry = {
      ...{ path: `${above}/${name}`, isFolder, uid: undefined, acknowledged: undefined, changes: 0 },
    };
    this.#mine.push(entry);
    const state = isFolder ? folderState(name) : fileState(name, 0, contents);
    const given = isFolder ? { 'dc:title': name } : properties(name, contents);
    const type = isFolder ? 'Folder' : 'File';
    const body = { 'entity-type': 'document', type, name, properties: given };
    const to = new Map<Entry, State>([[entry, state]]);
    return { change: { kind: 'create', to }, path: `/path${above}`, method: 'POST', body };
  }

  #update(entry: Entry): Step {
    const contents = newContents();
    const title = `${entry.path} ${entry.changes + 1} ${randomInt(1_000_000)}`;
    const to = new Map<Entry, State>([[entry, fileState(title, entry.changes + 1, contents)]]);
    const body = { 'entity-type': 'document', uid: entry.uid, properties: properties(title, contents) };
    return { change: { kind: 'update', to }, path: `/id/${entry.uid}`, method: 'PUT', body };
  }

  #delete(entry: Entry): Step {
    const gone = this.#mine.filter(({ path }) => path === entry.path || path.startsWith(`${entry.path}/`));
    const to = new Map<Entry, State>(gone.map((other) => [other, undefined]));
    return { change: { kind: 'delete', to }, path: `/id/${entry.uid}`, method: 'DELETE' };
  }

  /** What comes next, by chance: about half of it creates something. */
  next(): Step {
    const dice = randomInt(100);
    const file = one(this.#present(false));
    const folder = one(this.#present(true));
    if (dice < 35 && file) return this.#update(file);
    if (dice < 45 && file) return this.#delete(file);
    if (dice < 47 && folder) return this.#delete(folder);
    return this.#create(dice < 52);
  }
}
