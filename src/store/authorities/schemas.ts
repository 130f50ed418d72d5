import { Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
import type { Model, Schema } from '../../model/model.ts';
import { visibleName } from '../../model/names.ts';
import { hasMoreCharacters } from '../../model/values/characters.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { everyone, isGuest } from '../../security/acl.ts';

const directories = { user: 'userDirectory', group: 'groupDirectory' } as const;

export function authoritySchema(model: Model, kind: AuthorityKind): Schema {
  const directory = model.directories.get(directories[kind]);
  if (!directory) throw new Error(`the model has no ${directories[kind]}`);
  return directory.schema;
}

/** Characters; an index entry of a membership holds two ids within about 2,700 bytes. */
const longestId = 255;

/** Names that are no accounts in ACEs and logs, as those of guests. */
const reserved: ReadonlySet<string> = new Set([everyone, 'system']);

/**
 * The id of a new user or group (§4.3, §4.4): in NFC, without blanks around it.
 * @throws Invalid for a blank id, for one with a control character or more than 255 characters, and for a reserved one.
 */
export function newAuthorityId(kind: AuthorityKind, given: string): string {
  requireStorable(given);
  const id = visibleName(given, kind === 'user' ? 'username' : 'id');
  if (id === '') throw new Invalid(`${kind === 'user' ? 'User' : 'Group'} MUST have a name`);
  if (hasMoreCharacters(id, longestId)) {
    throw new Invalid(`the name of a ${kind} has at most ${longestId} characters`);
  }
  if (reserved.has(id) || isGuest(id)) throw new Invalid(`"${id}" is a reserved name`);
  return id;
}
