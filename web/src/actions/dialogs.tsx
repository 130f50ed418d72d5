import type { ReactNode } from 'react';
import { ChooseFolder } from '../browse/choose-folder.tsx';
import { AddTags } from '../listing/add-tags.tsx';
import { SetProperty } from '../listing/set-property.tsx';
import { onFound, onRows, parentPath } from '../listing/target.ts';
import { TitleList } from '../listing/title-list.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { countText } from '../parts/time.tsx';
import { ShareDialog } from '../permissions/grant.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { type ActionDialog, close } from './open.ts';
import { Rename } from './rename.tsx';
import type { Subject } from './subject.ts';

interface ActionDialogsProps {
  readonly which: ActionDialog;
  readonly subject: Subject;
}

/** The dialog in which an action asks for more, such as the folder into which documents are moved. */
export function ActionDialogs({ which, subject }: ActionDialogsProps): ReactNode {
  const { documents, all, onDone } = subject;
  const [first] = documents;
  if (!first) return null;
  const target = all ? onFound(all.found) : onRows(documents);
  const run = async (work: () => Promise<unknown>) => {
    await work();
    onDone?.();
  };
  const choose = (title: string, work: (to: string) => Promise<unknown>) => (
    <ChooseFolder
      title={title}
      submit={title}
      path={all ? '/' : parentPath(first.path)}
      onChoose={(to) => run(() => work(to))}
      onClose={close}
    />
  );
  const confirm = (title: string, question: string, work: () => Promise<unknown>) => (
    <FormDialog title={title} submit={title} isDangerous onSubmit={() => run(work)} onClose={close}>
      <p>{question}</p>
      <TitleList rows={all ? [] : documents} />
    </FormDialog>
  );
  const count = all ? all.count : countText(documents.length);
  const question = (counted: TextKey, uncounted: TextKey) =>
    count === undefined ? text(uncounted) : text(counted, { count });
  const dialogs: Readonly<Record<ActionDialog, () => ReactNode>> = {
    share: () => <ShareDialog uid={first.uid} onClose={close} />,
    rename: () => <Rename document={first} onClose={close} />,
    tag: () => <AddTags onAdd={(tags) => run(() => target.tag(tags))} onClose={close} />,
    move: () => choose(text('move'), target.move),
    copy: () => target.copy && choose(text('copy'), target.copy),
    trash: () => confirm(text('trash'), question('bulk.trashQuestion', 'bulk.trashAll'), target.trash),
    delete: () => confirm(text('delete.title'), question('delete.question', 'bulk.deleteAll'), target.remove),
    set: () => <SetProperty onSet={(properties) => run(() => target.set(properties))} onClose={close} />,
  };
  return dialogs[which]();
}
