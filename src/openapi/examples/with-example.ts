import type { Json } from '../json-schema.ts';
import type { Answer, Answers } from './answers.ts';
import { type Example, filled } from './example.ts';
import { examples } from './index.ts';
import { withoutExample } from './operations.ts';

type Contents = Readonly<Record<string, Json>>;

/** Whether the parameter stands for arbitrary query parameters. */
const isFree = ({ style, explode }: Json): boolean => style === 'form' && explode === true;

function parametersWith(
  parameters: readonly Json[],
  parameterValues: NonNullable<Example['parameters']>,
): Json[] {
  const names = parameters.map(({ name }) => name);
  const others = Object.entries(parameterValues).filter(([name]) => !names.includes(name));
  return parameters.map((parameter) => {
    const own = isFree(parameter) && others.length > 0 ? Object.fromEntries(others) : undefined;
    const example = parameterValues[String(parameter.name)] ?? own;
    return example === undefined ? parameter : { ...parameter, example };
  });
}

const withContent = (part: Json, type: string, example: unknown): Json => {
  const content = part.content as Contents | undefined;
  return content?.[type] && example !== undefined
    ? { ...part, content: { ...content, [type]: { ...content[type], example } } }
    : part;
};

/** Adds an example to a request body: JSON, a form with files and possibly JSON, or the bytes of a file. */
function bodyWith(requestBody: Json, { body, files = {} }: Example): Json {
  const [text] = Object.values(files);
  if (text === undefined) return withContent(requestBody, 'application/json', body);
  const form = body === undefined ? { file: text } : { params: body, ...files };
  return withContent(withContent(requestBody, 'multipart/form-data', form), 'application/octet-stream', text);
}

function responsesWith(responses: Contents, { status, type = '', body }: Answer): Contents {
  const response = responses[status];
  if (!response) return responses;
  const content = response.content as Contents | undefined;
  return { ...responses, [status]: withContent(response, content?.[type] ? type : '*/*', body) };
}

/** Adds the example to an operation of openapi.json: its request and response, or the reason why there is none. */
export function withExample(operation: Json, { values, answers }: Answers): Json {
  const name = String(operation.operationId);
  const { parameters, requestBody, responses } = operation;
  const example = filled(examples[name] ?? {}, (value) => values[value] ?? `{${value}}`);
  const answer = answers[name];
  const reason = withoutExample[name];
  return {
    ...operation,
    parameters: parametersWith(parameters as Json[], example.parameters ?? {}),
    ...(requestBody !== undefined && { requestBody: bodyWith(requestBody as Json, example) }),
    ...(answer && {
      responses: responsesWith(responses as Contents, answer),
      'x-example-status': answer.status,
    }),
    ...(reason !== undefined && { 'x-no-example': reason }),
  };
}
