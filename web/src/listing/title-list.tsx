import { text } from '../texts/text.ts';

/** The maximum number of titles that a confirmation lists. If there are more, it states how many. */
const maxTitles = 5;

interface Titled {
  readonly uid: string;
  readonly title: string;
}

/** Lists the titles of the documents to which an action applies. */
export function TitleList({ rows }: { readonly rows: readonly Titled[] }) {
  if (rows.length === 0) return null;
  return (
    <ul className="title-list">
      {rows.slice(0, maxTitles).map(({ uid, title }) => (
        <li key={uid}>{title}</li>
      ))}
      {rows.length > maxTitles && (
        <li className="hint">{text('selection.andMore', { count: rows.length - maxTitles })}</li>
      )}
    </ul>
  );
}
