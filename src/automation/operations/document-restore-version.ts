import { restoreVersion } from '../../store/restore-version.ts';
import { flag } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optionally } from '../params.ts';

/** A document becomes what a version of it is (§11). */
export const documentRestoreVersion = operation({
  id: 'Document.RestoreVersion',
  label: 'Restore Version',
  category: 'Document',
  description:
    'Gives the document of the input, a version, what the version holds, and answers the document.',
  kind: 'mutation',
  takes: ['document'],
  isForEach: true,
  gives: 'document',
  params: {
    createVersion: optionally(flag, false, 'Whether a version is made first of what is not checked in yet.'),
    checkout: optionally(flag, false, 'Whether the document is checked out afterwards.'),
  },
  run: async (context, version, params) => restoreVersion(context, version, params),
});
