import { Eye } from 'lucide-react';
import { useState } from 'react';
import { DocumentFields } from '../form/document-fields.tsx';
import { useSchemas } from '../form/use-model.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';

interface PreviewProps {
  readonly type: string;
  readonly schemas: readonly string[];
}

/** The form for documents of a type with empty fields, which can be tried out. */
function Form({ schemas: names }: Pick<PreviewProps, 'schemas'>) {
  const schemas = useSchemas(names);
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  if (!schemas) return <Loading />;
  return (
    <div className={names.includes('note') ? 'form edit-form note-form' : 'form edit-form'}>
      <DocumentFields
        schemas={schemas}
        values={values}
        errors={{}}
        onChange={(field, value) => setValues((before) => ({ ...before, [field]: value }))}
      />
    </div>
  );
}

/** A button that shows the form for documents of a type. */
export function FormPreview({ type, schemas }: PreviewProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={Eye} onPress={() => setOpen(true)}>
        {text('model.form')}
      </Button>
      {isOpen && (
        <Dialog title={text('model.formOf', { type })} size="wide" onClose={() => setOpen(false)}>
          <p className="hint">{text('model.formHint')}</p>
          <Form schemas={schemas} />
        </Dialog>
      )}
    </>
  );
}
