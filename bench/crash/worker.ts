import { searchPath } from './ask.ts';
import { newContents, properties } from './contents.ts';
import type { Entry } from './ledger.ts';
import type { Random } from './random.ts';
import { Review } from './reviews.ts';
import {
  checkedIn,
  copied,
  granted,
  isInTrash,
  isOut,
  moved,
  newState,
  type State,
  tagged,
  titleIn,
  trashed,
  updated,
} from './state.ts';
import { request, type Step } from './step.ts';
import { Upload } from './uploads.ts';

/** Creates a request that runs an operation on a document. */
const operation = (name: string, { uid }: Entry, params: object) =>
  request(`/automation/${name}`, 'POST', { input: uid, params });

/** The maximum number of documents in a tree that is copied. Larger copies would quickly fill the database. */
const maxCopiedDocuments = 20;

/**
 * Above this number of documents, every second step deletes some of them, because all documents are read after each
 * kill.
 */
const maxDocuments = 60;

/** Generates the requests of one connection, which writes to its own folder. */
export class Worker {
  readonly #folder: string;
  #mine: Entry[] = [];
  readonly #prefix: string;
  readonly #random: Random;
  #count = 0;
  #upload: Upload;
  #review: Review;

  constructor(prefix: string, folder: string, random: Random) {
    this.#prefix = prefix;
    this.#folder = folder;
    this.#random = random;
    this.#upload = this.#newUpload();
    this.#review = this.#newReview();
  }

  #newUpload(): Upload {
    return new Upload(`${this.#folder}/upload ${this.#name()}`, this.#random);
  }

  #newReview(): Review {
    return new Review(`${this.#folder}/${this.#name()}`, this.#random);
  }

