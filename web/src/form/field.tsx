import { X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { IconButton } from '../parts/button.tsx';
import { Checkbox, Select } from '../parts/fields.tsx';
import { Loading } from '../parts/states.tsx';
import { text, textOr } from '../texts/text.ts';
import { BlobField } from './blob-field.tsx';
import type { FieldModel } from './field-model.ts';
import { fieldLabel } from './labels.ts';
import { type FieldEditorProps, ListField } from './list-field.tsx';
import type { Attachments } from './note-pictures.ts';
import { ReferenceField } from './reference-field.tsx';
import { DateField, NumberField, PlainField } from './typed-fields.tsx';

const NoteEditor = lazy(async () => ({ default: (await import('./note-editor.tsx')).NoteEditor }));

/** Guesses from a field's name whether its values are usually long. */
const isLong = ({ name }: FieldModel): boolean => /(^|:)(description|note|text|comment|rights)$/i.test(name);

/** An editor for a complex value. It consists of an editor for each part. */
function ComplexField({ field, place, label, value, onChange, errors }: FieldEditorProps) {
  const values = (value ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <fieldset className="fieldset">
      <legend>{label}</legend>
      <Fields
        fields={field.parts}
        values={values}
        onChange={(name, changed) => onChange({ ...values, [name]: changed })}
        errors={errors}
        placeOf={(name) => `${place}/${name}`}
      />
    </fieldset>
  );
}

/**
 * A select box with the allowed values. It also contains the current value, even if it is no longer allowed, and an
 * empty choice if the field is optional.
 */
function ChoiceField({ field, place, label, value, onChange, errors }: FieldEditorProps) {
  const shown = typeof value === 'string' ? value : '';
  const known = new Set([...(field.isRequired ? [] : ['']), ...(field.choices ?? []), shown]);
  if (field.isRequired && shown === '') known.delete('');
  return (
    <Select
      label={label}
      error={errors[place]}
      isRequired={field.isRequired}
      value={known.has(shown) ? shown : null}
      onChange={(chosen) => onChange(chosen || null)}
      options={[...known].map((id) => ({ id, label: textOr(`choice.${id}`, id || '–') }))}
    />
  );
}

/** A checkbox that is indeterminate while no value is set. For optional fields, a button clears the value. */
function BooleanField({ field, place, label, value, onChange, errors }: FieldEditorProps) {
  const isSet = typeof value === 'boolean';
  return (
    <div className="field boolean">
      <div className="boolean-row">
        <Checkbox label={label} isSelected={value === true} isIndeterminate={!isSet} onChange={onChange} />
        {isSet && !field.isRequired && !field.isList && (
          <IconButton label={`${text('form.unset')}: ${label}`} icon={X} onPress={() => onChange(null)} />
        )}
      </div>
      {errors[place] && (
        <p className="field-error" role="alert">
          {errors[place]}
        </p>
      )}
    </div>
  );
}

/** An editor for a single value of any type. */
function SingleField({ field, place, label, value, onChange, errors }: FieldEditorProps) {
  const common = { label, error: errors[place], isRequired: field.isRequired };
  if (field.kind === 'complex') return <ComplexField {...{ field, place, label, value, onChange, errors }} />;
  if (field.kind === 'blob') return <BlobField {...common} value={value} onChange={onChange} />;
  if (field.reference)
    return (
      <ReferenceField
        {...common}
        reference={field.reference}
        value={String(value ?? '')}
        onChange={(id) => onChange(id || null)}
      />
    );
  if (field.choices) return <ChoiceField {...{ field, place, label, value, onChange, errors }} />;
  if (field.kind === 'boolean') return <BooleanField {...{ field, place, label, value, onChange, errors }} />;
  const typed = { ...common, value, onChange };
  if (field.kind === 'date') return <DateField {...typed} />;
  if (field.kind === 'long' || field.kind === 'double')
    return <NumberField {...typed} isWhole={field.kind === 'long'} />;
  return <PlainField {...typed} rows={isLong(field) ? 3 : 1} />;
}

/** An editor for the text of a note, which is loaded when it is shown. */
const NoteField = ({ place, label, value, onChange, errors, format, attachments }: NoteFieldProps) => (
  <Suspense fallback={<Loading />}>
    <NoteEditor
      label={label}
      value={String(value ?? '')}
      format={format}
      error={errors[place]}
      onChange={onChange}
      attachments={attachments}
    />
  </Suspense>
);

interface NoteFieldProps extends FieldEditorProps {
  readonly format: string;
  readonly attachments: Attachments | undefined;
}

/** Returns the attachments of a note; undefined if its type has none. */
function attachmentsOf({
  values,
  onChange,
}: Pick<FieldsProps, 'values' | 'onChange'>): Attachments | undefined {
  const files = values['files:files'];
  if (!Array.isArray(files)) return undefined;
  const items = files as ReadonlyArray<{ readonly file?: { readonly name?: string | null } | null }>;
  return {
    names: items.map(({ file }) => file?.name ?? ''),
    add: (blobs) => onChange('files:files', [...items, ...blobs.map((file) => ({ file }))]),
  };
}

/** An editor for the value of a field. The value can be a list. */
const Field = (props: FieldEditorProps) =>
  props.field.isList ? <ListField {...props} Item={SingleField} /> : <SingleField {...props} />;

interface FieldsProps extends Pick<FieldEditorProps, 'errors'> {
  readonly fields: readonly FieldModel[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (name: string, value: unknown) => void;
  readonly placeOf: (name: string) => string;
}

/** Renders the editors for the fields of a schema, or for the parts of a complex value. */
export function Fields({ fields, values, onChange, errors, placeOf }: FieldsProps) {
  return fields.map((field) => {
    const props = {
      field,
      place: placeOf(field.name),
      label: fieldLabel(field.name),
      value: values[field.name],
      onChange: (value: unknown) => onChange(field.name, value),
      errors,
    };
    return field.name === 'note:note' ? (
      <NoteField
        key={field.name}
        {...props}
        format={String(values['note:mime_type'] ?? 'text/plain')}
        attachments={attachmentsOf({ values, onChange })}
      />
    ) : (
      <Field key={field.name} {...props} />
    );
  });
}
