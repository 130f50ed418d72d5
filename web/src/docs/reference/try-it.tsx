import { Send } from 'lucide-react';
import { type FormEvent, useContext, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { type Addressed, type Parameter, SignedInContext } from './description.ts';
import { type Filled, keyOf, type Shown, sendFilled } from './request.ts';
import { SignIn } from './sign-in.tsx';

interface TryItProps extends Addressed {
  readonly parameters: readonly Parameter[];
}

const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
};

/** The form begins with the example of the operation. */
const beginOf = ({ operation, parameters }: TryItProps): Filled => ({
  values: Object.fromEntries(parameters.map((each) => [keyOf(each), textOf(each.example)])),
  body: textOf(
    operation.requestBody?.content['application/json']?.example ?? (operation.requestBody ? {} : undefined),
  ),
  file: null,
});

const Answer = ({ status, headers, text, file, took }: Shown) => (
  <section aria-label="The answer" className="answer">
    <p role="status">
      <strong>{status}</strong> <span className="hint">in {Math.round(took)} ms</span>
    </p>
    <details>
      <summary>Headers</summary>
      <pre>{headers.join('\n')}</pre>
    </details>
    {text && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      <pre className="scrolling" tabIndex={0}>
        {text}
      </pre>
    )}
    {file && (
      <a href={URL.createObjectURL(file)} download>
        Save {file.size} bytes of {file.type || 'an unknown type'}
      </a>
    )}
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

/** A form that sends the operation, for users who have signed in. */
export function TryIt(props: TryItProps) {
  const { parameters, ...addressed } = props;
  const { isSignedIn, setSignedIn } = useContext(SignedInContext);
  const [filled, setFilled] = useState(() => beginOf(props));
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
                onChange={({ target }) => setFilled({ ...filled, file: target.files?.[0] ?? null })}
              />
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
          {addressed.method !== 'get' && (
            <p className="hint">It is sent to this server, and changes what it holds.</p>
          )}
        </Form>
      )}
      {shown && <Answer {...shown} />}
    </section>
  );
}
