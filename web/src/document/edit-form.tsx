import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { useSession } from '../app/session.ts';
import { type FieldErrors, fieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { formSections } from '../form/field-model.ts';
import { schemaLabel } from '../form/labels.ts';
import { useSchemas } from '../form/use-model.ts';
import { differing, withoutGaps } from '../form/values.ts';
import { Fault, refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { notify } from '../parts/notices.tsx';
import { Loading } from '../parts/states.tsx';
import { unfinished } from '../parts/unfinished.ts';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';
import { draftOf, keepDraft } from './drafts.ts';

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** A form with the fields of a document's schemas. It sends only the fields that the user has changed. */
export function EditForm({ document }: PartProps) {
  const { uid, changeToken } = document;
  const navigate = useNavigate();
  const schemas = useSchemas(document.schemas.map(({ name }) => name));
  const { user } = useSession();
  const key = `${user.id} ${uid}`;
  const [draft] = useState(() => draftOf(key));
  const [changed, setChanged] = useState(draft?.changed ?? {});
  const [errors, setErrors] = useState<FieldErrors>({});
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  // The document's change token at the time of the user's first change in this form. It is sent with the form, which
  // prevents overwriting changes that others make later.
  const [token, setToken] = useState(draft ? draft.token : changeToken);
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (!isBusy) (focused.current as HTMLElement | null)?.focus();
  }, [isBusy]);
  const stored = document.properties as Readonly<Record<string, unknown>>;
  useEffect(() => keepDraft(key, { token, changed }), [key, token, changed]);
  useEffect(
    () => () => {
      if (draftOf(key)) notify({ kind: 'note', message: text('form.unsaved') });
    },
    [key],
  );
  if (!schemas) return <Loading />;
  const values: Readonly<Record<string, unknown>> = { ...stored, ...changed };

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const open = unfinished(event.currentTarget);
    if (open) {
      setErrors({});
      setFault(open);
      return;
    }
    // A document may have been stored without a title, so the form rejects only the removal of a title.
    if ('dc:title' in changed && isBlank(changed['dc:title'])) {
      setErrors({ 'dc:title': text('form.titleMissing') });
      setFault(text('form.titleMissing'));
      event.currentTarget.querySelector('input')?.focus();
      return;
    }
    focused.current = event.currentTarget.querySelector(':focus'); // The form becomes inert while it is being sent, and an inert form loses the focus.
    setBusy(true);
    const properties = withoutGaps(changed);
    setChanged(properties);
    try {
      await send(updateDocument, { id: uid, document: { properties, changeToken: token } });
      keepDraft(key);
      await refresh();
      notify({ kind: 'done', message: text('done.saved') });
      void navigate(documentAddress(uid));
    } catch (error) {
      const isStale = error instanceof Fault && error.code === 'STALE';
      if (isStale) await refresh();
      setErrors(fieldErrors(error));
      setFault(isStale ? text('form.stale') : (error as Error).message);
      setBusy(false);
    }
  };
  const leave = () => {
    keepDraft(key);
    void navigate(documentAddress(uid));
  };
  const isChanged = Object.keys(changed).length > 0;
  const change = (field: string, value: unknown) => {
    if (!isChanged) setToken(changeToken);
    setChanged((before) => differing({ ...before, [field]: value }, stored));
  };
  return (
    <Form
      onSubmit={(event) => void save(event)}
      className="form edit-form"
      validationBehavior="aria"
      inert={isBusy}
    >
      {draft && <p className="banner">{text('form.restored')}</p>}
      {formSections(schemas).map(({ name, fields }) => (
        <section key={name} className="card">
          <h2>{schemaLabel(name)}</h2>
          <div className="form-grid">
            <Fields
              fields={fields}
              values={values}
              onChange={change}
              errors={errors}
              placeOf={(field) => field}
            />
          </div>
        </section>
      ))}
      <footer className="form-foot">
        {fault && (
          <p className="fault" role="alert">
            {Object.keys(errors).length > 0 ? text('form.invalid') : fault}
          </p>
        )}
        <Button onPress={leave}>{text('cancel')}</Button>
        <Button type="submit" kind="main" isDisabled={!isChanged || isBusy}>
          {text('save')}
        </Button>
      </footer>
    </Form>
  );
}
