import { randomBytes, randomInt } from 'node:crypto';
import {
  type Change,
  type Content,
  type Entry,
  granted,
  newState,
  type State,
  tagged,
  updated,
} from './ledger.ts';

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

/** The request that has an operation done on a document. */
const operation = (name: string, { uid }: Entry, params: object) => ({
  ...{ path: `/automation/${name}`, method: 'POST', body: { input: uid, params } },
});

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

  /** A number that nothing else of this worker has. */
  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  #create(isFolder: boolean): Step {
    const name = `${this.#prefix}-${this.#next()}`;
    const parent = isFolder || randomInt(2) === 0 ? undefined : one(this.#present(true));
    const above = parent?.path ?? this.#folder;
    const contents = isFolder ? [] : newContents();
    const entry: Entry = {
      ...{ path: `${above}/${name}`, isFolder, uid: undefined, acknowledged: undefined },
    };
    this.#mine.push(entry);
    const given = isFolder ? { 'dc:title': name } : properties(name, contents);
    const type = isFolder ? 'Folder' : 'File';
    const body = { 'entity-type': 'document', type, name, properties: given };
    const to = new Map<Entry, State>([[entry, newState(name, contents)]]);
    return { change: { kind: 'create', to }, path: `/path${above}`, method: 'POST', body };
  }

  #update(entry: Entry): Step {
    const contents = newContents();
    const title = `${entry.path} ${this.#next()}`;
    const to = new Map<Entry, State>([[entry, updated(entry.acknowledged ?? '', title, contents)]]);
    const body = { 'entity-type': 'document', uid: entry.uid, properties: properties(title, contents) };
    return { change: { kind: 'update', to }, path: `/id/${entry.uid}`, method: 'PUT', body };
  }

  /** Another ACL: everything below a folder is pointed elsewhere with it. */
  #grant(entry: Entry): Step {
    const [user, permission] = [one(['members', 'administrators', 'Everyone']), one(['Read', 'Write'])];
    const to = new Map<Entry, State>([[entry, granted(entry.acknowledged ?? '', `${user}:${permission}`)]]);
    const params = { user, permission, overwrite: true };
    return { change: { kind: 'grant', to }, ...operation('Document.AddACE', entry, params) };
  }

  #tag(entry: Entry): Step {
    const tag = `tag-${this.#next()}`;
    const to = new Map<Entry, State>([[entry, tagged(entry.acknowledged ?? '', tag)]]);
    return { change: { kind: 'tag', to }, ...operation('Services.TagDocument', entry, { tags: tag }) };
  }

  #delete(entry: Entry): Step {
    const gone = this.#mine.filter(({ path }) => path === entry.path || path.startsWith(`${entry.path}/`));
    const to = new Map<Entry, State>(gone.map((other) => [other, undefined]));
    return { change: { kind: 'delete', to }, path: `/id/${entry.uid}`, method: 'DELETE' };
  }

  /** What comes next, by chance: four of ten create something. */
  next(): Step {
    const dice = randomInt(100);
    const file = one(this.#present(false));
    const folder = one(this.#present(true));
    if (dice < 35 && file) return this.#update(file);
    if (dice < 45 && file) return this.#delete(file);
    if (dice < 47 && folder) return this.#delete(folder);
    if (dice < 52 && folder) return this.#grant(folder);
    if (dice < 55 && file) return this.#grant(file);
    if (dice < 60 && file) return this.#tag(file);
    return this.#create(dice < 65);
  }
}
