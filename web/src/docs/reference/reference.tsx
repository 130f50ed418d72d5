import { Link } from 'react-router';
import { useTitle } from '../../app/title.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { type Addressed, operationsIn, useDescription } from './description.ts';

/** Sorts calls of a document before those of its parts, whose addresses are longer. */
const byLength = (one: Addressed, other: Addressed): number =>
  one.path.split('/').length - other.path.split('/').length;

/** Lists all operations of the REST API, grouped by tag. */
export function Reference() {
  const { data: description, error } = useDescription();
  useTitle('REST interface');
  if (error) return <Failure error={error} />;
  if (!description) return <Loading />;
  const operations = operationsIn(description);
  return (
    <article className="document">
      <h1>REST interface</h1>
      <p>
        Every address below <code>/api/v1</code>. <Link to="/contract">The contract</Link> specifies each
        call, <Link to="/authentication">authentication</Link> who sends it, and{' '}
        <Link to="/errors">errors</Link> what is refused. Programs read <code>/api/v1/openapi.json</code>.
      </p>
      {description.tags.map(({ name, description: says }) => (
        <section key={name}>
          <h2 id={name}>{name}</h2>
          <p>{says}</p>
          <ul className="operations">
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .toSorted(byLength)
              .map(({ method, path, operation: { operationId, summary } }) => (
                <li key={operationId}>
                  <span className={`method ${method}`}>{method}</span>
                  <Link to={`/reference/${operationId}`}>{path}</Link>
                  <span className="hint">{summary}</span>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </article>
  );
}
