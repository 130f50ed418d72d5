import type { Logger } from 'pino';
import { type AppError, Conflict, Forbidden, Invalid, NotFound, Unprocessable } from '../errors.ts';
import { inTime } from '../event-loop.ts';
import type { ExtensionContext, Refusal } from '../extension.ts';
import { jsonFault } from './json.ts';
import { extensions, type LoadedExtension } from './loaded.ts';
import { measuresOf } from './measures.ts';
import { runningAs } from './running.ts';

/**
 * Thrown for a bug in an extension. The response is the same as for a bug in the server: status 500 without any
 * details.
 */
export class ExtensionError extends Error {}

/** The number of milliseconds for which code can block the event loop before it is reported. */
const maxBlocking = 50;

/**
 * Compares the name of the class, because an extension may contain a copy of the class from another release, which
 * `instanceof` would not recognize.
 */
const isRefusal = (error: unknown): error is Refusal => error instanceof Error && error.name === 'Refusal';

function refusalOf({ message, status, xpath }: Refusal): AppError {
  if (status === 400) return new Invalid(message);
  if (status === 403) return new Forbidden(message);
  if (status === 404) return new NotFound(message);
  if (status !== 422) return new Conflict(message);
  const path = xpath === undefined ? [] : [{ field: xpath }];
  return new Unprocessable([
    { constraint: 'extension', parameters: {}, message, invalidValue: undefined, path },
  ]);
}

/** The number of milliseconds after which a function that is still running is reported. */
const slow = 2_000;

interface Guarded {
  readonly extension: Pick<LoadedExtension, 'name'>;
  /** How messages refer to the function, for example `the operation Invoices.Approve`. */
  readonly part: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** The number of milliseconds after which the function fails. */
  readonly deadline?: number;
  /** Whether the function may run for a long time, as commands and jobs do. */
  readonly isLong?: boolean;
}

/**
 * Runs a function of an extension.
 * @throws AppError for a Refusal, or for an error of the server that the extension did not catch; ExtensionError with
 * the name of the extension for any other error
 */
export async function guarded<T>(
  { extension, part, log, deadline, isLong }: Guarded,
  work: () => Promise<T>,
): Promise<T> {
  const about = { extension: extension.name, part };
  const measures = measuresOf(extension.name);
  measures.calls += 1;
  const began = performance.now();
  // The function may never end, so it is reported while it is running.
  const reminder =
    isLong || deadline !== undefined
      ? undefined
      : setTimeout(() => log.warn({ ...about, milliseconds: slow }, 'An extension is slow.'), slow);
  try {
    const running = runningAs(extension.name, async () => work());
    const blocked = performance.now() - began;
    measures.blocked += blocked;
    if (blocked > maxBlocking)
      log.warn({ ...about, milliseconds: Math.round(blocked) }, 'An extension blocked all requests.');
    if (deadline === undefined) return await running;
    return await inTime(running, deadline, `it took more than ${deadline} ms`);
  } catch (error) {
    if (isRefusal(error)) throw refusalOf(error);
    if (error instanceof Error && 'code' in error && 'fault' in error) throw error; // an AppError
    measures.failures += 1;
    log.error({ err: error, ...about }, 'An extension failed.');
    throw new ExtensionError(`The extension ${extension.name} failed in ${part}.`, { cause: error });
  } finally {
    clearTimeout(reminder);
  }
}

/**
 * Requires that a value which a function of an extension returned can be represented as JSON.
 * @throws ExtensionError that names the part of the value
 */
export function requireJson(value: unknown): void {
  const fault = jsonFault(value);
  if (fault !== undefined) throw new ExtensionError(`It returned ${fault}, which JSON cannot represent.`);
}

/** A function of an extension. */
type ExtensionPart = Pick<Guarded, 'part' | 'isLong'> & { readonly extension: LoadedExtension };

/** The part of a call that `inExtension` needs. */
interface Calling<Own> {
  readonly services: { readonly log: Guarded['log'] };
  readonly extensionContext?: ((scope: Own, extension: LoadedExtension) => ExtensionContext) | undefined;
}

/**
 * Runs a function of an extension with a context for the call. @throws the same errors as `guarded`; ExtensionError if
 * the call has no context for extensions
 */
export const inExtension = <Own extends Calling<Own>, T>(
  scope: Own,
  { extension, part, isLong = false }: ExtensionPart,
  work: (context: ExtensionContext) => Promise<T>,
): Promise<T> =>
  guarded({ extension, part, isLong, log: scope.services.log }, async () => {
    const context = scope.extensionContext?.(scope, extension);
    if (!context) throw new ExtensionError('Functions of extensions cannot run in this call.');
    return work(context);
  });

let isContained = false;

/**
 * Logs promise rejections that an extension does not handle. Otherwise, such a rejection would end the process.
 */
export function containRejections(log: Pick<Logger, 'error'>): void {
  if (extensions().length === 0 || isContained) return;
  isContained = true;
  process.on('unhandledRejection', (error) => {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const extension = extensions().find(({ folder }) => stack.includes(folder));
    if (!extension) throw error;
    log.error(
      { err: error, extension: extension.name },
      'An extension did not handle the rejection of a promise.',
    );
  });
}
