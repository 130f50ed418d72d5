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
  /** The input that the address names; that of the body when absent. */
  readonly input?: Arguments;
}

const allKinds = ['void', ...Object.keys(resultField)] as readonly OutputKind[];

/** What it calls is found by its name then: it is a mutation, and neither 406 nor varied by language. */
export const addressedOperationRow = ({ path, name, summary, input: addressed }: At): Route =>
  post(
    path,
    chainCallBody({ readsInput: addressed === undefined }),
    ({ operationResult }) => ({
      callOperation: call(
        {
          name: input('address.operation'),
          ...(addressed ? { input: addressed } : sent),
          params: input('body.params'),
          ...variables,
        },
        operationResult(allKinds),
      ),
    }),
    {
      name,
      summary,
      openApiPath: path,
      operation: addressedOperation,
      status: 200,
      kind: 'mutation',
      answer: 'result',
      isJson: false,
      bodyForm: addressed === undefined ? 'callWithFiles' : 'call',
    },
  );

/** For the chains of the model: operations have rows of their own, which come first. */
export const addressedRoutes: readonly Route[] = [
  get(anyOperation, (show) => ({ operation: call({ id: input('address.operation') }, show.operation) }), {
    ...operationTexts.description,
    openApiPath: anyOperation,
  }),
  addressedOperationRow({ path: anyOperation, ...operationTexts.call }),
  ...adapters.map(({ at, by, named }) =>
    addressedOperationRow({
      path: `${at}/:operation`,
      input: { document: named },
      ...operationTexts.adapter(by),
    }),
  ),
  ...uploads.map(({ at, by, of, upload }) =>
    addressedOperationRow({ path: `${at}/:operation`, input: { upload }, ...operationTexts.upload(by, of) }),
  ),
];
