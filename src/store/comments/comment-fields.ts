import { Invalid } from '../../errors.ts';
import type { CommentKind } from '../../model/comments/comment-tree.ts';
import { readDate } from '../../model/values/read-value.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { isUnset, type StoredProperties } from '../../model/values/stored.ts';

type Given = string | null | undefined;

/** What callers say of a comment; absent fields stay as they are. */
export interface CommentInput {
  readonly text?: Given;
  readonly creationDate?: Given;
  readonly modificationDate?: Given;
  readonly entityId?: Given;
  readonly origin?: Given;
  readonly entity?: Given;
  /** Of annotations. */
  readonly xpath?: Given;
}

interface Kept {
  readonly property: string;
  /** In characters. */
  readonly most: number;
}

const kept: Readonly<Record<Exclude<keyof CommentInput, 'creationDate' | 'modificationDate'>, Kept>> = {
  text: { property: 'comment:text', most: 100_000 },
  entityId: { property: 'externalEntity:entityId', most: 1_000 },
  origin: { property: 'externalEntity:origin', most: 1_000 },
  entity: { property: 'externalEntity:entity', most: 1_000_000 },
  xpath: { property: 'annotation:xpath', most: 1_000 },
};

export const isExternal = (properties: StoredProperties): boolean =>
  Object.keys(properties).some((xpath) => xpath.startsWith('externalEntity:') && !isUnset(properties[xpath]));

export const givenDate = (given: Given, name: string, now: string): string =>
  typeof given === 'string' ? readDate(given, name) : now;

/**
 * The properties of a comment after a change.
 * @throws Invalid for texts that are too long, and for a comment that says nothing.
 */
export function commentProperties(
  kind: CommentKind,
  given: CommentInput,
  before: StoredProperties = {},
): StoredProperties {
  requireStorable(given);
  const properties = { ...before };
  for (const [name, { property, most }] of Object.entries(kept)) {
    const value = given[name as keyof typeof kept];
    if (value === undefined || (name === 'xpath' && kind === 'Comment')) continue;
    if (value !== null && value.length > most)
      throw new Invalid(`${name}: ${value.length} characters, at most ${most}`);
    properties[property] = value;
  }
  const text = properties['comment:text'];
  const isBlank = typeof text !== 'string' || text.trim() === '';
  if (isBlank && isUnset(properties['externalEntity:entity']))
    throw new Invalid(`text: ${text === undefined || text === null ? 'is missing' : 'is blank'}`);
  if (kind === 'Annotation' && !properties['annotation:xpath']) throw new Invalid('xpath: is missing');
  return properties;
}
