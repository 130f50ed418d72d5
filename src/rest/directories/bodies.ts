import { z } from 'zod';
import { bodyReader, entityTypeShape, objectShape, optionalText, propertiesShape } from '../request/body.ts';

export const newEntry = bodyReader(
  objectShape('NewDirectoryEntry', {
    'entity-type': entityTypeShape('directoryEntry'),
    directoryName: optionalText,
    properties: propertiesShape,
  }),
  ({ directoryName, properties: given }) => ({ directoryName, properties: given ?? {} }),
);

const missing = 'an update must carry the id of the entry';

const id = z
  .union([z.string(), z.number().transform(String)], missing)
  .refine((text) => text.trim() !== '', missing);

export const changedEntry = bodyReader(
  objectShape('DirectoryEntryChange', {
    'entity-type': entityTypeShape('directoryEntry'),
    directoryName: optionalText,
    id,
    properties: propertiesShape,
  }),
  ({ properties: given, directoryName, id: own }) => ({ directoryName, id: own, properties: given ?? {} }),
);
