import DataLoader from 'dataloader';
import type { ExtensionContext, ExtensionDocument, JsonData } from '../../extension.ts';
import { ExtensionError, inExtension, requireJson } from '../../extensions/guarded.ts';
import { extensions, type LoadedExtension } from '../../extensions/loaded.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from './document-row.ts';
import { extensionDocument } from './extension-document.ts';

type Values = DataLoader<DocumentRow, JsonData>;

/** A function of an extension that computes one value for each document of a page. */
interface ContributedValues {
  readonly extension: LoadedExtension;
  /** The name of the function for messages, such as `the enricher invoice`. */
  readonly part: string;
  readonly values: (
    documents: readonly ExtensionDocument[],
    context: ExtensionContext,
  ) => Promise<readonly JsonData[]>;
}

/** Calls the extension once for all documents of a page. */
function loaderOf({ extension, part, values }: ContributedValues, context: Context): Values {
  return new DataLoader<DocumentRow, JsonData>(async (rows) => {
    return inExtension(context, { extension, part }, async (own) => {
      const found: unknown = await values(rows.map(extensionDocument), own);
      if (!Array.isArray(found) || found.length !== rows.length)
        throw new ExtensionError(`It must return ${rows.length} values, one for each document.`);
      requireJson(found);
      return found.map((value) => value ?? null);
    });
  });
}

/** Returns a function that loads the value for a document. */
export function contributedValues(
  contributed: ContributedValues,
): (row: DocumentRow, context: Context) => Promise<JsonData> {
  // A mutation replaces the loaders of a context, so the values are requested again afterwards.
  const known = new WeakMap<Context['load'], Values>();
  return (row, context) => {
    const values = known.get(context.load) ?? loaderOf(contributed, context);
    known.set(context.load, values);
    return values.load(row);
  };
}

interface FetchProperty {
  readonly xpath: string;
  readonly load: ReturnType<typeof contributedValues>;
}

/** The fetch properties of documents that the loaded extensions add (§10.1). */
export const contributedFetchProperties = (): readonly FetchProperty[] =>
  extensions().flatMap((extension) =>
    (extension.fetchProperties ?? []).map(({ xpath, values }) => ({
      xpath,
      load: contributedValues({ extension, part: `the fetch property ${xpath}`, values }),
    })),
  );
