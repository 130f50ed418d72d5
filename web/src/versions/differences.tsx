import { fieldLabel } from '../form/labels.ts';
import { text } from '../texts/text.ts';
import { type Change, changesBetween, type Part, type Properties } from './changes.ts';

/**
 * The number of characters above which a difference may need scrolling and must therefore be focusable by keyboard.
 */
const scrollingLength = 500;

function ShownPart({ kind, text: shown }: Part) {
  if (kind === 'removed') return <del>{shown}</del>;
  if (kind === 'added') return <ins>{shown}</ins>;
  return kind === 'gap' ? <span className="gap">{text('versions.gap')}</span> : shown;
}

/**
 * Shows the value of a property in two versions. If both values look the same, the property is a file whose content
 * differs.
 */
function ShownChange({ parts }: Change) {
  if (parts.every(({ kind }) => kind === 'same')) return text('versions.otherContent');
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity other than their position
  return parts.map((part, index) => <ShownPart key={index} {...part} />);
}

/** Shows word by word how the properties of two versions of a document differ. */
export function Differences({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const changes = changesBetween(before as Properties, after as Properties);
  if (changes.length === 0) return <p className="hint">{text('versions.same')}</p>;
  return (
    <dl className="differences">
      {changes.map((change) => {
        const length = change.parts.reduce((sum, part) => sum + part.text.length, 0);
        return (
          <div key={change.name}>
            <dt>{fieldLabel(change.name)}</dt>
            <dd tabIndex={length > scrollingLength ? 0 : undefined}>
              <ShownChange {...change} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
