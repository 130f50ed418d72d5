import { documentInFolder, type Mutation, type Places, sameDocument } from './mutation.ts';

const title = { properties: { 'dc:title': 'by a chain' } };

const updating = { id: 'Document.Update', parameters: title };

/** An operation that runs another one on its input. */
const running = (params: Record<string, unknown> = {}): Mutation => {
  const given = ({ document }: Places, changed = {}) => ({
    input: document?.uid,
    params: { ...updating, ...params, ...changed },
  });
  return {
    make: documentInFolder,
    given: (places) => given(places),
    answers: sameDocument,
    needs: { document: ['WriteProperties'] },
    refuses: [
      {
        given: (places) => given(places, { id: '' }),
        status: 404,
        message: /^Operation: {2}does not exist\./,
      },
      {
        given: (places) => given(places, { id: 'Nosuch' }),
        status: 404,
        message: /^Operation: Nosuch does not exist\./,
      },
      { given: (places) => given(places, { id: 'RunScript' }), status: 501, message: /^RunScript: scripts/ },
      {
        given: (places) => given(places, { parameters: { properties: { odd: 1 } } }),
        status: 400,
        message: /^unknown property: odd$/,
      },
      {
        given: (places) => given(places, { parameters: 'expr:x' }),
        status: 400,
        message: /^parameters: an expression can be used inside the value, but cannot be the entire value\.$/,
      },
    ],
    records: [['documentModified', 'document']],
  };
};

/** Operations that run others. */
export const chainMutations: Readonly<Record<string, Mutation>> = {
  RunDocumentOperation: running(),
  RunInputOperation: running(),
  RunOperation: running(),
  RunOperationOnProvider: { ...running(), answers: () => null },
  RunOperationOnList: { ...running({ list: [1] }), needs: { document: ['Read', 'WriteProperties'] } },
};
