import { restoreVersion } from '../../../store/versions/restore-version.ts';
import { letterWithVersion } from '../../call-example.ts';
import { documentMutation } from '../../operation.ts';
import { flag } from '../../params/kinds.ts';

export const documentRestoreVersion = documentMutation({
  id: 'Document.RestoreVersion',
  label: 'Restore Version',
  description: 'Restores a document to the input version, and returns the document.',
  example: {
    before: [
      ...letterWithVersion,
      { call: 'Document.GetLastVersion', input: '{letter}', gives: { version: 'uid' } },
    ],
    input: '{version}',
  },
  needs: 'WriteVersion',
  params: {
    createVersion: flag.withDefault(
      false,
      'Whether to create a version first if the document is checked out.',
    ),
    checkout: flag.withDefault(false, 'Whether the document is checked out afterwards.'),
  },
  run: restoreVersion,
});
