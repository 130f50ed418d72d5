import type { PartProps } from '../document/document.ts';
import { documentLog } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';
import { Comments } from './comments.tsx';

function Log({ document: { uid } }: PartProps) {
  const pages = usePages(documentLog, { id: uid }, (data) => data.document.audit);
  return (
    <section className="card">
      <h2>{text('log')}</h2>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <ol className="timeline">
        {pages.entries.map(({ id, eventId, eventDate, principalName, comment }) => (
          <li key={id}>
            <div className="timeline-head">
              <strong>{textOr(`event.${eventId}`, eventId)}</strong>
              <span>
                <Person id={principalName} />
              </span>
              <Time at={eventDate} />
            </div>
            {comment && <p className="hint">{comment.startsWith('wf.') ? labelText(comment) : comment}</p>}
          </li>
        ))}
      </ol>
      <More pages={pages} />
    </section>
  );
}

/** The comments on a document and its history. */
export const Activity = ({ document }: PartProps) => (
  <div className="columns">
    {document.facets.includes('Commentable') && <Comments uid={document.uid} />}
    <Log document={document} />
  </div>
);
