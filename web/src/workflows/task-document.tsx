import { useAnswer } from '../graphql/client.ts';
import { documentPage } from '../graphql/operations.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { Viewer } from '../viewer/viewer.tsx';

/** Shows the document that a task is about, so that the user can read it while deciding. */
export function TaskDocument({ id }: { readonly id: string }) {
  const { data, error } = useAnswer(documentPage, { id });
  const document = data?.document;
  if (error) return <Failure error={error} />;
  if (!document) return <Loading />;
  return <Viewer document={document} />;
}
