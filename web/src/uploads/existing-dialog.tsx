import { useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { TitleList } from '../listing/title-list.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { type ExistingChoice, useExistingQuestion } from './uploads.ts';

const choices: ReadonlyArray<readonly [ExistingChoice, TextKey, TextKey]> = [
  ['version', 'upload.newVersion', 'upload.newVersionHint'],
  ['both', 'upload.keepBoth', 'upload.keepBothHint'],
  ['skip', 'upload.skip', 'upload.skipHint'],
];

/** Asks the user what to do with files whose names are already used by documents in the folder. */
export function ExistingDialog() {
  const question = useExistingQuestion();
  const [choice, setChoice] = useState<ExistingChoice>('version');
  if (!question) return null;
  const { documents, answer } = question;
  const title = text('upload.existing', { count: documents.length });
  return (
    <FormDialog
      title={title}
      submit={text('upload.continue')}
      onSubmit={async () => answer(choice)}
      onClose={() => answer('cancel')}
    >
      <TitleList rows={documents} />
      <RadioGroup
        className="field radios"
        value={choice}
        onChange={(chosen) => setChoice(chosen as ExistingChoice)}
        aria-label={title}
      >
        {choices.map(([id, label, hint]) => (
          <Radio key={id} value={id} className="radio">
            <span className="dot" aria-hidden />
            <span>
              {text(label)}
              <span className="hint">{text(hint)}</span>
            </span>
          </Radio>
        ))}
      </RadioGroup>
    </FormDialog>
  );
}
