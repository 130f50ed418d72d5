import { useState } from 'react';
import { FormDialog } from '../parts/dialog.tsx';
import { FolderTree } from './folder-tree.tsx';

interface ChooseFolderProps {
  readonly title: string;
  readonly submit: string;
  /** The path of the folder that is selected initially. */
  readonly path: string;
  readonly onChoose: (path: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function ChooseFolder({ title, submit, path, onChoose, onClose }: ChooseFolderProps) {
  const [chosen, setChosen] = useState(path);
  return (
    <FormDialog title={title} submit={submit} onSubmit={() => onChoose(chosen)} onClose={onClose}>
      <div className="choose-folder">
        <FolderTree label={title} value={chosen} onChoose={setChosen} />
      </div>
      <p className="hint">{chosen}</p>
    </FormDialog>
  );
}
