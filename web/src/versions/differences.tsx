import { fieldLabel } from '../form/labels.ts';
import { text } from '../texts/text.ts';

type Properties = Readonly<Record<string, unknown>>;

/**
 * Properties that the comparison leaves out: the server changes them at every write, or other parts of the page show
 * them.
 */
const excluded = /^(dc:modified|dc:lastContributor|dc:contributors|uid:|common:|thumb:|relatedtext:)/;

/** Number of characters above which a difference may need scrolling, and so must be reachable by keyboard. */
const scrollingLength = 500;

interface Difference {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

function shortText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'object') return String(value);
  const { name } = value as { name?: unknown };
  return typeof name === 'string' ? name : JSON.stringify(value);
}

/** Two texts without the equal lines at their beginning and end; an ellipsis replaces those. */
function withoutSameLines(from: string, to: string): { from: string; to: string } {
  const before = from.split('\n');
  const after = to.split('\n');
  const maxEqual = Math.min(before.length, after.length) - 1;
  let start = 0;
  while (start < maxEqual && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < maxEqual - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const changed = (lines: readonly string[]) =>
    [...(start > 0 ? ['…'] : []), ...lines.slice(start, lines.length - end), ...(end > 0 ? ['…'] : [])].join(
      '\n',
    );
  return { from: changed(before), to: changed(after) };
}

/**
 * A text that is equal for equal values. It leaves out the addresses of files: these contain the id of the version, so
 * they would differ between versions although the bytes are the same.
 */
function comparable(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) =>
    key === 'data' || key === 'blobUrl' ? undefined : part,
  );
}

function differencesOf(before: Properties, after: Properties): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !excluded.test(name) && comparable(before[name]) !== comparable(after[name]))
    .map((name) => ({ name, ...withoutSameLines(shortText(before[name]), shortText(after[name])) }));
}

/** The differences between a version and the one before it; nothing for the first version. */
export function Differences({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  if (before === undefined) return null;
  const found = differencesOf(before as Properties, after as Properties);
  if (found.length === 0) return <p className="hint">{text('versions.same')}</p>;
  return (
    <dl className="differences">
      {found.map(({ name, from, to }) => (
        <div key={name}>
          <dt>{fieldLabel(name)}</dt>
          <dd tabIndex={from.length + to.length > scrollingLength ? 0 : undefined}>
            <del>{from}</del> <ins>{to}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
