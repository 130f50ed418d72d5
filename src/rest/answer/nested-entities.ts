import type { GraphqlOperation } from '../../selection/operation.ts';
import type { RunGraphql } from '../../selection/run.ts';
import type { NestedKind } from '../../selection/selection.ts';
import { SharedEntity } from './shared-entity.ts';

/** The maximum number of nested documents in a response (§8). A document that appears twice counts twice. */
const maxDocuments = 20_000;

/** An object in a response that stays empty until the entity that it represents has been read. */
interface Slot {
  readonly target: Record<string, unknown>;
  uses: number;
}

/**
 * Creates the empty object for a slot. Users are not shared, because their JSON is so short that sharing would cost
 * more than it saves.
 */
const targetOf = (kind: NestedKind): Slot['target'] => (kind === 'document' ? new SharedEntity() : {});

/** The slots for the entities that are one level below the rendered entity, by kind and id. */
export class NestedEntities {
  readonly slots: Partial<Record<NestedKind, Map<string, Slot>>> = {};
  uses = 1;

  private documents: number;

  /** @param documents the number of nested documents that the response already contains */
  constructor(documents = 0) {
    this.documents = documents;
  }

  /**
   * Returns the object in the slot of an entity. Returns undefined if the response has reached the limit of nested
   * documents.
   */
  reserve(kind: NestedKind, id: string): unknown {
    if (kind === 'document') {
      if (this.documents + this.uses > maxDocuments) return undefined;
      this.documents += this.uses;
    }
    const slots = this.slots[kind] ?? new Map<string, Slot>();
    this.slots[kind] = slots;
    const slot = slots.get(id) ?? { target: targetOf(kind), uses: 0 };
    slot.uses += this.uses;
    if (slot.target instanceof SharedEntity) slot.target.isRepeated = slot.uses > 1;
    slots.set(id, slot);
    return slot.target;
  }

  get kinds(): NestedKind[] {
    const { document, user } = this.slots;
    if (document) return user ? ['document', 'user'] : ['document'];
    return user ? ['user'] : [];
  }

  next(): NestedEntities {
    return new NestedEntities(this.documents);
  }
}

type Present = (entity: unknown, nested: NestedEntities, target: Record<string, unknown>) => unknown;

/**
 * A GraphQL query that reads the entities of one level by their ids, and the functions that render these entities.
 */
export interface NestedQuery {
  readonly operation: GraphqlOperation;
  readonly present: Readonly<Record<NestedKind, Present>>;
}

/** Functions that return what a response contains in place of an entity that was deleted after its id had been read. */
export const missingEntity = {
  document: (uid: string) => ({ 'entity-type': 'document', uid }),
  user: (id: string) => ({ 'entity-type': 'user', id }),
};

/**
 * Reads the nested entities of a response level by level, and fills their slots. Each level needs one query, and an
 * entity that appears several times is read and rendered only once, so the cost depends on the number of distinct
 * entities.
 * @param queryAt returns the query for a level; the inputs and the data of the query are named after the kinds
 */
export async function resolveNested(
  first: NestedEntities,
  queryAt: (level: number, kinds: readonly NestedKind[]) => NestedQuery,
  run: RunGraphql,
): Promise<void> {
  let nested = first;
  for (let level = 1, { kinds } = nested; kinds.length > 0; level += 1, { kinds } = nested) {
    const { slots } = nested;
    const { operation, present } = queryAt(level, kinds);
    const data = await run(
      operation,
      Object.fromEntries(kinds.map((kind) => [kind, [...(slots[kind]?.keys() ?? [])]])),
    );
    nested = nested.next();
    for (const kind of kinds) {
      const found = data[kind] as readonly unknown[];
      let index = 0;
      for (const [id, { target, uses }] of slots[kind] ?? []) {
        nested.uses = uses;
        if (found[index]) present[kind](found[index], nested, target);
        else Object.assign(target, missingEntity[kind](id));
        index += 1;
      }
    }
  }
}
