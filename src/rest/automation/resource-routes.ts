import { operationByName } from '../../automation/index.ts';
import { argumentName, type Operation, operationFieldName } from '../../automation/operation.ts';
import { outputKindsOf } from '../../automation/output-kinds.ts';
import { readParams } from '../../automation/params/read-params.ts';
import { extensions } from '../../extensions/loaded.ts';
import { anyObject } from '../../model/values/any-object.ts';
import { type Arguments, call, input } from '../../selection/selection.ts';
import { type BodyReader, bodyReader } from '../request/body.ts';
import { addressedGuard } from '../rights-first.ts';
import type { Route } from '../route.ts';

const pick = <Value>(named: Readonly<Record<string, Value>>, isWanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(named).filter(([name]) => isWanted(name)));

const descriptionsOf = (params: Operation['params']): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, { description }]) => [name, description]));

/** Reads parameters from the fields of a JSON object. */
function paramsBody({ id }: Operation, params: Operation['params']): BodyReader {
  const properties = Object.fromEntries(
    Object.entries(descriptionsOf(params)).map(([name, description]) => [name, { description }]),
  );
  const required = Object.keys(params).filter((name) => params[name]?.isRequired);
  const shape = anyObject('The body must be a JSON object').meta({ type: 'object', properties, required });
  return bodyReader(shape, (json, { isStrict }) => ({
    params: readParams({ id, params }, json, { isStrict }),
  }));
}

/**
 * Creates the route for an operation that an extension offers as a REST resource.
 * @param base the path of the extension's resources
 * @param resource a method and the rest of the path, such as `GET /numbers/:year`
 */
function resourceRoute(operation: Operation, base: string, resource: string): Route {
  const [method = '', path = ''] = resource.split(' ');
  const { params, kind, label, description, needs } = operation;
  const addressed = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name));
  const others = pick(params, (name) => !addressed.has(name));
  const hasBody = (method === 'POST' || method === 'PUT') && Object.keys(others).length > 0;
  const sourceOf = (name: string) => {
    if (addressed.has(name)) return input(`address.${name}`);
    return input(hasBody ? `body.params.${name}` : `query.${name}`);
  };
  const values: Arguments = Object.fromEntries(
    Object.keys(params).map((name) => [argumentName(name), sourceOf(name)]),
  );
  const takesDocument = operation.takes.includes('document');
  const inputArguments: Arguments = takesDocument ? { input: { document: input('address.id') } } : {};
  const outputs = outputKindsOf(operation);
  return {
    method: method.toLowerCase() as Route['method'],
    path: `${base}${path}`,
    name: `${method.toLowerCase()}${operationFieldName(operation).replace(/^\w/, (first) => first.toUpperCase())}`,
    summary: label,
    description,
    kind,
    status: 200,
    answer: 'result',
    isJson: operation.gives !== 'void',
    bodyForm: 'json',
    pathParameters: descriptionsOf(pick(params, (name) => addressed.has(name))),
    ...(hasBody && { body: paramsBody(operation, others) }),
    ...(takesDocument && needs !== undefined && { guard: addressedGuard(needs) }),
    select: ({ operationResult }) => ({
      [operationFieldName(operation)]: call({ ...inputArguments, ...values }, operationResult(outputs)),
    }),
  };
}

/**
 * Returns the routes for the REST resources of all loaded extensions. A resource is an operation with a method and a
 * path.
 */
export const resourceRoutes = (): Route[] =>
  extensions().flatMap(({ name, operations = [] }) =>
    operations.flatMap(({ id, resource }) => {
      const operation = operationByName(id);
      return operation && resource !== undefined ? [resourceRoute(operation, `/ext/${name}`, resource)] : [];
    }),
  );
