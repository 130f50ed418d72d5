import type { RowFragment } from '../graphql/operations.ts';

interface Highlight {
  readonly field: string;
  readonly segments: readonly string[];
}

/** Returns the parts of a document that match a search; empty outside search results. */
const highlightsOf = ({ contextParameters }: RowFragment): readonly Highlight[] =>
  (contextParameters as { highlight?: readonly Highlight[] | null }).highlight ?? [];

/** Renders a part of a text that the server sends as HTML, in which matching words are enclosed in `<em>`. */
function Marked({ html }: { readonly html: string }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.childNodes].map(
    (node, index) =>
      // biome-ignore-start lint/suspicious/noArrayIndexKey: parts have no identity other than their position
      node.nodeName === 'EM' ? (
        <mark key={index}>{node.textContent}</mark>
      ) : (
        <span key={index}>{node.textContent}</span>
      ),
    // biome-ignore-end lint/suspicious/noArrayIndexKey: parts have no identity other than their position
  );
}

/** The title of a search result, in which matching words are highlighted. */
export function MarkedTitle({ row }: { readonly row: RowFragment }) {
  const segments = highlightsOf(row).find(({ field }) => field === 'dc:title')?.segments ?? [];
  // A long title may be sent as several segments; the words between them are missing.
  const [whole] = segments.length === 1 ? segments : [];
  const isWhole =
    whole !== undefined && whole.replaceAll(/<\/?em>|&#?\w+;/g, '').length >= row.title.length - 10;
  return isWhole ? <Marked html={whole} /> : row.title;
}

/**
 * Shows the text around the words that a search found in a document. Renders nothing if they occur only in the title.
 */
export function Snippet({ row }: { readonly row: RowFragment }) {
  const segments = highlightsOf(row)
    .filter(({ field }) => field !== 'dc:title')
    .flatMap((highlight) => highlight.segments);
  if (segments.length === 0) return null;
  return (
    <span className="snippet ellipsis">
      <Marked html={segments.join(' … ')} />
    </span>
  );
}
