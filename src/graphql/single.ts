export const single = <Item>([item]: readonly Item[]): Item => item as Item;