  /** Returns the existing files or folders whose ids are known, either outside the trash or in it. */
  #present(isFolder: boolean, isTrashed = false): Entry[] {
    return this.#mine.filter(
      (entry) =>
        entry.isFolder === isFolder &&
        entry.uid !== undefined &&
        entry.acknowledged !== undefined &&
        isInTrash(entry.acknowledged) === isTrashed,
    );
  }

  /** Returns an existing document and all its descendants. */
  #tree({ path }: Entry): Entry[] {
    return this.#mine.filter(
      (entry) =>
        entry.acknowledged !== undefined && (entry.path === path || entry.path.startsWith(`${path}/`)),
    );
  }

  #name(): string {
    this.#count += 1;
    return `${this.#prefix}x${this.#count}`;
  }

  /** Returns the path of a random folder in which to put a document. @param others folders that must not be chosen */
  #place(others: readonly Entry[] = []): string {
    const folders = this.#present(true).filter((folder) => !others.includes(folder));
    return (this.#random.chance(2) ? undefined : this.#random.one(folders)?.path) ?? this.#folder;
  }

  #create(isFolder: boolean, upload?: Upload): Step {
    const name = this.#name();
    const above = isFolder ? this.#folder : this.#place();
    const contents = upload ? [upload.content] : isFolder ? [] : newContents(this.#random);
    const made: Entry = {
      path: `${above}/${name}`,
      sort: 'document',
      isFolder,
      uid: undefined,
      acknowledged: undefined,
    };
    this.#mine.push(made);
    const given = isFolder ? { 'dc:title': name } : properties(name, contents, upload);
    const type = isFolder ? 'Folder' : 'File';
    const body = { 'entity-type': 'document', type, name, properties: given };
    const to = new Map<Entry, State>([[made, newState(name, contents)]]);
    if (upload) to.set(upload.entry, undefined);
    const kind = upload ? 'attach' : 'create';
    return { change: { kind, made, to }, send: request(`/path${above}`, 'POST', body) };
  }

  #update(entry: Entry, upload?: Upload): Step {
    const contents = upload ? [upload.content] : newContents(this.#random);
    const title = this.#name();
    const to = this.#becomes(entry, (state) => updated(state, title, contents));
    if (upload) to.set(upload.entry, undefined);
    const body = {
      'entity-type': 'document',
      uid: entry.uid,
      properties: properties(title, contents, upload),
    };
    const kind = upload ? 'attach' : 'update';
    return { change: { kind, to }, send: request(`/id/${entry.uid}`, 'PUT', body) };
  }

  /** Returns the next step of an upload. The last step creates a document with the uploaded file. */
  #uploadOn(file: Entry | undefined): Step {
    const { entry } = this.#upload;
    const isTaken = entry.uid !== undefined && entry.acknowledged === undefined;
    if (isTaken) this.#upload = this.#newUpload();
    if (this.#upload.entry.acknowledged === undefined) return this.#upload.begin();
    const step = this.#upload.next();
    if (step) return step;
    return file && this.#random.chance(2)
      ? this.#update(file, this.#upload)
      : this.#create(false, this.#upload);
  }

  #reviewOn(): Step {
    const { uid, acknowledged } = this.#review.document;
    const isDeleted = uid !== undefined && acknowledged === undefined;
    if (isDeleted) this.#review = this.#newReview();
    return this.#review.next();
  }

  /** Creates a search for an acknowledged document by its title or its words. */
  #search({ uid, acknowledged }: Entry): Step {
    const title = titleIn(acknowledged ?? '');
    const condition = this.#random.chance(2) ? `dc:title = '${title}'` : `ecm:fulltext = '${title}'`;
    const query = `SELECT * FROM Document WHERE ${condition} AND ecm:isVersion = 0`;
    const check = (text: string) => {
      const { entries } = JSON.parse(text) as { entries: Array<{ uid: string }> };
      return entries.some((found) => found.uid === uid)
        ? undefined
        : `the search does not find ${uid}: ${query}`;
    };
    return { change: { kind: 'search', to: new Map() }, send: request(searchPath(query, 100), 'GET'), check };
  }

  #becomes(entry: Entry, change: (state: string) => State): Map<Entry, State> {
    return new Map([[entry, change(entry.acknowledged ?? '')]]);
  }

  /** Creates a request for a rendition of a stored file: its text or an archive. */
  #rendition({ uid }: Entry): Step {
    const path = this.#random.chance(2) ? '@convert?type=text/plain' : '@rendition/zipExport';
    return {
      change: { kind: 'rendition', to: new Map() },
      send: request(`/id/${uid}/${path}`, 'GET'),
      mayBeAbsent: true,
    };
  }

  /** Creates a request that changes a document's ACL and, with it, the effective ACLs of all descendants. */
  #grant(entry: Entry): Step {
    const [user, permission] = [
      this.#random.one(['members', 'administrators', 'Everyone']),
      this.#random.one(['Read', 'Write']),
    ];
    const to = this.#becomes(entry, (state) => granted(state, `${user}:${permission}`));
    const params = { user, permission, overwrite: true };
    return { change: { kind: 'grant', to }, send: operation('Document.AddACE', entry, params) };
  }

  #tag(entry: Entry): Step {
    const tag = `tag-${this.#name()}`;
    const to = this.#becomes(entry, (state) => tagged(state, tag));
    return { change: { kind: 'tag', to }, send: operation('Services.TagDocument', entry, { tags: tag }) };
  }

  #delete(entry: Entry): Step {
    const to = new Map<Entry, State>(this.#tree(entry).map((other) => [other, undefined]));
    return { change: { kind: 'delete', to }, send: request(`/id/${entry.uid}`, 'DELETE') };
  }

  #checkIn(entry: Entry): Step {
    const version = this.#random.chance(3) ? 'major' : 'minor';
    const to = this.#becomes(entry, (state) => checkedIn(state, version));
    return { change: { kind: 'check in', to }, send: operation('Document.CheckIn', entry, { version }) };
  }

  /** Returns the expected entries of a tree after it has been moved or copied. */
  #elsewhere(tree: readonly Entry[], from: string, path: string, isCopy: boolean): Map<Entry, State> {
    const [change, to] = [isCopy ? copied : moved, new Map<Entry, State>()];
    for (const { acknowledged, isFolder, uid, path: before } of tree) {
      const place = path + before.slice(from.length);
      const entry: Entry = {
        path: place,
        sort: 'document',
        isFolder,
        uid: isCopy ? undefined : uid,
        acknowledged: undefined,
      };
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
      send: operation('Document.Copy', entry, { target, name }),
    };
  }

  #move(entry: Entry, tree: readonly Entry[]): Step {
    const [target, name] = [this.#place(tree), this.#name()];
    const to = this.#elsewhere(tree, entry.path, `${target}/${name}`, false);
    for (const other of tree) to.set(other, undefined);
    return { change: { kind: 'move', to }, send: operation('Document.Move', entry, { target, name }) };
  }

  #trash(entry: Entry, tree: readonly Entry[], isTrashed: boolean): Step {
    const to = new Map<Entry, State>(
      tree.map((other) => [other, trashed(other.acknowledged ?? '', isTrashed, other === entry)]),
    );
    const [kind, name] = isTrashed
      ? (['trash', 'Document.Trash'] as const)
      : (['untrash', 'Document.Untrash'] as const);
    return { change: { kind, to }, send: operation(name, entry, {}) };
  }

  /** Creates a request that affects a document and all its descendants. */
  #withTree(entry: Entry): Step | undefined {
    const tree = this.#tree(entry);
    // Trashed documents are looked up by id, so a tree can be trashed only if all its ids are known.
    const isPlain = tree.every(
      ({ uid, acknowledged }) => uid !== undefined && !isInTrash(acknowledged ?? ''),
    );
    const kind = this.#random.number(3);
    if (kind === 0) return this.#move(entry, tree);
    if (!isPlain) return undefined;
    if (kind === 1) return this.#trash(entry, tree, true);
    return tree.length > maxCopiedDocuments ? undefined : this.#copy(entry, tree);
  }

  /** Creates a request that restores a document that was trashed itself rather than together with an ancestor. */
  #restore(): Step | undefined {
    const inTrash = [...this.#present(false, true), ...this.#present(true, true)];
    const paths = new Set(inTrash.map(({ path }) => path));
    const entry = this.#random.one(
      inTrash.filter(({ path }) => !paths.has(path.slice(0, path.lastIndexOf('/')))),
    );
    return entry && this.#trash(entry, this.#tree(entry), false);
  }

  /** Returns the next request, which is chosen at random. Every third request creates something. */
  next(): Step {
    this.#mine = this.#mine.filter(({ acknowledged }) => acknowledged !== undefined);
    const file = this.#random.one(this.#present(false));
    const folder = this.#random.one(this.#present(true));
    const special = this.#random.number(100);
    if (special < 12) return this.#uploadOn(file);
    if (special < 22) return this.#reviewOn();
    if (special < 28 && file) return this.#search(file);
    if (special < 34 && file) return this.#rendition(file);
    const surplus = this.#mine.length > maxDocuments && this.#random.chance(2) ? (folder ?? file) : undefined;
    if (surplus) return this.#delete(surplus);
    const dice = this.#random.number(100);
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
