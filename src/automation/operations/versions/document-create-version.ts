import type { Increment } from '../../../model/versioning.ts';
import { createVersion } from '../../../store/versions/check-in.ts';
import { newLetter } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { oneOf } from '../../params/kinds.ts';
import { saveParam } from '../../params/shared-params.ts';

const increments = ['None', 'Minor', 'Major'] as const;

export const documentCreateVersion = documentMutation({
  id: 'Document.CreateVersion',
  label: 'Create Version',
  needs: 'WriteProperties',
  description: 'Creates a version of the input document, even if it is checked in, and returns the document.',
  example: { before: [newLetter], input: '{letter}', params: { increment: 'Minor' } },
  params: {
    increment: oneOf(...increments).withDefault(
      'None',
      'Which part of the version number is incremented; None creates no version.',
      {
        values: increments,
      },
    ),
    saveDocument: saveParam,
  },
  run: async (context, document, { increment }) =>
    createVersion(context, document, increment.toUpperCase() as Increment),
});
