import { AppError } from '../../errors.ts';
import type { Chain, Model } from '../../model/model.ts';
import { type Fault, type ReportFault, requireNoFaults } from '../../model/model-error.ts';
import { isScript, operationByName, operationOrChain } from '../index.ts';
import type { Operation } from '../operation.ts';
import { readParams } from '../params/read-params.ts';
import { chainParamKinds } from './chains.ts';
import { isExpression, parseExpression } from './expressions.ts';

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function attempt(report: ReportFault, at: string, check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report(at, error.message);
  }
}

const hasExpression = (value: unknown): boolean => textsIn(value).some(isExpression);

/** Reports parameters that an expression uses but the chain does not declare. */
function checkExpression({ params = [] }: Chain, expression: string, report: ReportFault, at: string): void {
  for (const part of parseExpression(expression)) {
    const [name] = typeof part === 'object' && part.root === 'ChainParameters' ? part.steps : [];
    if (name !== undefined && !params.some((param) => param.name === name))
      report(at, `the chain has no parameter ${name}`);
  }
}

/** Checks the parameters of a step. Expressions are only parsed; other values must be valid for the operation. */
function checkParams(
  chain: Chain,
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  report: ReportFault,
): void {
  for (const text of textsIn(given).filter(isExpression))
    attempt(report, '.params', () => checkExpression(chain, text, report, '.params'));
  const { id, params } = operation;
  const evaluated = Object.keys(given).filter((name) => hasExpression(given[name]));
  const isLater = ([name, { aliases }]: [string, Operation['params'][string]]) =>
    [name, ...aliases].some((each) => evaluated.includes(each));
  const now = Object.fromEntries(Object.entries(params).filter((entry) => !isLater(entry)));
  const values = Object.fromEntries(Object.entries(given).filter(([name]) => !evaluated.includes(name)));
  attempt(report, '.params', () => readParams({ id, params: now }, values, { isStrict: true }));
  const names = Object.entries(params).flatMap(([name, { aliases }]) => [name, ...aliases]);
  for (const name of evaluated.filter((each) => !names.includes(each)))
    report('.params', `${id} has no parameter ${name}`);
}

function checkChain(model: Model, chain: Chain, report: ReportFault): void {
  const { name, params = [], operations } = chain;
  if (operationByName(name)) report('.name', 'is the name of an operation');
  if (isScript(name)) report('.name', 'is the name of a script');
  for (const [index, { type = 'string', default: value }] of params.entries()) {
    const read = value === undefined ? undefined : chainParamKinds[type].read.safeParse(value);
    if (read?.error) report(`.params[${index}].default`, read.error.issues[0]?.message ?? 'cannot be read');
  }
  const names = params.map((param) => param.name);
  for (const [index, each] of names.entries())
    if (names.indexOf(each) < index) report(`.params[${index}].name`, `the name ${each} is already taken`);
  for (const [index, { id, params: given = {} }] of operations.entries()) {
    const at: ReportFault = (below, fault) => report(`.operations[${index}]${below}`, fault);
    const operation = operationOrChain(model, id);
    if (operation) checkParams(chain, operation, given, at);
    else at('.id', isScript(id) ? `${id}: scripts are not supported` : `there is no operation ${id}`);
  }
}

/** @throws ModelError that lists all errors in the chains defined by contributions */
export async function requireValidChains(model: Model): Promise<void> {
  const faults: Fault[] = [];
  for (const chain of model.chains.values())
    checkChain(model, chain, (at, fault) => {
      const { file, name } = chain;
      faults.push({ ...(file !== undefined && { file }), location: `chains.${name}${at}`, fault });
    });
  requireNoFaults(faults);
}
