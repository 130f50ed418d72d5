import type { Increment } from '../../../model/versioning.ts';
import { checkIn } from '../../../store/versions/check-in.ts';
import { InputValue } from '../../call.ts';
import { newLetter } from '../../call-example.ts';
import { setVariable } from '../../chains/variables.ts';
import { documentMutation } from '../../operation.ts';
import { longText, oneOf, text } from '../../params/kinds.ts';

const versions = ['none', 'minor', 'major'] as const;

export const documentCheckIn = documentMutation({
  id: 'Document.CheckIn',
  label: 'Check In',
  needs: 'WriteProperties',
  description:
    'Creates a version of the input document unless it is already checked in, and returns the document.',
  example: {
    before: [newLetter],
    input: '{letter}',
    params: { version: 'minor', comment: 'As it was sent' },
  },
  params: {
    version: oneOf(...versions).required('Which part of the version number is incremented.', {
      values: versions,
    }),
    comment: longText.optional('A comment on the version.'),
    versionVarName: text.optional('The variable of the chain to which the version is assigned.'),
  },
  run: async (context, document, { version, comment, versionVarName }, call) => {
    const row = await checkIn(context, document, { increment: version.toUpperCase() as Increment, comment });
    const { baseVersionId: id } = row;
    if (versionVarName !== undefined && id !== null)
      setVariable(call, versionVarName, new InputValue({ kind: 'document', value: { id } }));
    return row;
  },
});
