/**
 * Returns an SQL expression for a new id. The ids sort by document number, just as Quire's ids sort by time.
 */
const timeOrdered = (number: string): string =>
  `(lpad(to_hex((1900000000000 + ${number})::bigint), 12, '0') || '7' || right(replace(gen_random_uuid()::text, '-', ''), 19))::uuid`;

/** Returns the statement that inserts folders below a folder, and files into each of them. */
export const filesInFolders = (path: string, folders: number, perFolder: number): string => `
  WITH above AS (
    SELECT repository, id, path, acl_id, ancestor_ids || id AS ancestors FROM document WHERE path = '${path}'
  ), folder AS (
    INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, acl_id)
    SELECT a.repository, ${timeOrdered('n')}, a.id, a.way, 'folder-' || n, a.path || '/folder-' || n, 'Folder', '{}',
      'Folder ' || n, a.acl_id
    FROM above a, generate_series(1, ${folders}) AS n
    RETURNING repository, id, path, acl_id, ancestor_ids || id AS way
  )
  INSERT INTO document (repository, id, parent_id, ancestor_ids, name, path, type, facets, title, acl_id, properties)
  SELECT f.repository, ${timeOrdered('row_number() OVER ()')}, f.id, f.way, 'file-' || n, f.path || '/file-' || n, 'File', '{}',
    'File ' || n, f.acl_id, jsonb_build_object('dc:title', 'File ' || n, 'dc:description', repeat('words ', 20))
  FROM folder f, generate_series(1, ${perFolder}) AS n`;
