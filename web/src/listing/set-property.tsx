import { useState } from 'react';
import { type FieldErrors, fieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { editable } from '../form/field-model.ts';
import { fieldLabel } from '../form/labels.ts';
import { useSchemas } from '../form/use-model.ts';
import { withoutGaps } from '../form/values.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { Select } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

interface SetPropertyProps {
  readonly onSet: (properties: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly onClose: () => void;
}

/**
 * A dialog that sets a property of many documents to the same value. It offers the Dublin Core properties, because
 * all documents have them.
 */
export function SetProperty({ onSet, onClose }: SetPropertyProps) {
  const fields = editable(useSchemas(['dublincore']) ?? []).flatMap((schema) => schema.fields);
  const [name, setName] = useState('dc:description');
  const [value, setValue] = useState<unknown>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const set = () =>
    onSet(withoutGaps({ [name]: value })).catch((error: unknown) => {
      setErrors(fieldErrors(error));
      throw error;
    });
  return (
    <FormDialog title={text('bulk.set')} submit={text('bulk.set')} onSubmit={set} onClose={onClose}>
      <Select
        label={text('bulk.property')}
        value={name}
        onChange={(chosen) => {
          setName(chosen);
          setValue(null);
        }}
        options={fields.map(({ name: id }) => ({ id, label: fieldLabel(id) }))}
      />
      <Fields
        fields={fields.filter((field) => field.name === name)}
        values={{ [name]: value }}
        onChange={(_, changed) => setValue(changed)}
        errors={errors}
        placeOf={(place) => place}
      />
    </FormDialog>
  );
}
