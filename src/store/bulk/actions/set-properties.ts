import { z } from 'zod';
import { updateDocument } from '../../documents/update-document.ts';
import { changeAction } from '../bulk-action.ts';
import { updatePlainDocuments } from '../update-plain-documents.ts';

const shape = z
  .record(z.string(), z.unknown())
  .refine((properties) => Object.keys(properties).length > 0, 'at least one property is required');

export const setPropertiesAction = changeAction({
  name: 'setProperties',
  parameters: shape,
  run: (scope, id, properties) => updateDocument(scope, { id }, { properties }),
  runTogether: updatePlainDocuments,
});
