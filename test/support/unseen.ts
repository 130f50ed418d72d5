import { readFileSync } from 'node:fs';
import { type Description, follow, operationsOf, pointersIn } from './described.ts';

/**
 * Prints the parts of responses that openapi.json describes but that did not occur in any response during the tests.
 * First, `SEEN_ANSWERS=FILE npm run test:all` records the parts of all responses in FILE. Then `npx tsx
 * test/support/unseen.ts FILE` compares them with the description.
 */
const [, , file = ''] = process.argv;
const description: Description = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);
const seen = new Set(readFileSync(file, 'utf8').split('\n'));

type Described = { headers?: object; content?: object };

function partsOf(name: string, response: Described): string[] {
  const headers = Object.keys(response.headers ?? {}).map((header) => `${name} ${header.toLowerCase()}`);
  const types = Object.keys(response.content ?? {}).map((type) => `${name} ${type}`);
  return [name, ...headers, ...types];
}

const ofOperations = operationsOf(description).flatMap(({ path, method, operation }) =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    status === 'default'
      ? []
      : partsOf(
          `${method} ${path} ${status}`,
          response.$ref ? (follow(description, response.$ref) as Described) : response,
        ),
  ),
);

/** Returns pointers to the schemas of responses and to all schemas that these refer to. */
function schemasOfAnswers(): Set<string> {
  const found = new Set<string>();
  const add = (value: unknown) => {
    for (const pointer of pointersIn(value).filter((each) => !found.has(each))) {
      found.add(pointer);
      add(follow(description, pointer));
    }
  };
  for (const { operation } of operationsOf(description)) add(operation.responses);
  return found;
}

const fields = [...schemasOfAnswers()].flatMap((pointer) => {
  const { properties = {} } = follow(description, pointer) as { properties?: object };
  return Object.keys(properties).map((key) => `${pointer.split('/').at(-1)}.${key}`);
});

/** Returns the kind of a described part: an HTTP status, or `fields`. */
const kindOf = (name: string) => name.split(' ')[2] ?? 'fields';

const described = [...ofOperations, ...fields];
const unseen = described.filter((name) => !seen.has(name));
const countOf = (names: readonly string[], kind: string) =>
  names.filter((name) => kindOf(name) === kind).length;
const counts = [...new Set(described.map(kindOf))]
  .sort()
  .map((kind) => `${kind}: ${countOf(unseen, kind)} of ${countOf(described, kind)}`);
process.stdout.write(`${[...unseen, '', 'unseen:', ...counts].join('\n')}\n`);
