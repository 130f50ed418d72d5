import type { DocumentType } from '../../src/model/model.ts';
import { filled } from '../../src/openapi/examples/example.ts';
import { type Filling, fillings, type Kind, propertyFillings, type Size } from './fillings.ts';
import { type Argument, type Target, targets } from './targets.ts';

/**
 * A request in which one argument of a target contains a test value that fills the body up to its size limit.
 */
export interface Attack {
  /** The unique name, such as `Document.Update params.properties: lines of name=value`. */
  readonly name: string;
  readonly target: Target;
  readonly path: readonly string[];
  readonly filling: Filling;
  /** Whether the document in the request belongs to a user other than the hostile one. */
  readonly isElsewhere?: true;
}

/**
 * The number of alternating test values for each argument, in addition to the values that every argument of its kind
 * gets.
 */
const inTurn = 1;

/** Distributes the alternating test values of each kind among the arguments. */
class Turns {
  private readonly next = new Map<string, number>();

  take(name: string, all: readonly Filling[], count: number): Filling[] {
    const at = this.next.get(name) ?? 0;
    this.next.set(name, at + count);
    return Array.from(
      { length: Math.min(count, all.length) },
      (_, index) => all[(at + index) % all.length] as Filling,
    );
  }
}

const isProperties = ({ path }: Argument): boolean => path.at(-1) === 'properties' || path.at(-1) === 'value';

/** The targets for which each document property is tested separately. */
const writesDocuments: ReadonlySet<string> = new Set(['createDocumentById', 'Document.Update']);

interface Choice {
  /** The document types whose properties are tested. */
  readonly types: readonly DocumentType[];
  /** Whether every argument is tested with every test value, which takes hours. */
  readonly isComplete?: boolean;
}

/** Chooses the test values of a kind for an argument. */
function chosen(
  { isShared, ...argument }: Argument,
  kind: Kind,
  turns: Turns,
  { isComplete }: Choice,
): Filling[] {
  const all = fillings[kind];
  if (isComplete) return [...all];
  if (isShared) return turns.take(`shared ${kind}`, all, 1);
  const [usual, others] = [all.filter(({ isForAll }) => isForAll), all.filter(({ isForAll }) => !isForAll)];
  const forExample = others.filter(
    ({ usesExample, name }) => usesExample && argument.path.at(-1) === 'query' && /query/.test(name),
  );
  return [...usual, ...turns.take(kind, others, inTurn), ...forExample];
}

const attack = (target: Target, path: readonly string[], filling: Filling): Attack => ({
  name: `${target.name} ${path.join('.') || 'body'}: ${filling.name}`,
  target,
  path,
  filling,
});

/** Creates all attacks, always in the same order. */
export function attacks(choice: Choice): Attack[] {
  const turns = new Turns();
  const ofProperties = propertyFillings(choice.types);
  const all = targets().flatMap((target) => {
    const own = target.arguments.flatMap((argument) => {
      const { path, kinds } = argument;
      const some = kinds.flatMap((kind) => chosen(argument, kind, turns, choice));
      const deep = isProperties(argument) && kinds.includes('map');
      const isEvery = choice.isComplete || writesDocuments.has(target.name);
      const known = deep ? turns.take('properties', ofProperties, isEvery ? ofProperties.length : 3) : [];
      return [...some, ...known].map((filling) => attack(target, path, filling));
    });
    const [first] = own;
    const isAddressed = first && target.family !== 'GraphQL mutations';
    return isAddressed
      ? [...own, { ...first, name: `${first.name}, elsewhere`, isElsewhere: true as const }]
      : own;
  });
  const byName = new Map(all.map((each) => [each.name, each]));
  return [...byName.values()];
}

const marker = '@@filling@@';

type Json = Record<string, unknown>;

/** Puts a marker at a path in a body. @returns the new body, and the value that the marker replaced */
function marked(body: unknown, path: readonly string[], kind: Kind): { value: unknown; was: unknown } {
  const [name, ...rest] = path;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (name === undefined) {
    return { was: body, value: kind === 'map' ? { ...(isObject && (body as Json)), [marker]: 0 } : marker };
  }
  const fields = isObject ? (body as Json) : {};
  const inner = marked(fields[name], rest, kind);
  return { was: inner.was, value: { ...fields, [name]: inner.value } };
}

/**
 * The number of bytes reserved for the rest of a body is rounded up to a multiple of this number, so that most bodies
 * can share cached test values.
 */
const surroundings = 4_096;

/** The maximum number of bytes in the name of a tested property. */
const maxNameBytes = 256;

/**
 * Creates the JSON body of an attack. Returns undefined if the test value cannot be made from the example.
 */
export function bodyOf(
  { target, path, filling }: Attack,
  size: Size,
  named: (name: string) => string,
): readonly Buffer[] | undefined {
  const example = filled(target.example.body ?? {}, named);
  const { value, was } = marked(example, path, filling.kind);
  const json = JSON.stringify(value);
  const place = filling.kind === 'map' ? `"${marker}":0` : `"${marker}"`;
  const at = json.indexOf(place);
  const around = Math.ceil((Buffer.byteLength(json) + maxNameBytes) / surroundings) * surroundings;
  const content = filling.make({ ...size, bytes: size.bytes - around }, was);
  if (!content) return undefined;
  return [Buffer.from(json.slice(0, at)), ...content, Buffer.from(json.slice(at + place.length))];
}
