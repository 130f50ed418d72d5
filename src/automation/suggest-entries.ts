import type { Context } from '../context.ts';
import { isServed } from '../directories/index.ts';
import type { Entry } from '../directories/source.ts';
import { type Language, labelText } from '../model/labels.ts';
import type { Directory } from '../model/model.ts';
import { showEntry } from '../model/show-entry.ts';
import { maySeeDirectory } from '../security/directories.ts';

/** What is looked for, and how it is shown. */
export interface Search {
  readonly searchTerm: string;
  readonly localize: boolean;
  readonly language: Language;
  readonly labelFieldName: string;
  readonly canSelectParent: boolean;
  readonly filterParent: boolean;
  readonly keySeparator: string;
  readonly absoluteLabelSeparator: string;
  readonly displayObsoleteEntries: boolean;
  /** Below 1 any number. */
  readonly limit: number;
  readonly contains: boolean;
  readonly caseSensitive: boolean;
}

/** Entries of a directory that are looked at: no vocabulary for people has more. */
const most = 10_000;

/** Levels of entries in entries that are shown. */
const deepest = 50;

/** An entry in the tree of its directories. */
interface Node {
  readonly entry: Entry;
  readonly directory: Directory;
  readonly label: string;
  readonly children: Node[];
}

function labelOf({ schema }: Directory, { id, properties }: Entry, search: Search): string {
  const { labelFieldName: field, language, localize } = search;
  const name = [field, `${field}_${language}`, `${field}_en`].find((each) => schema.properties.has(each));
  const label = (name === undefined ? undefined : properties[name]) || id;
  return localize ? labelText(String(label), language) : String(label);
}

const isObsolete = ({ properties: { obsolete } }: Entry): boolean =>
  typeof obsolete === 'number' && obsolete > 0;

async function nodesOf({ load }: Context, directory: Directory, search: Search): Promise<Node[]> {
  const wish = { filter: {}, limit: most, offset: 0, after: undefined };
  const { entries } = await load.directoryEntries(directory.name, wish);
  return entries
    .filter((entry) => search.displayObsoleteEntries || !isObsolete(entry))
    .map((entry) => ({ entry, directory, label: labelOf(directory, entry, search), children: [] }));
}

/** By what they say they are, then by label. */
function inOrder(one: Node, other: Node): number {
  const [first, second] = [one, other].map(({ entry }) => Number(entry.properties.ordering ?? 10_000_000));
  return (
    (first ?? 0) - (second ?? 0) ||
    one.label.localeCompare(other.label) ||
    (one.entry.id < other.entry.id ? -1 : 1)
  );
}

/** Puts entries below their parents, which may be in another directory; what has none there is a root. */
function below(parents: readonly Node[], nodes: readonly Node[]): Node[] {
  const known = new Map(parents.map((node) => [node.entry.id, node]));
  const roots: Node[] = [];
  for (const node of nodes) {
    const { parent: id } = node.entry.properties;
    const parent = typeof id === 'string' && id !== '' ? known.get(id) : undefined;
    (parent && parent !== node ? parent.children : roots).push(node);
  }
  return roots;
}

/** The entries of a directory, and the roots of the trees that they are in. */
interface Forest {
  readonly nodes: readonly Node[];
  readonly roots: readonly Node[];
}

/** The directory above, unless it is none that the caller sees. */
function parentOf({ model, user }: Context, { parent: name }: Directory): Directory | undefined {
  const parent = name === undefined ? undefined : model.directories.get(name);
  return parent && maySeeDirectory(user, parent) && isServed(parent.name) ? parent : undefined;
}

/**
 * The entries of a directory below their parents: its own, or those of its parent directory, and so on.
 * @param seen directories further down: nothing keeps two from being the parent of each other.
 */
async function forestOf(
  context: Context,
  directory: Directory,
  search: Search,
  seen: readonly Directory[] = [],
): Promise<Forest> {
  const parent = parentOf(context, directory);
  const nodes = await nodesOf(context, directory, search);
  if (!parent || seen.includes(parent)) return { nodes, roots: nodes };
  if (parent === directory) return { nodes, roots: below(nodes, nodes) };
  const above = await forestOf(context, parent, search, [...seen, directory]);
  return { nodes, roots: [...above.roots, ...below(above.nodes, nodes)] };
}

/** What stands above an entry: ids and labels, from the root down. */
interface Above {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
}

const folded = (label: string, { caseSensitive }: Search): string =>
  caseSensitive ? label : label.toLowerCase();

/** Suggests entries of a directory: those that fit, below what they are in. */
export async function suggestEntries(
  context: Context,
  directory: Directory,
  search: Search,
): Promise<Array<Record<string, unknown>>> {
  const term = folded(search.searchTerm.trim(), search);
  let left = search.limit > 0 ? search.limit : Number.POSITIVE_INFINITY;

  /** Whether it is an entry of the directory with nothing in it. */
  const isLeaf = (node: Node): boolean => node.directory === directory && node.children.length === 0;

  function fits(node: Node): boolean {
    const { label, children } = node;
    if (!isLeaf(node) && !(search.filterParent && children.length > 0)) return false;
    const text = folded(label, search);
    return search.contains ? text.includes(term) : text.startsWith(term);
  }

  function show(node: Node, above: Above): Record<string, unknown> | undefined {
    const { entry, label, directory: own } = node;
    if (above.ids.length === deepest) return undefined;
    const here = { ids: [...above.ids, entry.id], labels: [...above.labels, label] };
    const isFound = left > 0 && fits(node);
    if (isFound) left -= 1;
    const children = showAll(node.children, here);
    if (!isFound && children.length === 0) return undefined;
    const properties = showEntry(own, entry);
    const canBeChosen = isLeaf(node) || search.canSelectParent;
    const { id: _, ...fields } = properties;
    return {
      ...fields,
      ...(canBeChosen && { id: entry.id, computedId: here.ids.join(search.keySeparator) }),
      ...{ 'entity-type': 'directoryEntry', directoryName: own.name, properties },
      ...{ displayLabel: label, absoluteLabel: here.labels.join(search.absoluteLabelSeparator) },
      ...(children.length > 0 && { children }),
    };
  }

  function showAll(nodes: readonly Node[], above: Above): Array<Record<string, unknown>> {
    return nodes
      .toSorted(inOrder)
      .map((node) => show(node, above))
      .filter((shown) => shown !== undefined);
  }

  const { roots } = await forestOf(context, directory, search);
  return showAll(roots, { ids: [], labels: [] });
}
