import { Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
import type { Model, Schema } from '../../model/model.ts';
import { visibleName } from '../../model/names.ts';
import { hasMoreCharacters } from '../../model/values/characters.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { everyone, isGuest } from '../../security/acl.ts';

const directories = { user: 'userDirectory', group: 'groupDirectory' } as const;

/** The schema of users or groups. */
export function authoritySchema(model: Model, kind: AuthorityKind): Schema {
  const directory = model.directories.get(directories[kind]);
  if (!directory) throw new Error(`the model has no ${directories[kind]}`);
  return directory.schema;
}

/**
 * The maximum number of characters in an id. The limit is needed because the index entry for a membership contains two
 * ids and can have at most about 2,700 bytes.
 */
const maxId = 255;

/** Names with a special meaning in ACEs and logs. */
const reserved: ReadonlySet<string> = new Set([everyone, 'system']);

/**
 * Returns the id of a new user or group (§4.3, §4.4), trimmed and normalized to NFC.
 * @throws Invalid for an id that is blank, reserved, longer than 255 characters or contains a control character
 */
export function newAuthorityId(kind: AuthorityKind, name: string): string {
  requireStorable(name);
  const id = visibleName(name, kind === 'user' ? 'username' : 'id');
  if (id === '') throw new Invalid(`${kind === 'user' ? 'User' : 'Group'} MUST have a name`);
  if (hasMoreCharacters(id, maxId)) {
    throw new Invalid(`The name of a ${kind} can have at most ${maxId} characters.`);
  }
  if (reserved.has(id) || isGuest(id)) throw new Invalid(`"${id}" is a reserved name. Choose another one.`);
  return id;
}
