import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { type FieldErrors, fieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { editable, inOrder } from '../form/field-model.ts';
import { schemaLabel } from '../form/labels.ts';
import { useSchemas } from '../form/use-model.ts';
import { refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { notify } from '../parts/notices.tsx';
import { Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';

/** A form of the fields that the schemas of the document have; only what was changed is sent. */
export function EditForm({ document }: PartProps) {
  const { uid, changeToken } = document;
  const navigate = useNavigate();
  const schemas = useSchemas(document.schemas.map(({ name }) => name));
  const [changed, setChanged] = useState<Readonly<Record<string, unknown>>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  // Of when the form was opened: a change that was made since is not written over.
  const [token] = useState(changeToken);
  if (!schemas) return <Loading />;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await send(updateDocument, { id: uid, document: { properties: changed, changeToken: token } });
      await refresh();
      notify({ kind: 'done', message: text('done.saved') });
      void navigate(documentAddress(uid));
    } catch (error) {
      setErrors(fieldErrors(error));
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  const values = { ...(document.properties as Record<string, unknown>), ...changed };
  const isChanged = Object.keys(changed).length > 0;
  return (
    <Form onSubmit={(event) => void save(event)} className="form edit-form" validationBehavior="aria">
      {fault && (
        <p className="fault" role="alert">
          {Object.keys(errors).length > 0 ? text('form.invalid') : fault}
        </p>
      )}
      {inOrder(editable(schemas)).map(({ name, fields }) => (
        <section key={name} className="card">
          <h2>{schemaLabel(name)}</h2>
          <div className="form-grid">
            <Fields
              fields={fields}
              values={values}
              onChange={(field, value) => setChanged((before) => ({ ...before, [field]: value }))}
              errors={errors}
              placeOf={(field) => field}
            />
          </div>
        </section>
      ))}
      <footer className="form-foot">
        <Button onPress={() => void navigate(documentAddress(uid))}>{text('cancel')}</Button>
        <Button type="submit" kind="main" isDisabled={!isChanged || isBusy}>
          {text('save')}
        </Button>
      </footer>
    </Form>
  );
}
