import { refresh } from '../graphql/client.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';

interface ConfirmProps {
  readonly title: string;
  readonly question: string;
  readonly submit: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks the user to confirm a destructive action. */
export const Confirm = ({ title, question, submit, onConfirm, onClose }: ConfirmProps) => (
  <FormDialog
    title={title}
    submit={submit}
    isDangerous
    onSubmit={async () => {
      await onConfirm();
      await refresh();
    }}
    onClose={onClose}
  >
    <p>{question}</p>
  </FormDialog>
);

/** The texts of the question before an object is deleted. */
export const deletion = (name: string) => ({
  title: text('delete.title'),
  question: text('delete.named', { name }),
  submit: text('delete'),
});
