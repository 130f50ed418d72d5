import { z } from 'zod';
import { bodyReader, entityTypeShape, objectShape, optionalText, propertiesShape } from '../request/body.ts';

const fields = {
  'entity-type': entityTypeShape('directoryEntry'),
  directoryName: optionalText,
  id: z.union([z.string(), z.number().transform(String)], 'is no id').nullish(),
  properties: propertiesShape,
};

const toEntry = ({ directoryName, id, properties }: z.output<z.ZodObject<typeof fields>>) => ({
  directoryName,
  id,
  properties: properties ?? {},
});

export const newEntry = bodyReader(objectShape('NewDirectoryEntry', fields), toEntry);

export const changedEntry = bodyReader(objectShape('DirectoryEntryChange', fields), toEntry);
