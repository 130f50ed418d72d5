import { randomBytes, randomInt } from 'node:crypto';
import type { Change, Entry } from './ledger.ts';
import {
  type Content,
  checkedIn,
  copied,
  granted,
  isInTrash,
  isOut,
  moved,
  newState,
  type State,
  tagged,
  trashed,
  updated,
} from './state.ts';

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
  path: `/automation/${name}`,
  method: 'POST',
  body: { input: uid, params },
});

/** Trees of more documents are not copied, or there would soon be nothing else. */
const largestCopy = 20;

/** Thinks up one connection's worth of writing, in a folder of its own. */
export class Worker {
  readonly #folder: string;
  #mine: Entry[] = [];
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string, folder: string) {
    this.#prefix = prefix;
    this.#folder = folder;
  }

  /** What is there, in the trash or outside, and can be named by its id. */
  #present(isFolder: boolean, isTrashed = false): Entry[] {
    return this.#mine.filter(
      (entry) =>
        entry.isFolder === isFolder &&
        entry.uid !== undefined &&
        entry.acknowledged !== undefined &&
        isInTrash(entry.acknowledged) === isTrashed,
    );
  }

  /** A document that is there, and all below it. */
  #tree({ path }: Entry): Entry[] {
    return this.#mine.filter(
      (entry) =>
        entry.acknowledged !== undefined && (entry.path === path || entry.path.startsWith(`${path}/`)),
    );
  }

  /** A name that nothing else has. */
  #name(): string {
    this.#count += 1;
    return `${this.#prefix}-${this.#count}`;
  }

  /** Somewhere to put things: the folder of the worker, or one in it, though in none of these. */
  #place(others: readonly Entry[] = []): string {
    const folders = this.#present(true).filter((folder) => !others.includes(folder));
    return (randomInt(2) === 0 ? undefined : one(folders)?.path) ?? this.#folder;
  }

  #create(isFolder: boolean): Step {
    const name = this.#name();
    const above = isFolder ? this.#folder : this.#place();
    const contents = isFolder ? [] : newContents();
    const made: Entry = {
      path: `${above}/${name}`,
      isFolder,
      uid: undefined,
      acknowledged: undefined,
    };
    this.#mine.push(made);
    const given = isFolder ? { 'dc:title': name } : properties(name, contents);
    const type = isFolder ? 'Folder' : 'File';
    const body = { 'entity-type': 'document', type, name, properties: given };
    const to = new Map<Entry, State>([[made, newState(name, contents)]]);
    return { change: { kind: 'create', made, to }, path: `/path${above}`, method: 'POST', body };
  }

  #update(entry: Entry): Step {
    const contents = newContents();
    const title = `${entry.path} ${this.#name()}`;
    const to = this.#becomes(entry, (state) => updated(state, title, contents));
    const body = { 'entity-type': 'document', uid: entry.uid, properties: properties(title, contents) };
    return { change: { kind: 'update', to }, path: `/id/${entry.uid}`, method: 'PUT', body };
  }

  #becomes(entry: Entry, change: (state: string) => State): Map<Entry, State> {
    return new Map([[entry, change(entry.acknowledged ?? '')]]);
  }

  /** Another ACL: everything below a folder is pointed elsewhere with it. */
  #grant(entry: Entry): Step {
    const [user, permission] = [one(['members', 'administrators', 'Everyone']), one(['Read', 'Write'])];
    const to = this.#becomes(entry, (state) => granted(state, `${user}:${permission}`));
    const params = { user, permission, overwrite: true };
    return { change: { kind: 'grant', to }, ...operation('Document.AddACE', entry, params) };
  }

  #tag(entry: Entry): Step {
    const tag = `tag-${this.#name()}`;
    const to = this.#becomes(entry, (state) => tagged(state, tag));
    return { change: { kind: 'tag', to }, ...operation('Services.TagDocument', entry, { tags: tag }) };
  }

  #delete(entry: Entry): Step {
    const to = new Map<Entry, State>(this.#tree(entry).map((other) => [other, undefined]));
    return { change: { kind: 'delete', to }, path: `/id/${entry.uid}`, method: 'DELETE' };
  }

  #checkIn(entry: Entry): Step {
    const version = randomInt(3) === 0 ? 'major' : 'minor';
    const to = this.#becomes(entry, (state) => checkedIn(state, version));
    return { change: { kind: 'check in', to }, ...operation('Document.CheckIn', entry, { version }) };
  }

  /** The entries that a tree is to have elsewhere. */
  #elsewhere(tree: readonly Entry[], from: string, path: string, isCopy: boolean): Map<Entry, State> {
    const [change, to] = [isCopy ? copied : moved, new Map<Entry, State>()];
    for (const { acknowledged, isFolder, uid, path: before } of tree) {
      const place = path + before.slice(from.length);
      const entry: Entry = { path: place, isFolder, uid: isCopy ? undefined : uid, acknowledged: undefined };
      this.#mine.push(entry);
      to.set(entry, change(acknowledged ?? ''));
    }
    return to;
  }

  #copy(entry: Entry, tree: readonly Entry[]): Step {
    const [target, name] = [this.#place(tree), this.#name()];
    const to = this.#elsewhere(tree, entry.path, `${target}/${name}`, true);
    const made = [...to.keys()].find(({ path }) => path === `${target}/${name}`);
    return {
      change: { kind: 'copy', ...(made && { made }), to },
      ...operation('Document.Copy', entry, { target, name }),
    };
  }

  #move(entry: Entry, tree: readonly Entry[]): Step {
    const [target, name] = [this.#place(tree), this.#name()];
    const to = this.#elsewhere(tree, entry.path, `${target}/${name}`, false);
    for (const other of tree) to.set(other, undefined);
    return { change: { kind: 'move', to }, ...operation('Document.Move', entry, { target, name }) };
  }

  #trash(entry: Entry, tree: readonly Entry[], isTrashed: boolean): Step {
    const to = new Map<Entry, State>(
      tree.map((other) => [other, trashed(other.acknowledged ?? '', isTrashed, other === entry)]),
    );
    const [kind, name] = isTrashed
      ? (['trash', 'Document.Trash'] as const)
      : (['untrash', 'Document.Untrash'] as const);
    return { change: { kind, to }, ...operation(name, entry, {}) };
  }

  /** What is done to a document with all below it. */
  #withTree(entry: Entry): Step | undefined {
    const tree = this.#tree(entry);
    // What is in the trash is looked at by its id, and so is what comes into it.
    const isPlain = tree.every(
      ({ uid, acknowledged }) => uid !== undefined && !isInTrash(acknowledged ?? ''),
    );
    const kind = randomInt(3);
    if (kind === 0) return this.#move(entry, tree);
    if (!isPlain) return undefined;
    if (kind === 1) return this.#trash(entry, tree, true);
    return tree.length > largestCopy ? undefined : this.#copy(entry, tree);
  }

  /** Something out of the trash, that is in it by itself. */
  #restore(): Step | undefined {
    const inTrash = [...this.#present(false, true), ...this.#present(true, true)];
    const paths = new Set(inTrash.map(({ path }) => path));
    const entry = one(inTrash.filter(({ path }) => !paths.has(path.slice(0, path.lastIndexOf('/')))));
    return entry && this.#trash(entry, this.#tree(entry), false);
  }

  /** What comes next, by chance: every third step creates something. */
  next(): Step {
    this.#mine = this.#mine.filter(({ acknowledged }) => acknowledged !== undefined);
    const dice = randomInt(100);
    const file = one(this.#present(false));
    const folder = one(this.#present(true));
    if (dice < 25 && file) return this.#update(file);
    if (dice < 32 && file) return this.#delete(file);
    if (dice < 34 && folder) return this.#delete(folder);
    if (dice < 38 && folder) return this.#grant(folder);
    if (dice < 40 && file) return this.#grant(file);
    if (dice < 44 && file) return this.#tag(file);
    if (dice < 52 && file && isOut(file.acknowledged ?? '')) return this.#checkIn(file);
    const step =
      (dice < 57 && file && this.#withTree(file)) ||
      (dice < 63 && folder && this.#withTree(folder)) ||
      (dice < 68 && this.#restore());
    return step || this.#create(dice < 73);
  }
}
