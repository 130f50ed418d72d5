import fc from 'fast-check';
import { operations } from '../../src/automation/index.ts';
import type { Param } from '../../src/automation/params/param.ts';
import type { Route } from '../../src/rest/route.ts';
import { anything, text } from './texts.ts';

/** Rows of operations are many and alike, so their kind is chosen as often as others, not each row. */
export const isCall = ({ path }: Pick<Route, 'path'>): boolean =>
  /\/automation\/|\/(@op|execute)\//.test(path);

/** Generates mostly the first, sometimes the second. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: other });

const name = fc.constantFrom('ID-0', 'ID-1', 'PATH-2', 'doc:ID-3', 'doc:PATH-4', '/nosuch', '/');

const input: fc.Arbitrary<unknown> = mostly<unknown>(
  fc.oneof(
    { weight: 5, arbitrary: name },
    { weight: 1, arbitrary: fc.array(name, { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('docs:ID-5,ID-6', null, { 'entity-type': 'document', uid: 'ID-7' }),
    },
  ),
  fc.oneof(anything, text),
);

/** Words with a meaning in some operation. */
const words: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  type: fc.constantFrom('File', 'Folder', 'Note', 'Nosuch'),
  permission: fc.constantFrom('Read', 'Everything', 'Write', 'Fly'),
  user: fc.constantFrom('Administrator', 'members', 'ann', 'Everyone'),
  username: fc.constantFrom('Administrator', 'members', 'ann', 'Everyone'),
  directoryName: fc.constantFrom(
    'nature',
    'country',
    'l10nsubjects',
    'oauth2Clients',
    'userDirectory',
    'nosuch',
  ),
  propertiesBehaviors: fc.constantFrom('dc:subjects=append_excluding_duplicates', 'dc:title=replace', {}),
  properties: fc.constantFrom<unknown>(
    'dc:title=A\ndc:subjects=art,society',
    'dc:description=one\\\ntwo',
    'file:content={"content": "x"}',
    { 'dc:title': 'B', 'dc:subjects': 'art' },
    { 'files:files': '[{"file": {"content": "y"}}]' },
  ),
  value: name,
  document: name,
  currentDocument: name,
  xpath: fc.constantFrom(
    'file:content',
    'files:files',
    'files:files/0/file',
    'dc:title',
    'dc:subjects',
    'no:such',
  ),
};

/** Generates values of a parameter, mostly of its type. */
function valueFor(param: string, { kind, values }: Param<unknown>): fc.Arbitrary<unknown> {
  const kinds: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    boolean: fc.constantFrom(true, false, 'true', 'false', 'TRUE'),
    integer: fc.oneof(fc.integer(), fc.integer().map(String), fc.constantFrom('NUMBER:-0', 'NUMBER:1e3')),
    date: fc.constantFrom('2024-01-01', '2090-01-01T00:00:00Z', '+010000-01-01', '2024-02-30'),
    stringlist: fc.constantFrom<unknown>('Administrator', 'ann, ben', ['members'], []),
  };
  const usual = values.length > 0 ? fc.constantFrom(...values) : (words[param] ?? kinds[kind.name] ?? text);
  return mostly<unknown>(usual, fc.oneof(anything, text, fc.constantFrom('expr:This', null)));
}

const byName = new Map(
  operations.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((id) => [id, each])),
);

/** Generates the body of a call at a URL, mostly valid for its operation. */
export function callAt(path: string): fc.Arbitrary<unknown> {
  const [, id = ''] = /\/(?:automation|@op|execute)\/([\w.]+)/.exec(path) ?? [];
  const given = Object.entries(byName.get(id)?.params ?? {});
  const needed = given.filter(([, { isRequired }]) => isRequired).map(([param]) => param);
  const values = Object.fromEntries(given.map(([param, described]) => [param, valueFor(param, described)]));
  const params = mostly<unknown>(
    fc.record(values, { requiredKeys: needed }),
    fc.record(values, { requiredKeys: [] }),
  );
  return mostly<unknown>(
    fc.record({ input, params }, { requiredKeys: ['input', 'params'] }),
    fc.record(
      {
        input,
        params: mostly(params, anything),
        context: mostly<unknown>(
          name.map((currentDocument) => ({ currentDocument })),
          anything,
        ),
      },
      { requiredKeys: [] },
    ),
  );
}
