import { Conflict } from '../errors.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import { defaults } from '../model/defaults.ts';
import { childPath } from '../model/names.ts';
import { administrator, type Scope } from '../scope.ts';
import { type Ace, local } from '../security/acl.ts';
import { setAces } from '../security/change-acls.ts';
import { changeAcls } from './change-acls.ts';
import { newRow } from './create-document.ts';
import { whenCreated } from './dublin-core.ts';
import { lockDocument } from './lock-document.ts';
import { insertDocument } from './write-document.ts';

/** A document that the server makes when it is first asked for. */
export interface OnDemand {
  /** The path of what it is in. */
  readonly parent: string;
  readonly name: string;
  readonly type: string;
  readonly title: string;
  /** Its local ACL. */
  readonly aces?: readonly Ace[];
}

const byPath = documentQuery('on-demand', 'WHERE d.repository = $1 AND d.path = $2 AND NOT d.is_version');

/** The document at a path, whoever may read it. */
export async function documentAtPath({ db, options }: Scope, path: string): Promise<DocumentRow | undefined> {
  return (await db.query<DocumentRow>(byPath, [options.repository, path]))[0];
}

/** The document that is wanted, if it is there. @throws Conflict when another one has its place. */
async function found(scope: Scope, { parent, name, type }: OnDemand): Promise<DocumentRow | undefined> {
  const path = childPath(parent, name);
  const row = await documentAtPath(scope, path);
  if (row && row.type !== type) throw new Conflict(`${path} is a ${row.type}, where a ${type} should be`);
  return row;
}

/** Inserts it; undefined when somebody else was quicker, and is done. */
async function inserted(server: Scope, wanted: OnDemand): Promise<DocumentRow | undefined> {
  const { parent, name, type, title, aces } = wanted;
  const above = await lockDocument(server, { path: parent }, { hold: 'SHARE', needs: 'AddChildren' });
  const properties = {
    ...defaults(server.model.schemasOf(type, [])),
    ...whenCreated(server.user, new Date().toISOString(), { 'dc:title': title }),
  };
  const row = newRow(above, { name, type, properties });
  if (!(await insertDocument(server, row))) return undefined;
  return aces ? changeAcls(server, { id: row.id }, setAces(local, aces)) : row;
}

/**
 * A document of the server's making: made in the caller's name, whatever the caller may do there, when it is not there
 * yet. Of many who ask for it at once one makes it, and the others wait for that.
 * @throws NotFound without the parent; Conflict when another document has its place.
 */
export async function provide(scope: Scope, wanted: OnDemand): Promise<DocumentRow> {
  const server = { ...scope, user: administrator(scope.user.id) };
  const row =
    (await found(scope, wanted)) ?? (await inserted(server, wanted)) ?? (await found(scope, wanted));
  if (!row) throw new Conflict(`${childPath(wanted.parent, wanted.name)} was deleted meanwhile; try again`);
  return row;
}
