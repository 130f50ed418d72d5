interface Change {
  readonly add: (id: string) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
}

/**
 * Sends a separate change for each added or removed member. Sending the whole list would undo changes that others have
 * made in the meantime.
 */
export async function sendMembers(
  before: readonly string[],
  chosen: readonly string[],
  { add, remove }: Change,
): Promise<void> {
  for (const id of chosen) if (!before.includes(id)) await add(id);
  for (const id of before) if (!chosen.includes(id)) await remove(id);
}
