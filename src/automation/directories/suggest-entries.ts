import type { Context } from '../../loaders/context.ts';
import { sourceOf } from '../../loaders/directories/index.ts';
import type { StoredEntry } from '../../loaders/directories/source.ts';
import { renderEntry } from '../../model/directories/render-entry.ts';
import { type Language, labelText } from '../../model/labels.ts';
import type { Directory } from '../../model/model.ts';
import { mayAccessDirectory } from '../../security/directories.ts';
import { flag, integer, shortText, text } from '../params/kinds.ts';
import type { ParamValues } from '../params/param.ts';
import { labelLanguage } from './entry-labels.ts';

export const suggestionParams = {
  searchTerm: shortText.withDefault('', 'The beginning of the label.', { aliases: ['prefix'] }),
  localize: flag.withDefault(false, 'Whether labels that are message keys are translated.'),
  lang: text.optional('The language of the labels; defaults to the language of the request.'),
  dbl10n: flag.withDefault(false, 'Ignored: the directory defines whether labels depend on the language.'),
  labelFieldName: text.withDefault('label', 'The field that contains the label.'),
  canSelectParent: flag.withDefault(false, 'Whether entries with children can be selected.'),
  filterParent: flag.withDefault(false, 'Whether entries with children are also searched.'),
  keySeparator: text.withDefault('/', 'The separator between the ids in a computedId.'),
  absoluteLabelSeparator: text.withDefault('/', 'The separator between the labels in an absoluteLabel.'),
  displayObsoleteEntries: flag.withDefault(false, 'Whether obsolete entries are included.'),
  limit: integer.withDefault(-1, 'The maximum number of entries; unlimited if below 1.'),
  contains: flag.withDefault(
    false,
    'Whether to find labels that contain the search term, not only those that begin with it.',
  ),
  caseSensitive: flag.withDefault(false, 'Whether upper and lower case are distinguished.'),
};

type SuggestionCriteria = ParamValues<typeof suggestionParams>;

/**
 * The maximum number of entries that are read from a directory. If a directory is larger, only the entries that can
 * match the search term are read.
 */
const maxEntries = 10_000;

const maxDepth = 50;

interface Node {
  readonly entry: StoredEntry;
  readonly directory: Directory;
  readonly label: string;
  readonly children: Node[];
}

function labelOf(
  { schema }: Directory,
  { id, properties }: StoredEntry,
  { labelFieldName: field, localize, language }: SuggestionCriteria & { readonly language: Language },
): string {
  const name = [field, `${field}_${language}`, `${field}_en`].find((each) => schema.properties.has(each));
  const label = (name === undefined ? undefined : properties[name]) || id;
  return localize ? labelText(String(label), language) : String(label);
}

const isObsolete = ({ properties: { obsolete } }: StoredEntry): boolean =>
  typeof obsolete === 'number' && obsolete > 0;

async function nodesOf(
  { load, options }: Context,
  directory: Directory,
  search: SuggestionCriteria,
): Promise<Node[]> {
  const page = { filter: {}, limit: maxEntries, offset: 0, after: undefined };
  const term = search.searchTerm.trim();
  const whole = await load.directoryEntryPages(directory.name, page);
  // If a directory is its own parent, a matching entry can have ancestors that do not match, so the whole directory
  // is read.
  const isSearched = whole.total > maxEntries && term !== '' && directory.parent !== directory.name;
  const { entries } = isSearched
    ? await load.directoryEntryPages(directory.name, { ...page, containing: term })
    : whole;
  const labelled = { ...search, language: labelLanguage({ options }, search.lang) };
  return entries
    .filter((entry) => search.displayObsoleteEntries || !isObsolete(entry))
    .map((entry) => ({ entry, directory, label: labelOf(directory, entry, labelled), children: [] }));
}

function compareNodes(one: Node, other: Node): number {
  const [first, second] = [one, other].map(({ entry }) => Number(entry.properties.ordering ?? 10_000_000));
  return (
    (first ?? 0) - (second ?? 0) ||
    one.label.localeCompare(other.label) ||
    (one.entry.id < other.entry.id ? -1 : 1)
  );
}

