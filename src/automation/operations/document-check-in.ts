import type { Increment } from '../../model/versioning.ts';
import { checkIn } from '../../store/check-in.ts';
import { oneOf, text } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

const versions = ['none', 'minor', 'major'] as const;

/** What the input is becomes a version (§11). */
export const documentCheckIn = operation({
  id: 'Document.CheckIn',
  label: 'Check In',
  category: 'Document',
  description: 'Checks the input document in, unless it is, and answers it; its state becomes a version.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    version: required(oneOf(...versions), 'The number that is raised.', { values: versions }),
    comment: optional(text, 'What is said of the version.'),
    versionVarName: optional(text, 'Taken, and of no use: nothing comes after this operation.'),
  },
  run: async (context, document, { version, comment }) =>
    checkIn(context, document, { increment: version.toUpperCase() as Increment, comment }),
});
