import { text, textOr } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { labelText } from './labels.ts';

/** A participant's opinion as recorded by the workflow. */
interface Opinion {
  readonly participant: string;
  readonly result: string;
  readonly comment?: string | null;
}

/** Lists the opinions that the participants of a review have given, with their comments. */
export function Opinions({ variables }: { readonly variables: unknown }) {
  const { review_result: opinions } = variables as { review_result?: readonly Opinion[] | null };
  if (!opinions || opinions.length === 0) return null;
  return (
    <section aria-label={text('tasks.opinions')} className="opinions">
      <h3>{text('tasks.opinions')}</h3>
      <ul>
        {opinions.map(({ participant, result, comment }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a participant may have given several opinions
          <li key={index}>
            <PersonAvatar id={participant} />{' '}
            <strong>
              <Person id={participant} />
            </strong>{' '}
            {textOr(`outcome.${result.toLowerCase()}`, text('outcome.other', { action: labelText(result) }))}
            {comment && <blockquote>{comment}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  );
}
