import { type Statement, statement } from '../../db/statement.ts';
import { Forbidden, Invalid } from '../../errors.ts';
import { type DocumentRow, isRetained } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { EventName } from '../../model/event-names.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { withAudit, writeAudited } from '../audit/audit.ts';
import { lockDocument } from '../row-locks/lock-document.ts';

// The trigger document_retained rejects every statement that would change or delete a document under retention.

type Retention = Partial<Pick<DocumentRow, 'isRecord' | 'retainUntil' | 'hasLegalHold'>>;

/** A statement that changes the retention of a document and its versions. */
const update = (name: string, assignment: string): Statement => statement(name)`
  UPDATE document SET ${assignment}, system_token = system_token + 1
  WHERE repository = $1 AND (id = $2::uuid OR (live_id = $2::uuid AND is_version)) RETURNING id`;

const queries = {
  isRecord: withAudit(update('make-record', 'is_record = $3::boolean'), 'first'),
  retainUntil: withAudit(update('set-retention', 'retain_until = $3::timestamptz'), 'first'),
  hasLegalHold: withAudit(update('set-legal-hold', 'has_legal_hold = $3::boolean'), 'first'),
};

const lock = (scope: Scope, reference: DocumentReference, needs: Permission): Promise<DocumentRow> =>
  lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs });

/** Writes a retention field of a locked document and logs the change. */
async function write<Field extends keyof typeof queries>(
  scope: Scope,
  row: DocumentRow,
  { field, value, eventId, comment }: RetentionChange<Field>,
): Promise<DocumentRow> {
  const document = { ...row, [field]: value, systemToken: row.systemToken + 1 };
  const values = [row.repository, row.id, value];
  await writeAudited(scope, queries[field], values, [{ eventId, document, ...(comment && { comment }) }]);
  return document;
}

interface RetentionChange<Field extends keyof typeof queries> {
  readonly field: Field;
  readonly value: NonNullable<Retention[Field]>;
  readonly eventId: EventName;
  readonly comment?: string | undefined;
}

/**
 * Makes a document a record; does nothing if it is already one.
 * @throws NotFound, Forbidden; Invalid for a version or proxy
 */
export async function makeRecord(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const row = await lock(scope, reference, 'MakeRecord');
  if (row.isRecord) return row;
  return write(scope, row, { field: 'isRecord', value: true, eventId: 'afterMakeRecord' });
}

/**
 * Sets the time until which a document is retained. Setting the same time again has no effect.
 * @throws NotFound; Forbidden without permission, and for a time before the current one; Invalid for a time in the
 * past, a version or a proxy
 */
export async function setRetention(
  scope: Scope,
  reference: DocumentReference,
  until: Date,
): Promise<DocumentRow> {
  const row = await lock(scope, reference, 'SetRetention');
  if (row.retainUntil?.getTime() === until.getTime()) return row;
  if (until.getTime() <= Date.now() && row.retainUntil === null)
    throw new Invalid(`until must be in the future; got ${until.toISOString()}`);
  const eventId = row.retainUntil === null ? 'afterSetRetention' : 'afterExtendRetention';
  const comment = until.toISOString();
  return write(scope, row, { field: 'retainUntil', value: until, eventId, comment });
}

/**
 * Sets or removes the legal hold on a document.
 * @throws the errors of `makeRecord`
 */
export async function setLegalHold(
  scope: Scope,
  reference: DocumentReference,
  { isHeld, comment }: { isHeld: boolean; comment?: string | undefined },
): Promise<DocumentRow> {
  const row = await lock(scope, reference, 'ManageLegalHold');
  if (row.hasLegalHold === isHeld) return row;
  const eventId = isHeld ? 'afterSetLegalHold' : 'afterRemoveLegalHold';
  return write(scope, row, { field: 'hasLegalHold', value: isHeld, eventId, comment });
}

/**
 * Protects the parts of a document that are stored in other tables, such as the members of a collection.
 * @throws Forbidden if the document is under retention or legal hold
 */
export function requireNotRetained(row: DocumentRow): void {
  if (isRetained(row)) throw new Forbidden(`${row.id} is under retention or legal hold`);
}
