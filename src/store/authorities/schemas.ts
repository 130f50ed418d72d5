import { Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities.ts';
import type { Model, Schema } from '../../model/model.ts';
import { requireStorable } from '../../model/storable.ts';

const directories = { user: 'userDirectory', group: 'groupDirectory' } as const;

/** What users, or groups, have: the schema under bare names, as the entries of a directory have it. */
export function schemaOf(model: Model, kind: AuthorityKind): Schema {
  const directory = model.directories.get(directories[kind]);
  if (!directory) throw new Error(`the model has no ${directories[kind]}`);
  return directory.schema;
}

/** An index holds two ids side by side, and has room for so much. */
const longestId = 255;

/** @throws Invalid for what nobody can be called: nothing, blanks, or more than 255 characters. */
export function requireId(kind: AuthorityKind, id: string): void {
  requireStorable(id);
  if (id.trim() === '') throw new Invalid(`a ${kind} must have a name`);
  if ([...id].length > longestId) {
    throw new Invalid(`the name of a ${kind} has at most ${longestId} characters`);
  }
}
