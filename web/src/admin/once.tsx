import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';

interface OnceProps {
  readonly title: string;
  readonly value: string;
  readonly onClose: () => void;
}

/** A secret that is shown this once. */
export const Once = ({ title, value, onClose }: OnceProps) => (
  <Dialog title={title} onClose={onClose}>
    <p>{text('once')}</p>
    <pre className="code">{value}</pre>
    <footer className="dialog-foot">
      <Button kind="main" onPress={onClose}>
        {text('close')}
      </Button>
    </footer>
  </Dialog>
);
