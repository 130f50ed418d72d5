import type { Increment } from '../../model/versioning.ts';
import { createVersion } from '../../store/check-in.ts';
import { oneOf } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally } from '../params.ts';
import { saveParam } from '../save-param.ts';

const increments = ['None', 'Minor', 'Major'] as const;

/** One more version of the input (§11). */
export const documentCreateVersion = operation({
  id: 'Document.CreateVersion',
  label: 'Create Version',
  category: 'Document',
  description: 'Makes a version of the input document, even if it is checked in, and answers the document.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    increment: optionally(
      oneOf(...increments),
      'None',
      'The number that is raised; with None there is no version.',
      {
        values: increments,
      },
    ),
    saveDocument: saveParam,
  },
  run: async (context, document, { increment }) =>
    createVersion(context, document, increment.toUpperCase() as Increment),
});
