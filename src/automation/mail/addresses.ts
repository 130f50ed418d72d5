import { Invalid } from '../../errors.ts';
import type { Context } from '../../loaders/context.ts';
import { recipientsOf } from '../../loaders/mail/recipients.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';

/** One more is read than a mail may have, so that it is refused. */
const mostRecipients = 1000;

const groupPrefix = 'group:';

interface Named {
  readonly kind: 'address' | 'user' | 'group';
  readonly name: string;
}

/** @throws Invalid when it has an @ and is no address */
function readName(given: string, param: string): Named {
  const text = given.trim();
  if (text.startsWith(groupPrefix)) return { kind: 'group', name: text.slice(groupPrefix.length) };
  if (text.startsWith('user:')) return { kind: 'user', name: text.slice('user:'.length) };
  if (!text.includes('@')) return { kind: 'user', name: text };
  if (!isMailAddress(text))
    throw new Invalid(`${param}: ${JSON.stringify(text.slice(0, 80))} is no e-mail address`);
  return { kind: 'address', name: text };
}

/**
 * E-mail addresses from what parameters name: addresses, users, and groups as `group:NAME`.
 * @param isStrict whether a name without any address is refused.
 * @throws Invalid
 */
export async function mailAddresses<Name extends string>(
  context: Context,
  given: Readonly<Record<Name, readonly string[] | undefined>>,
  isStrict: boolean,
): Promise<Record<Name, string[]>> {
  const read = Object.entries<readonly string[] | undefined>(given).map(
    ([param, names = []]) => [param, names.map((name) => readName(name, param))] as const,
  );
  const all = read.flatMap(([, names]) => names);
  const of = (kind: Named['kind']) => all.filter((each) => each.kind === kind).map(({ name }) => name);
  const wanted = { users: of('user'), groups: of('group') };
  const found = await recipientsOf(context, wanted, mostRecipients + 1);
  if (found.length + of('address').length > mostRecipients)
    throw new Invalid(`a mail may have ${mostRecipients} recipients at most`);
  const addressesOf = ({ kind, name }: Named, param: string): string[] => {
    if (kind === 'address') return [name];
    const those = found.filter((each) => each.kind === kind && each.name === name);
    const sound = those.map(({ email }) => email).filter(isMailAddress);
    if (isStrict && sound.length === 0)
      throw new Invalid(`${param}: the ${kind} ${name.slice(0, 80)} does not exist or has no e-mail address`);
    return sound;
  };
  return Object.fromEntries(
    read.map(([param, names]) => [param, [...new Set(names.flatMap((name) => addressesOf(name, param)))]]),
  ) as Record<Name, string[]>;
}
