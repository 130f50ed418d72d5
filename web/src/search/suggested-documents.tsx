import { keepPreviousData } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { Link } from 'react-router';
import { useAnswer } from '../graphql/client.ts';
import { suggestions } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { text } from '../texts/text.ts';

/** The minimum number of typed characters before documents are suggested. */
const minTyped = 2;

const maxShown = 5;

interface Suggested {
  readonly type: string;
  readonly id: string;
  readonly label: string;
}

/** Finds documents whose titles match the typed text, including matches after the correction of a typo. */
export function useSuggestedDocuments(typed: string): readonly Suggested[] {
  const term = typed.trim();
  const enabled = term.length >= minTyped;
  const { data } = useAnswer(suggestions, { term }, { enabled, placeholderData: keepPreviousData });
  const found = (data?.searchSuggestersLauncher.json ?? []) as readonly Suggested[];
  return enabled ? found.filter(({ type }) => type === 'document').slice(0, maxShown) : [];
}

/** Links to documents whose titles match the typed text. */
export function SuggestedDocuments({ typed }: { readonly typed: string }) {
  const documents = useSuggestedDocuments(typed);
  if (documents.length === 0) return null;
  return (
    <nav aria-label={text('search.suggestions')}>
      <ul className="chips suggestions">
        {documents.map(({ id, label }) => (
          <li key={id}>
            <Link className="chip" to={documentAddress(id)}>
              <FileText size={14} aria-hidden /> {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
