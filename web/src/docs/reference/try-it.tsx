import { Send } from 'lucide-react';
import { type FormEvent, useContext, useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { type Addressed, type Parameter, SignedInContext } from './description.ts';
import { type Filled, filledExample, keyOf, type Shown, sendFilled } from './request.ts';
import { SignIn } from './sign-in.tsx';

interface TryItProps extends Addressed {
  readonly parameters: readonly Parameter[];
}

function SaveFile({ file }: { readonly file: Blob }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return (
    <a href={address} download>
      Save {file.size} bytes of {file.type || 'an unknown type'}
    </a>
  );
}

const Answer = ({ status, headers, text, file, took }: Shown) => (
  <section aria-label="Response" className="answer">
    <p role="status">
      <strong>{status}</strong> <span className="hint">in {Math.round(took)} ms</span>
    </p>
    <details>
      <summary>Headers</summary>
      <pre>{headers.join('\n')}</pre>
    </details>
    {text && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll it
      <pre className="scrolling" tabIndex={0}>
        {text}
      </pre>
    )}
    {file && <SaveFile file={file} />}
  </section>
);

interface FieldsProps {
  readonly parameters: readonly Parameter[];
  readonly values: Filled['values'];
  readonly onChange: (values: Filled['values']) => void;
}

const Fields = ({ parameters, values, onChange }: FieldsProps) =>
  parameters.map((each) => (
    <TextField
      key={keyOf(each)}
      label={each.name}
      value={values[keyOf(each)] ?? ''}
      onChange={(value) => onChange({ ...values, [keyOf(each)]: value })}
      isRequired={each.required ?? false}
    />
  ));

/**
 * A form that sends a request for the operation to this server. Users who are not signed in are asked to sign in first.
 */
export function TryIt({ parameters, ...addressed }: TryItProps) {
  const { isSignedIn, setSignedIn } = useContext(SignedInContext);
  const [filled, setFilled] = useState(() => filledExample(addressed, parameters));
  const [shown, setShown] = useState<Shown>();
  const [fault, setFault] = useState('');
  const types = Object.keys(addressed.operation.requestBody?.content ?? {});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFault('');
    const answer = await sendFilled(addressed, parameters, filled).catch((error: Error) => error);
    if (answer instanceof Error) return setFault(answer.message);
    setShown(answer);
    if (answer.status.startsWith('401')) setSignedIn(false);
  };
  const fields = (isHeader: boolean) => ({
    parameters: parameters.filter((each) => (each.in === 'header') === isHeader),
    values: filled.values,
    onChange: (values: Filled['values']) => setFilled({ ...filled, values }),
  });
  return (
    <section className="try-it" aria-label="Try it">
      <h2>Try it</h2>
      {!isSignedIn && <SignIn />}
      {isSignedIn && (
        <Form onSubmit={(event) => void submit(event)} className="form" validationBehavior="aria">
          <Fields {...fields(false)} />
          <details>
            <summary>Headers</summary>
            <div className="form">
              <Fields {...fields(true)} />
            </div>
          </details>
          {types.includes('application/json') && (
            <TextField
              label="Body"
              value={filled.body}
              onChange={(body) => setFilled({ ...filled, body })}
              rows={Math.min(filled.body.split('\n').length + 1, 20)}
            />
          )}
          {types.some((type) => type !== 'application/json') && (
            <label className="field">
              File
              <input
                type="file"
                multiple={types.length > 1}
                onChange={({ target }) => setFilled({ ...filled, files: [...(target.files ?? [])] })}
              />
              {filled.files.length > 0 && (
                <span className="hint">Selected: {filled.files.map(({ name }) => name).join(', ')}</span>
              )}
            </label>
          )}
          {fault && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          <Button type="submit" kind="main" icon={Send}>
            Send {addressed.method.toUpperCase()}
          </Button>
          <p className="hint">The documents of the example may not exist on this server.</p>
          {addressed.method !== 'get' && (
            <p className="hint">This request changes the data of this server.</p>
          )}
        </Form>
      )}
      {shown && <Answer {...shown} />}
    </section>
  );
}
