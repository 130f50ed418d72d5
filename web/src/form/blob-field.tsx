import { Upload, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { FileTrigger, Group } from 'react-aria-components';
import { Button, IconButton } from '../parts/button.tsx';
import type { FieldProps } from '../parts/fields.tsx';
import { useAskBeforeLeaving } from '../parts/leaving.ts';
import { sizeText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { sendFile } from '../uploads/send-file.ts';

interface StoredBlob {
  readonly name?: string | null;
  readonly length?: string | number;
  readonly data?: string;
}

interface BlobFieldProps extends FieldProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/**
 * A field for a file. A chosen file is uploaded immediately, but is stored in the document only when the form is saved.
 */
export function BlobField({ label, error, value, onChange }: BlobFieldProps) {
  const [progress, setProgress] = useState<number>();
  const [fault, setFault] = useState('');
  const canceling = useRef<AbortController>(undefined);
  const blob = value as StoredBlob | null | undefined;
  // Other values in the form can change during an upload, so the callback from the render in which the upload started
  // may be outdated.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => canceling.current?.abort(), []);
  useAskBeforeLeaving(useId(), progress !== undefined);
  const choose = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    setFault('');
    setProgress(0);
    canceling.current = new AbortController();
    const { signal } = canceling.current;
    try {
      const batch = await sendFile(file, {
        signal,
        onSent: (sent) => setProgress(sent / Math.max(1, file.size)),
      });
      latest.current({ 'upload-batch': batch, 'upload-fileId': '0', name: file.name, length: file.size });
    } catch (failure) {
      if (!signal.aborted) setFault((failure as Error).message);
    }
    setProgress(undefined);
  };
  return (
    <Group className="field blob" aria-label={label} aria-busy={progress !== undefined}>
      <span className="label" aria-hidden>
        {label}
      </span>
      <div className="blob-row">
        <span className="ellipsis">
          {blob
            ? `${blob.name ?? text('form.unnamed')} · ${sizeText(Number(blob.length ?? 0))}`
            : text('form.noFile')}
        </span>
        <FileTrigger onSelect={(files) => void choose(files)}>
          <Button icon={Upload} isDisabled={progress !== undefined}>
            {progress === undefined
              ? text(blob ? 'form.replaceFile' : 'form.chooseFile')
              : `${Math.round(progress * 100)} %`}
          </Button>
        </FileTrigger>
        {progress !== undefined && (
          <IconButton label={text('form.cancelUpload')} icon={X} onPress={() => canceling.current?.abort()} />
        )}
        {blob && progress === undefined && (
          <IconButton label={text('form.removeFile')} icon={X} onPress={() => onChange(null)} />
        )}
      </div>
      {(error ?? fault) && (
        <p className="field-error" role="alert">
          {error ?? fault}
        </p>
      )}
    </Group>
  );
}
