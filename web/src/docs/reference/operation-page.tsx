import { Link, useParams } from 'react-router';
import { useTitle } from '../../app/title.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import {
  type Content,
  type Description,
  operationsIn,
  type Parameter,
  resolved,
  useDescription,
} from './description.ts';
import { Example } from './example.tsx';
import { Prose } from './prose.tsx';
import { SchemaView } from './schema-view.tsx';
import { TryIt } from './try-it.tsx';

interface ContentsProps {
  readonly description: Description;
  readonly content: Readonly<Record<string, Content>> | undefined;
}

const Contents = ({ description, content = {} }: ContentsProps) =>
  Object.entries(content).map(([type, { schema }]) => (
    <div key={type} className="content">
      <p className="hint">{type === '*/*' ? 'the bytes of a file' : type}</p>
      {schema && <SchemaView description={description} schema={schema} />}
    </div>
  ));

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }) {
  return (
    <dl className="properties">
      {parameters.map(({ name, in: place, description, required, schema }) => (
        <div key={`${place} ${name}`}>
          <dt>
            <code>{name}</code> <span className="hint">{place}</span>
            {required && <span className="hint"> required</span>}
          </dt>
          <dd>
            {description && <Prose text={description} />}
            {(schema.items ?? schema).enum && (
              <p className="hint">One of {(schema.items ?? schema).enum?.slice(0, 40).join(', ')}</p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The page for an operation. It shows an example, a form that sends a request, the parameters and the responses.
 */
export function OperationPage() {
  const { operationId } = useParams();
  const { data: description, error } = useDescription();
  useTitle(operationId ?? '');
  if (error) return <Failure error={error} />;
  if (!description) return <Loading />;
  const found = operationsIn(description).find(({ operation }) => operation.operationId === operationId);
  if (!found) return <h1>There is no operation {operationId}.</h1>;
  const { method, path, operation } = found;
  const parameters = operation.parameters.map((each) => resolved(description, each as Parameter));
  return (
    <article className="document">
      <p>
        <Link to="/reference">REST interface</Link>, {operation.tags.join(', ')}
      </p>
      <h1>{operation.summary}</h1>
      <p className="address">
        <span className={`method ${method}`}>{method}</span> <code>/api/v1{path}</code>
      </p>
      {operation.description && <Prose text={operation.description} />}
      <Example {...found} parameters={parameters} description={description} />
      <TryIt key={operationId} {...found} parameters={parameters} />
      <h2>Parameters and headers</h2>
      <Parameters parameters={parameters} />
      {operation.requestBody && <h2>Request body</h2>}
      <Contents description={description} content={operation.requestBody?.content} />
      <h2>Responses</h2>
      {Object.entries(operation.responses).map(([status, response]) => {
        const { description: says, content, headers = {} } = resolved(description, response);
        return (
          <details key={status} open={status.startsWith('2')}>
            <summary>
              {status} {says}
            </summary>
            {Object.entries(headers).map(([name, header]) => (
              <p key={name}>
                <code>{name}</code> {header.description}
              </p>
            ))}
            <Contents description={description} content={content} />
          </details>
        );
      })}
    </article>
  );
}
