import { z } from 'zod';
import { entity, maybe, properties, reader } from '../body.ts';

/** §2.4: what an entry may be created from; all other fields of the entity are ignored. */
export const newEntry = reader(
  z
    .object(
      { 'entity-type': entity('directoryEntry'), directoryName: maybe, properties },
      'the body is no JSON object',
    )
    .meta({ title: 'NewDirectoryEntry' }),
  ({ directoryName, properties: given }) => ({ directoryName, properties: given ?? {} }),
);

const missing = 'an update must carry the id of the entry';

const id = z
  .union([z.string(), z.number().transform(String)], missing)
  .refine((text) => text.trim() !== '', missing);

/** §2.4: what an entry may be changed by; all other fields of the entity are ignored. */
export const changedEntry = reader(
  z
    .object(
      { 'entity-type': entity('directoryEntry'), directoryName: maybe, id, properties },
      'the body is no JSON object',
    )
    .meta({ title: 'DirectoryEntryChange' }),
  ({ properties: given, directoryName, id: own }) => ({ directoryName, id: own, properties: given ?? {} }),
);
