import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { text } from '../texts/text.ts';
import { Button } from './button.tsx';
import { notify } from './notices.tsx';

/** The number of milliseconds for which the button shows that the text was copied. */
const shownFor = 2_000;

/** Copies a text without the clipboard API, which is available only over HTTPS and on localhost. */
function copyBySelection(value: string): boolean {
  const area = document.createElement('textarea');
  area.value = value;
  // An open dialog keeps the focus within itself, so the text area must be inside the dialog.
  (document.querySelector('[role=dialog]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}

/** Copies a text to the clipboard. @throws Error if the browser does not allow it */
export async function copyText(value: string): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(value).then(
    () => true,
    () => false,
  );
  if (!isCopied && !copyBySelection(value)) throw new Error(text('copy.failed'));
}

interface CopyButtonProps {
  readonly value: string;
  readonly label?: string;
}

/** A button that copies a text to the clipboard. */
export function CopyButton({ value, label = text('copy.text') }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const press = () =>
    copyText(value).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), shownFor);
      },
      (error: Error) => notify({ kind: 'failed', message: error.message }),
    );
  return (
    <Button icon={isCopied ? Check : Copy} onPress={() => void press()}>
      {isCopied ? text('copy.done') : label}
    </Button>
  );
}
