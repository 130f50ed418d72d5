import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog as AriaDialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { fieldErrors } from '../form/errors.ts';
import { text } from '../texts/text.ts';
import { Button, IconButton } from './button.tsx';
import { unfinished } from './unfinished.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: 'wide' | 'peek';
}

/**
 * A modal dialog that is open as long as it is rendered. Clicking outside does not close it, because the user's input
 * would be lost.
 */
export const Dialog = ({ title, onClose, children, size }: DialogProps) => (
  <ModalOverlay isOpen onOpenChange={(isOpen) => !isOpen && onClose()} className="overlay">
    <Modal className={size ? `modal ${size}` : 'modal'}>
      <AriaDialog className="dialog">
        <header className="dialog-head">
          <Heading slot="title">{title}</Heading>
          <IconButton label={text('close')} icon={X} onPress={onClose} />
        </header>
        {children}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);

interface FormDialogProps extends DialogProps {
  readonly submit: string;
  /** The label of the button that closes the dialog without submitting the form; "Cancel" by default. */
  readonly cancel?: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
}

/** Matches fields that the Tab key reaches. The button of a `Select` is its field. */
const fields =
  ':is(input:not([type=file], [type=hidden]), textarea, .select):not(:disabled, [tabindex="-1"])';

/**
 * A dialog with a form, whose first field has the focus. It closes once the form has been submitted successfully; otherwise it shows the error.
 */
export function FormDialog({
  submit,
  cancel = text('cancel'),
  onSubmit,
  isDangerous = false,
  isDisabled = false,
  children,
  ...props
}: FormDialogProps) {
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current?.contains(document.activeElement)) return;
    form.current?.querySelector<HTMLElement>(fields)?.focus();
  }, []);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    const open = unfinished(event.currentTarget as Element);
    setFault(open ?? '');
    if (open) return;
    setBusy(true);
    try {
      await onSubmit();
      props.onClose();
    } catch (error) {
      // Shows the messages for invalid values, which are also shown at their fields.
      setFault(Object.values(fieldErrors(error)).join(' ') || (error as Error).message);
      setBusy(false);
    }
  };
  return (
    <Dialog {...props}>
      <Form ref={form} onSubmit={(event) => void run(event)} className="form" validationBehavior="aria">
        {children}
        {fault && (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <footer className="dialog-foot">
          <Button onPress={props.onClose}>{cancel}</Button>
          <Button type="submit" kind={isDangerous ? 'danger' : 'main'} isDisabled={isDisabled || isBusy}>
            {submit}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
