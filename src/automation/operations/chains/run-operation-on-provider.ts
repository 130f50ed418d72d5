import { Invalid } from '../../../errors.ts';
import { pageLimit } from '../../../loaders/lists/page.ts';
import type { DocumentsPage } from '../../../loaders/search/documents-page.ts';
import type { DocumentReference } from '../../../model/document-reference.ts';
import { calledParams, calledWithin } from '../../chains/called.ts';
import { referencesIn } from '../../input.ts';
import { operation } from '../../operation.ts';
import { flag } from '../../params/kinds.ts';

const maxDocuments = 10_000;

/**
 * Reads this page and all following pages before the operation runs, because the operation could cause documents to
 * disappear from later pages.
 */
async function pagesFrom(first: DocumentsPage): Promise<Array<readonly DocumentReference[]>> {
  const pages: Array<readonly DocumentReference[]> = [];
  let documents = 0;
  let page: DocumentsPage | undefined = first;
  while (page && page.entries.length > 0) {
    pages.push(referencesIn(page));
    documents += page.entries.length;
    if (documents > maxDocuments)
      throw new Invalid(`input: the search must not find more than ${maxDocuments} documents.`);
    page = await page.pageAt?.(page.offset + pageLimit({ ...page, offset: 0 }));
  }
  return pages;
}

export const runOperationOnProvider = operation({
  id: 'RunOperationOnProvider',
  aliases: ['Context.RunOperationOnProvider'],
  label: 'Run For Each Page',
  category: 'Execution Flow',
  description:
    'Runs an operation or a chain on each page of a search, starting with the input page. It returns nothing.',
  example: { input: ['/default-domain/workspaces/report'], params: { id: 'Document.Subscribe' } },
  kind: 'mutation',
  takes: ['documents'],
  gives: 'void',
  params: {
    ...calledParams,
    isolate: flag.withDefault(true, 'Whether changes to variables are discarded after the call.'),
  },
  run: async (_, documents, { id, parameters = {}, isolate }, call) => {
    const { input } = call;
    const pages = 'page' in input ? await pagesFrom(input.page) : [documents];
    for (const value of pages)
      await calledWithin(call, isolate)
        .with({ input: { kind: 'documents', value } })
        .run(id, parameters);
    return null;
  },
});
