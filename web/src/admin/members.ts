interface Change {
  readonly add: (id: string) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
}

/** Adds and removes members one by one, because others may have changed the rest of the list in the meantime. */
export async function sendMembers(
  before: readonly string[],
  chosen: readonly string[],
  { add, remove }: Change,
): Promise<void> {
  for (const id of chosen) if (!before.includes(id)) await add(id);
  for (const id of before) if (!chosen.includes(id)) await remove(id);
}
