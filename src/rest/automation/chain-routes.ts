import type { OutputKind } from '../../automation/operation.ts';
import { resultField } from '../../automation/output-kinds.ts';
import { type Arguments, call, input } from '../../selection/selection.ts';
import { addressedOperation, get, post, type Route } from '../route.ts';
import { adapters, anyOperation, operationTexts, sent, uploads, variables } from './addresses.ts';
import { chainCallBody } from './bodies.ts';

interface At {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly document?: Arguments[string];
  readonly upload?: Arguments;
}

/** The input by how the call is addressed. */
const inputAt = ({ document, upload }: At): Arguments =>
  upload ? { input: { upload } } : document ? { input: { document } } : sent;

const allKinds = ['void', ...Object.keys(resultField)] as readonly OutputKind[];

const chainRow = (at: At): Route =>
  post(
    at.path,
    chainCallBody,
    ({ operationResult }) => ({
      runChain: call(
        {
          name: input('address.operation'),
          ...inputAt(at),
          params: input('body.params'),
          ...variables,
        },
        operationResult(allKinds),
      ),
    }),
    {
      name: at.name,
      summary: at.summary,
      openApiPath: at.path,
      operation: addressedOperation,
      status: 200,
      kind: 'mutation',
      answer: 'result',
      isJson: false,
      blobs: !at.upload && !at.document,
    },
  );

/** Chains, which the model has: their names are known at run time, and no operation has them. */
export const chainRoutes: readonly Route[] = [
  get(anyOperation, (show) => ({ operation: call({ id: input('address.operation') }, show.operation) }), {
    ...operationTexts.description,
    openApiPath: anyOperation,
  }),
  chainRow({ path: anyOperation, ...operationTexts.call }),
  ...adapters.map(({ at, by, named }) =>
    chainRow({ path: `${at}/:operation`, document: named, ...operationTexts.adapter(by) }),
  ),
  ...uploads.map(({ at, by, of, upload }) =>
    chainRow({ path: `${at}/:operation`, upload, ...operationTexts.upload(by, of) }),
  ),
];
