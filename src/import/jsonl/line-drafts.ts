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

/** The computed fields of ACEs in responses, which imports ignore. */
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

/**
 * Other fields that occur in responses and exports. An import either ignores such a field or rejects the document,
 * because the document could not be recreated.
 */
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

/** A document to be created from a line. */
export interface LineDraft extends PlacedDraft {
  readonly line: Pick<Line, 'number'>;
  readonly schemas: readonly Schema[];
}

/**
 * The number of lines to check before yielding to the event loop, which is needed because the previous batch is being
 * written at the same time.
 */
const linesOfTurn = 10;

/**
 * Splits the path of a document into the parent's path and the document's name. @throws Invalid if no document can have
 * this path.
 */
function placeOf(path: string): [parent: string, name: string] {
  const end = path.lastIndexOf('/');
  const [parent, name] = [path.slice(0, end) || '/', path.slice(end + 1)];
  if (!path.startsWith('/')) throw new Invalid(`path: "${path}" must begin with /`);
  if (name === '') throw new Invalid(`path: "${path}" must not end with /`);
  if (documentName(name) !== name || childPath(parent, name) !== path)
    throw new Invalid(
      `path: "${path}" cannot be the path of a document, because its name would be changed to "${documentName(name)}"`,
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
 * @param areStored whether the lines were exported by a server. If so, their values are accepted even if the model or
 * its vocabularies have changed since then (§8).
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

/**
 * Runs a function for a line. If the function fails because of the line, the error message names the line.
 * @throws Invalid
 */
export async function within<T>(line: Pick<Line, 'number'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AppError ? atLine(line, error.message) : error;
  }
}

/**
 * Reads a batch of lines and checks them in the same way as request bodies.
 * @throws Invalid with a message that names the invalid line.
 */
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
