import type { PartProps } from '../document/document.ts';
import { documentLog } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { More } from '../parts/more.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { Comments } from './comments.tsx';
import { History } from './history.tsx';

function Log({ document: { uid } }: PartProps) {
  const pages = usePages(documentLog, { id: uid }, (data) => data.document.audit);
  return (
    <section className="card">
      <h2>{text('log')}</h2>
      {pages.error && <Failure error={pages.error} />}
      {pages.isLoading && <Loading />}
      <History entries={pages.entries} />
      <More pages={pages} />
    </section>
  );
}

/** Shows the comments on a document and the document's history. */
export const Activity = ({ document }: PartProps) => (
  <div className="columns">
    {document.facets.includes('Commentable') && <Comments document={document} />}
    <Log document={document} />
  </div>
);
