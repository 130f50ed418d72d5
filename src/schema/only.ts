/** What becomes of a list of one. */
export const only = <Item>([item]: readonly Item[]): Item => item as Item;
