import { Checkbox, Select, TextField } from '../parts/fields.tsx';
import { BlobField } from './blob-field.tsx';
import type { FieldModel } from './field-model.ts';
import { fieldLabel } from './labels.ts';
import { type FieldEditorProps, ListField } from './list-field.tsx';
import { ReferenceField } from './reference-field.tsx';

/** A text that is usually long. */
const isLong = ({ name }: FieldModel): boolean => /(^|:)(description|note|text|comment|rights)$/i.test(name);

/** In the time of the reader, as inputs of dates want it. */
function localTime(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const date = new Date(value);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const numberOf = (given: string): number | null => (given === '' ? null : Number(given));

/** A value with parts. */
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

/** An editor for one value of any type. */
function SingleField({ field, place, label, value, onChange, errors }: FieldEditorProps) {
  const common = { label, error: errors[place], isRequired: field.isRequired };
  const shown = value === null || value === undefined ? '' : String(value);
  if (field.kind === 'complex') return <ComplexField {...{ field, place, label, value, onChange, errors }} />;
  if (field.kind === 'blob') return <BlobField {...common} value={value} onChange={onChange} />;
  if (field.reference)
    return (
      <ReferenceField
        {...common}
        reference={field.reference}
        value={shown}
        onChange={(id) => onChange(id || null)}
      />
    );
  if (field.choices)
    return (
      <Select
        {...common}
        value={shown || null}
        onChange={onChange}
        options={field.choices.map((choice) => ({ id: choice, label: choice }))}
      />
    );
  if (field.kind === 'boolean')
    return <Checkbox label={label} isSelected={value === true} onChange={onChange} />;
  if (field.kind === 'date')
    return (
      <TextField
        {...common}
        type="datetime-local"
        value={localTime(value)}
        onChange={(given) => onChange(given === '' ? null : new Date(given).toISOString())}
      />
    );
  if (field.kind === 'long' || field.kind === 'double')
    return (
      <TextField
        {...common}
        type="number"
        step={field.kind === 'long' ? '1' : 'any'}
        value={shown}
        onChange={(given) => onChange(numberOf(given))}
      />
    );
  return (
    <TextField
      {...common}
      rows={isLong(field) ? (field.name === 'note:note' ? 12 : 3) : 1}
      value={shown}
      onChange={(given) => onChange(given === '' ? null : given)}
    />
  );
}

/** An editor for the whole value of a field. */
const Field = (props: FieldEditorProps) =>
  props.field.isList ? <ListField {...props} Item={SingleField} /> : <SingleField {...props} />;

interface FieldsProps extends Pick<FieldEditorProps, 'errors'> {
  readonly fields: readonly FieldModel[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly onChange: (name: string, value: unknown) => void;
  readonly placeOf: (name: string) => string;
}

/** Fields of one schema, or the parts of a complex value. */
export function Fields({ fields, values, onChange, errors, placeOf }: FieldsProps) {
  return fields.map((field) => (
    <Field
      key={field.name}
      field={field}
      place={placeOf(field.name)}
      label={fieldLabel(field.name)}
      value={values[field.name]}
      onChange={(value) => onChange(field.name, value)}
      errors={errors}
    />
  ));
}
