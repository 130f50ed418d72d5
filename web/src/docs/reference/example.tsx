import { type Addressed, type Description, type Parameter, resolved } from './description.ts';
import { addressOf, type Filled, filledExample, keyOf } from './request.ts';

interface ExampleProps extends Addressed {
  readonly description: Description;
  readonly parameters: readonly Parameter[];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** Returns the request line and headers of the example request. */
function headOf(addressed: Addressed, parameters: readonly Parameter[], filled: Filled): string {
  const headers = parameters
    .filter((each) => each.in === 'header' && filled.values[keyOf(each)])
    .map((each) => `${each.name}: ${filled.values[keyOf(each)]}`);
  const address = decodeURIComponent(addressOf(addressed, parameters, filled)).replaceAll('+', ' ');
  return [`${addressed.method.toUpperCase()} /${address}`, ...headers].join('\n');
}

function Answer({ description, operation }: Pick<ExampleProps, 'description' | 'operation'>) {
  const status = operation['x-example-status'] ?? 200;
  const response = operation.responses[status];
  const { description: says = '', content = {} } = response ? resolved(description, response) : {};
  const [type, shown] = Object.entries(content).find(([, { example }]) => example !== undefined) ?? [];
  const isFile = !shown && Object.keys(content).includes('*/*');
  return (
    <>
      <p>
        <strong>{status}</strong> <span className="hint">{type === '*/*' ? 'a file' : type}</span>
        {!shown && <span className="hint">{isFile ? 'the bytes of a file' : says}</span>}
      </p>
      {shown && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that keyboard users can scroll it
        <pre className="scrolling" tabIndex={0}>
          {textOf(shown.example)}
        </pre>
      )}
    </>
  );
}

/** Shows the example request and the response to it from a newly installed server. */
export function Example({ description, parameters, ...addressed }: ExampleProps) {
  const { operation } = addressed;
  const reason = operation['x-no-example'];
  const filled = filledExample(addressed, parameters);
  const isJson = Object.values(operation.requestBody?.content ?? {}).some(
    ({ example }) => example !== undefined,
  );
  return (
    <section aria-label="Example" className="example">
      <h2>Example</h2>
      {reason !== undefined && <p>There is no example. {reason}</p>}
      {reason === undefined && (
        <div className="exchange">
          <div>
            <h3>Request</h3>
            <pre>{headOf(addressed, parameters, filled)}</pre>
            {isJson && filled.body && <pre>{filled.body}</pre>}
            {filled.files.length > 0 && (
              <p className="hint">With {filled.files.map(({ name }) => name).join(', ')}</p>
            )}
          </div>
          <div>
            <h3>Response</h3>
            <Answer description={description} operation={operation} />
          </div>
        </div>
      )}
    </section>
  );
}
