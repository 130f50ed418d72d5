import { z } from 'zod';
import { bodyReader, entityTypeShape, optionalText, propertiesShape } from '../request/body.ts';

export const newEntry = bodyReader(
  z
    .object(
      {
        'entity-type': entityTypeShape('directoryEntry'),
        directoryName: optionalText,
        properties: propertiesShape,
      },
      'the body is no JSON object',
    )
    .meta({ title: 'NewDirectoryEntry' }),
  ({ directoryName, properties: given }) => ({ directoryName, properties: given ?? {} }),
);

const missing = 'an update must carry the id of the entry';

const id = z
  .union([z.string(), z.number().transform(String)], missing)
  .refine((text) => text.trim() !== '', missing);

export const changedEntry = bodyReader(
  z
    .object(
      {
        'entity-type': entityTypeShape('directoryEntry'),
        directoryName: optionalText,
        id,
        properties: propertiesShape,
      },
      'the body is no JSON object',
    )
    .meta({ title: 'DirectoryEntryChange' }),
  ({ properties: given, directoryName, id: own }) => ({ directoryName, id: own, properties: given ?? {} }),
);
