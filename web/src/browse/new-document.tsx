import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type FieldErrors, fieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { editable, initialValues } from '../form/field-model.ts';
import { useSchemas } from '../form/use-model.ts';
import { withoutGaps } from '../form/values.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { createDocument, typeSchemas } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { text, textOr } from '../texts/text.ts';

interface NewDocumentProps {
  readonly parent: string;
  /** The types of documents that users can create in the parent. */
  readonly types: ReadonlyArray<{ readonly type: string; readonly facets: readonly string[] }>;
  readonly onClose: () => void;
}

/** The type that is offered first where it is allowed, because it is created most often. */
const usualType = 'Folder';

/** Returns the fields of a document type, excluding the title; undefined while they are being loaded. */
function useTypeFields(type: string) {
  const { data } = useAnswer(typeSchemas, { type }, { staleTime: Number.POSITIVE_INFINITY });
  const schemas = useSchemas(data?.docType.schemas.map(({ name }) => name) ?? []);
  return (
    data &&
    schemas &&
    editable(schemas)
      .flatMap(({ fields }) => fields)
      .filter(({ name }) => name !== 'dc:title')
  );
}

/**
 * A dialog that creates a document. The user chooses a type, and enters a title and the type's required fields.
 */
export function NewDocument({ parent, types, onClose }: NewDocumentProps) {
  const navigate = useNavigate();
  const [type, setType] = useState((types.find((each) => each.type === usualType) ?? types[0])?.type ?? '');
  const [title, setTitle] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const fields = useTypeFields(type);
  const required = fields?.filter(({ isRequired }) => isRequired) ?? [];
  const isFolder = types.find((each) => each.type === type)?.facets.includes('Folderish') ?? false;
  const create = async () => {
    // Empty fields are not sent, so they get their default values.
    const own = withoutGaps(
      Object.fromEntries(
        (fields ?? []).flatMap(({ name }) => {
          const value = values[name] ?? initialValues[name];
          return value == null ? [] : [[name, value]];
        }),
      ),
    );
    const document = { type, name: title, properties: { 'dc:title': title, ...own } };
    try {
      const { createDocument: created } = await send(createDocument, { parent, document });
      await refresh();
      if (!isFolder) void navigate(documentAddress(created.uid, 'edit'));
    } catch (error) {
      setErrors(fieldErrors(error));
      throw error;
    }
  };
  const options = types.map((each) => ({ id: each.type, label: textOr(`type.${each.type}`, each.type) }));
  return (
    <FormDialog
      title={text('browse.new')}
      submit={text('create')}
      onSubmit={create}
      onClose={onClose}
      isDisabled={title.trim() === '' || !fields}
    >
      <TextField label={text('column.title')} value={title} onChange={setTitle} isRequired />
      <Select label={text('column.type')} value={type} onChange={setType} options={options} />
      <Fields
        fields={required}
        values={values}
        onChange={(name, value) => setValues((known) => ({ ...known, [name]: value }))}
        errors={errors}
        placeOf={(name) => name}
      />
    </FormDialog>
  );
}
