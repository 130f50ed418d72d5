import { z } from 'zod';
import { updateDocument } from '../../documents/update-document.ts';
import { changeAction } from '../bulk-action.ts';

const shape = z
  .record(z.string(), z.unknown())
  .refine((properties) => Object.keys(properties).length > 0, 'no properties are given');

/** A document takes the statements of a change of its own. */
export const setPropertiesAction = changeAction({
  name: 'setProperties',
  parameters: shape,
  run: (scope, id, properties) => updateDocument(scope, { id }, { properties }),
});