/**
 * Adds each node to the children of its parent.
 * @returns the nodes whose parent is not in `parents`
 */
function attach(nodes: readonly Node[], parents: readonly Node[]): Node[] {
  const byId = new Map(parents.map((node) => [node.entry.id, node]));
  const roots: Node[] = [];
  for (const node of nodes) {
    const { parent: id } = node.entry.properties;
    const parent = typeof id === 'string' && id !== '' ? byId.get(id) : undefined;
    (parent && parent !== node ? parent.children : roots).push(node);
  }
  return roots;
}

/**
 * The entries of a directory, and the roots of the trees that contain them. The roots can be entries of parent
 * directories.
 */
interface Forest {
  readonly nodes: readonly Node[];
  readonly roots: readonly Node[];
}

function parentOf(
  { services: { model }, user }: Context,
  { parent: name }: Directory,
): Directory | undefined {
  const parent = name === undefined ? undefined : model.directories.get(name);
  return parent && mayAccessDirectory(user, parent) && sourceOf(parent.name) ? parent : undefined;
}

/**
 * @param seen the directories that have already been visited; needed because two directories can be each other's
 * parents
 */
async function forestOf(
  context: Context,
  directory: Directory,
  search: SuggestionCriteria,
  seen: readonly Directory[] = [],
): Promise<Forest> {
  const parent = parentOf(context, directory);
  const nodes = await nodesOf(context, directory, search);
  if (!parent || seen.includes(parent)) return { nodes, roots: nodes };
  if (parent === directory) return { nodes, roots: attach(nodes, nodes) };
  const above = await forestOf(context, parent, search, [...seen, directory]);
  return { nodes, roots: [...above.roots, ...attach(nodes, above.nodes)] };
}

interface Ancestors {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
}

const caseFolded = (label: string, { caseSensitive }: SuggestionCriteria): string =>
  caseSensitive ? label : label.toLowerCase();

export async function suggestEntries(
  context: Context,
  directory: Directory,
  search: SuggestionCriteria,
): Promise<Array<Record<string, unknown>>> {
  const term = caseFolded(search.searchTerm.trim(), search);
  let remaining = search.limit > 0 ? search.limit : Number.POSITIVE_INFINITY;

  const isLeaf = (node: Node): boolean => node.directory === directory && node.children.length === 0;

  function matches(node: Node): boolean {
    const { label, children } = node;
    if (!isLeaf(node) && !(search.filterParent && children.length > 0)) return false;
    const text = caseFolded(label, search);
    return search.contains ? text.includes(term) : text.startsWith(term);
  }

  function render(node: Node, ancestors: Ancestors): Record<string, unknown> | undefined {
    const { entry, label, directory: own } = node;
    if (ancestors.ids.length === maxDepth) return undefined;
    const here = { ids: [...ancestors.ids, entry.id], labels: [...ancestors.labels, label] };
    const isMatch = remaining > 0 && matches(node);
    if (isMatch) remaining -= 1;
    const children = renderAll(node.children, here);
    if (!isMatch && children.length === 0) return undefined;
    const properties = renderEntry(own, entry);
    const isSelectable = isLeaf(node) || search.canSelectParent;
    const { id: _, ...fields } = properties;
    return {
      ...fields,
      ...(isSelectable && { id: entry.id, computedId: here.ids.join(search.keySeparator) }),
      'entity-type': 'directoryEntry',
      directoryName: own.name,
      properties,
      displayLabel: label,
      absoluteLabel: here.labels.join(search.absoluteLabelSeparator),
      ...(children.length > 0 && { children }),
    };
  }

  function renderAll(nodes: readonly Node[], ancestors: Ancestors): Array<Record<string, unknown>> {
    return nodes
      .toSorted(compareNodes)
      .map((node) => render(node, ancestors))
      .filter((json) => json !== undefined);
  }

  const { roots } = await forestOf(context, directory, search);
  return renderAll(roots, { ids: [], labels: [] });
}
