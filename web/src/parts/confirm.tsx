import { refresh } from '../graphql/client.ts';
import { text } from '../texts/text.ts';
import { FormDialog } from './dialog.tsx';
import { notify } from './notices.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly question: string;
  readonly submit: string;
  /** The notification to show after the action. */
  readonly done?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks the user to confirm a destructive action. */
export const Confirm = ({ title, question, submit, done, onConfirm, onClose }: ConfirmProps) => (
  <FormDialog
    title={title}
    submit={submit}
    isDangerous
    onSubmit={async () => {
      await onConfirm();
      await refresh();
      if (done !== undefined) notify({ kind: 'done', message: done });
    }}
    onClose={onClose}
  >
    <p>{question}</p>
  </FormDialog>
);

/** Returns the texts of the dialog that asks for confirmation before an object is deleted. */
export const deletion = (name: string) => ({
  title: text('delete.title'),
  question: text('delete.named', { name }),
  submit: text('delete'),
});
