import { z } from 'zod';
import { AppError, Invalid } from '../../errors.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import type { Schema } from '../../model/model.ts';
import { childPath, documentName, maxPathBytes } from '../../model/names.ts';
import type { ValueScope } from '../../scope.ts';
import type { Ace } from '../../security/acl.ts';
import { readAce, requireComments, requireNames } from '../../store/acls/aces.ts';
import { memberFacet } from '../../store/collections/collections.ts';
import { creatableType, firstProperties } from '../../store/documents/create-document.ts';
import { requireFacet } from '../../store/documents/facets.ts';
import type { PlacedDraft } from '../../store/documents/inserts/insert-placed.ts';
import { checkPropertySets, serverProperties } from '../../store/documents/properties.ts';
import { type ExportedSource, placeIn, withFiles } from './exported-files.ts';
import { atLine, type Line } from './lines.ts';
import { readJson } from './read-shape.ts';

const states = [lifeCycle.initial, 'approved', 'obsolete'] as const;

/** The computed fields of an ACE in responses, which imports ignore. */
const computedAceFields = z
  .object({ id: z.unknown(), status: z.unknown(), externalUser: z.unknown(), notify: z.unknown() })
  .partial();

const aceShape = z.strictObject({
  ...computedAceFields.shape,
  username: z.string().min(1),
  permission: z.string(),
  granted: z.boolean().nullish(),
  creator: z.string().nullish(),
  begin: z.string().nullish(),
  end: z.string().nullish(),
  comment: z.string().nullish(),
});

const isObject = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

const without = (kind: string) => z.literal(false, `${kind} cannot be imported`).nullish();
const underRetention = 'documents under retention';

/** Further fields in responses and exports. An import ignores them, or rejects those that it cannot recreate. */
const otherFields = {
  'entity-type': z.literal('document'),
  repository: z.unknown(),
  uid: z.unknown(),
  name: z.unknown(),
  title: z.unknown(),
  schemas: z.unknown(),
  parentRef: z.unknown(),
  changeToken: z.unknown(),
  lastModified: z.unknown(),
  versionLabel: z.unknown(),
  versionableId: z.unknown(),
  isLatestVersion: z.unknown(),
  isLatestMajorVersion: z.unknown(),
  proxyTargetId: z.unknown(),
  workflowModelName: z.unknown(),
  isCheckedOut: z.unknown(),
  lockOwner: z.unknown(),
  lockCreated: z.unknown(),
  isVersion: without('versions'),
  isProxy: without('proxies'),
  isTrashed: without('documents in the trash'),
  isRecord: without('records'),
  isFlexibleRecord: z.unknown(),
  retainedProperties: z.unknown(),
  hasLegalHold: without(underRetention),
  isUnderRetentionOrLegalHold: without(underRetention),
  retainUntil: z.null(`${underRetention} cannot be imported`),
  contextParameters: z.unknown(),
};

const lineShape = z.strictObject({
  ...z.object(otherFields).partial().shape,
  path: z.string(),
  type: z.string(),
  facets: z.array(z.string()).nullish(),
  state: z.enum(states as readonly [string, ...string[]]).nullish(),
  properties: z.custom<Record<string, unknown>>((json) => isObject(json), 'expected an object').nullish(),
  acl: z.array(aceShape).nullish(),
});

type LineShape = z.infer<typeof lineShape>;

/** Parses a line. @throws Invalid */
const readLine = (text: string): LineShape => readJson(lineShape, text);

/** A document that is to be created from a line. */
export interface LineDraft extends PlacedDraft {
  readonly line: Pick<Line, 'number'>;
  readonly schemas: readonly Schema[];
}

/** The number of lines after which the event loop runs, because the previous batch is being written concurrently. */
const linesOfTurn = 10;

/** Splits a path. @throws Invalid if it cannot be the path of a document. */
function placeOf(path: string): [parent: string, name: string] {
  const end = path.lastIndexOf('/');
  const [parent, name] = [path.slice(0, end) || '/', path.slice(end + 1)];
  if (!path.startsWith('/')) throw new Invalid(`path: "${path}" does not begin with /`);
  if (name === '') throw new Invalid(`path: "${path}" ends with /`);
  if (documentName(name) !== name || childPath(parent, name) !== path)
    throw new Invalid(
      `path: "${path}" cannot be the path of a document, whose name would be "${documentName(name)}"`,
    );
  if (Buffer.byteLength(path) > maxPathBytes)
    throw new Invalid(`path must not be longer than ${maxPathBytes} bytes`);
  return [parent, name];
}

const aceOf = ({ notify: _, ...ace }: NonNullable<LineShape['acl']>[number], user: string): Ace =>
  readAce(ace.username, ace, ace.creator ?? user);

async function draftOf(scope: ValueScope, line: Line, from?: ExportedSource): Promise<LineDraft> {
  const { user } = scope;
  const { model, blobs } = scope.services;
  const json = readLine(line.text);
  const path = from ? placeIn(from, json.path) : json.path;
  const properties = json.properties ?? {};
  for (const xpath of serverProperties) delete properties[xpath];
  const type = creatableType(scope, json.type);
  const served = [...type.facets, memberFacet];
  const facets = [...new Set(json.facets ?? [])].filter((facet) => !served.includes(facet));
  for (const facet of facets) requireFacet(scope, facet);
  return {
    line: { number: line.number },
    path,
    place: placeOf(path),
    type: type.name,
    facets,
    state: json.state ?? lifeCycle.initial,
    properties: await firstProperties(
      scope,
      type,
      from ? await withFiles(blobs, from.folder, properties) : properties,
      facets,
    ),
    schemas: model.schemasOf(type.name, facets),
    aces: (json.acl ?? []).map((ace) => aceOf(ace, user.id)),
  };
}

/**
 * Checks the constraints of the model, and the names of users and groups.
 * @param areStored whether the lines contain values that a server has stored. They are accepted even if the model or its
 *   vocabularies have changed since (§8).
 */
async function check(scope: ValueScope, drafts: readonly LineDraft[], areStored: boolean): Promise<void> {
  const aces = drafts.flatMap((draft) => draft.aces);
  if (!areStored) {
    await checkPropertySets(scope, drafts);
    requireComments(
      scope,
      aces.flatMap(({ comment }) => comment ?? []),
    );
  }
  await requireNames(
    scope,
    aces.map(({ username }) => username),
  );
}

/** Runs work for a line. @throws Invalid that names the line, if the work fails because of the line. */
async function within<T>(line: Pick<Line, 'number'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? atLine(line, error.message) : error;
  }
}

/** Reads and checks a batch of lines in the same way as bodies of REST. @throws Invalid that names the faulty line. */
export async function draftsOfLines(
  scope: ValueScope,
  lines: readonly Line[],
  { from, areStored }: { readonly from?: ExportedSource | undefined; readonly areStored: boolean },
): Promise<LineDraft[]> {
  const drafts: LineDraft[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % linesOfTurn === 0) await yieldToEventLoop();
    drafts.push(await within(line, () => draftOf(scope, line, from)));
  }
  try {
    await check(scope, drafts, areStored);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const draft of drafts) await within(draft.line, () => check(scope, [draft], areStored));
    throw error;
  }
  return drafts;
}
