import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Form } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { useSession } from '../app/session.ts';
import { DocumentFields } from '../form/document-fields.tsx';
import { type FieldErrors, fieldErrors } from '../form/errors.ts';
import { fieldLabel } from '../form/labels.ts';
import { useSchemas } from '../form/use-model.ts';
import { differing, isSame, withoutGaps } from '../form/values.ts';
import { Fault, refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button } from '../parts/button.tsx';
import { notify } from '../parts/notices.tsx';
import { Loading } from '../parts/states.tsx';
import { unfinished } from '../parts/unfinished.ts';
import { text } from '../texts/text.ts';
import { loadNames, useName } from '../values/names.ts';
import type { PartProps } from './document.ts';
import { draftOf, keepDraft } from './drafts.ts';

/** Whether two change tokens stand for the same content: their second halves count the changes by users. */
const isSameContent = (one: string | null, other: string | null): boolean =>
  one?.split('-')[1] === other?.split('-')[1];

const changedBy = (stored: Readonly<Record<string, unknown>>): string =>
  String(stored['dc:lastContributor'] ?? '');

interface ConflictProps {
  readonly fields: readonly string[];
  readonly user: string;
  /** Keeps the user's own values, which will overwrite those of the other user. */
  readonly onKeep: () => void;
  /** Shows the values of the other user. */
  readonly onTake: () => void;
}

/** Says that another user has saved other values for fields that the user is changing, and asks which to keep. */
function Conflict({ fields, user: id, onKeep, onTake }: ConflictProps) {
  const user = useName(id);
  return (
    <div className="banner conflict" role="alert">
      <p>{text('form.conflict', { user, fields: fields.map(fieldLabel).join(', ') })}</p>
      <Button onPress={onTake}>{text('form.takeTheirs', { user })}</Button>
      <Button onPress={onKeep}>{text('form.keepMine')}</Button>
    </div>
  );
}

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
  // Until the saved document is shown, the form still contains the changes, which are not a draft any more.
  const [isSaved, setSaved] = useState(false);
  // The document's change token at the time of the user's first change in this form. It is sent with the form, which
  // prevents overwriting changes that others make later.
  const [token, setToken] = useState(draft ? draft.token : changeToken);
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (!isBusy) (focused.current as HTMLElement | null)?.focus();
  }, [isBusy]);
  const stored = document.properties as Readonly<Record<string, unknown>>;
  const [base, setBase] = useState(draft?.base ?? {});
  useEffect(
    () => keepDraft(key, isSaved ? undefined : { token, changed, base }),
    [key, isSaved, token, changed, base],
  );
  const isChanged = !isSaved && Object.keys(changed).length > 0;
  const isBehind = isChanged && !isSameContent(token, changeToken);
  const conflicts = isBehind
    ? Object.keys(changed).filter(
        (field) => !isSame(base[field], stored[field]) && !isSame(changed[field], stored[field]),
      )
    : [];
  const isMerged = isBehind && conflicts.length === 0;
  useEffect(() => {
    // Others have changed other fields only, so both changes can be kept.
    if (!isMerged) return;
    setToken(changeToken);
    void loadNames([changedBy(stored)]).then(([user = '']) =>
      notify({ kind: 'note', message: text('form.merged', { user }) }),
    );
  }, [isMerged, changeToken, stored]);
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
      setSaved(true);
      keepDraft(key);
      await refresh();
      notify({ kind: 'done', message: text('done.saved') });
      void navigate(documentAddress(uid));
    } catch (error) {
      const isStale = error instanceof Fault && error.code === 'STALE';
      if (isStale) await refresh();
      setErrors(fieldErrors(error));
      setFault(isStale ? text('form.stale') : (error as Error).message);
      setSaved(false);
      setBusy(false);
    }
  };
  const leave = () => {
    keepDraft(key);
    void navigate(documentAddress(uid));
  };
  const change = (field: string, value: unknown) => {
    if (!isChanged) setToken(changeToken);
    if (!(field in changed)) setBase((known) => ({ ...known, [field]: stored[field] ?? null }));
    setChanged((before) => differing({ ...before, [field]: value }, stored));
  };
  return (
    <Form
      onSubmit={(event) => void save(event)}
      className={stored['note:note'] === undefined ? 'form edit-form' : 'form edit-form note-form'}
      validationBehavior="aria"
      inert={isBusy}
    >
      {draft && <p className="banner">{text('form.restored')}</p>}
      {conflicts.length > 0 && (
        <Conflict
          fields={conflicts}
          user={changedBy(stored)}
          onKeep={() => {
            setBase((known) => ({
              ...known,
              ...Object.fromEntries(conflicts.map((field) => [field, stored[field] ?? null])),
            }));
            setToken(changeToken);
          }}
          onTake={() => {
            setChanged((mine) =>
              Object.fromEntries(Object.entries(mine).filter(([field]) => !conflicts.includes(field))),
            );
            setToken(changeToken);
          }}
        />
      )}
      <DocumentFields schemas={schemas} values={values} errors={errors} onChange={change} />
      <footer className="form-foot">
        {fault && (
          <p className="fault" role="alert">
            {Object.keys(errors).length > 0 ? text('form.invalid') : fault}
          </p>
        )}
        {isChanged && <p className="hint draft-state">{text('form.draftKept')}</p>}
        <Button onPress={leave}>{text('cancel')}</Button>
        <Button type="submit" kind="main" isDisabled={!isChanged || isBusy || conflicts.length > 0}>
          {text('save')}
        </Button>
      </footer>
    </Form>
  );
}
