import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';

interface SecretDialogProps {
  readonly title: string;
  readonly value: string;
  readonly onClose: () => void;
}

/** A dialog that shows a new secret. The server returns the secret only once. */
export const SecretDialog = ({ title, value, onClose }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text('secret.once')}</p>
    <pre className="code">{value}</pre>
    <footer className="dialog-foot">
      <CopyButton value={value} />
      <Button kind="main" onPress={onClose}>
        {text('close')}
      </Button>
    </footer>
  </Dialog>
);
