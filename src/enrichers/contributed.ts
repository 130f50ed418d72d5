import type { ContributedEnricher } from '../extension.ts';
import { extensions, type LoadedExtension } from '../extensions/loaded.ts';
import { contributedValues } from '../loaders/documents/contributed-values.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

function documentEnricher(
  extension: LoadedExtension,
  { name, description, values }: ContributedEnricher,
): Enricher<DocumentRow> {
  const load = contributedValues({ extension, part: `the enricher ${name}`, values });
  return {
    name,
    field: (t) =>
      t.field({
        type: 'JSON',
        nullable: true,
        description: `${description} (extension ${extension.name})`,
        resolve: (row, _, context) => load(row, context),
      }),
    select: () => true,
  };
}

/** Returns the enrichers of the loaded extensions. */
export const contributedEnrichers = (): ReadonlyArray<Enricher<DocumentRow>> =>
  extensions().flatMap((extension) =>
    (extension.enrichers ?? []).map((enricher) => documentEnricher(extension, enricher)),
  );
