import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import type { Acl } from '../security/acl.ts';
import { byKey } from './batch.ts';

/** The ACLs that a document has itself, in the order in which they count. */
interface OwnAcls {
  readonly id: string;
  readonly acls: readonly Acl[];
}

const query: Query = {
  name: 'own-acls',
  text: 'SELECT document_id AS id, acls FROM document_acl WHERE repository = $1 AND document_id = ANY($2::uuid[])',
};

/** The ACLs of documents by the documents' ids; whoever asks has seen to it that they may be read. */
export const aclsByDocument = ({ db, options }: Scope): DataLoader<string, OwnAcls | null> =>
  byKey(
    (ids) => db.query<OwnAcls>(query, [options.repository, ids]),
    ({ id }) => id,
  );
